// A template of two pieces for a number key.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = number("at"))),
    pk = "USER#<id>",
    gsi1(pk = "AT#<at>"),
)]
struct User {
    id: String,
    at: u64,
}

fn main() {}
