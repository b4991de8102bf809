// An option that is given or not, with a value.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", sk = "sk", deletion_protection = true),
    pk = "USER#<id>",
    sk = "PROFILE"
)]
struct User {
    id: String,
}

fn main() {}
