// An option of a table that there is not.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", streams = "new_image"),
    pk = "USER#<id>"
)]
struct User {
    id: String,
}

fn main() {}
