// A width on a signed integer.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", sk = "sk"),
    pk = "USER",
    sk = "AT#<at:013>"
)]
struct User {
    at: i64,
}

fn main() {}
