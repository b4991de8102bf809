// A `usize` in a key.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "chat", pk = "pk", sk = "sk"), pk = "USER#<no>", sk = "AT#<at:013>")]
struct User {
    no: usize,
    at: usize,
}

fn main() {}
