// A template of two pieces for a number sort key.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", sk = number("n")), pk = "USER", sk = "AT#<at:013>")]
struct User {
    at: u64,
}

fn main() {}
