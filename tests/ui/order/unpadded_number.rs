// An unpadded number in a sort key.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", sk = "sk"),
    pk = "USER",
    sk = "AT#<at>"
)]
struct User {
    at: u64,
}

fn main() {}
