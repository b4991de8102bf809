// An option of a declared index that there is not.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk", project = "all")),
    pk = "USER#<id>"
)]
struct User {
    id: String,
}

fn main() {}
