// A sort-key field named like a method of `Query`.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", sk = "sk"),
    pk = "USER",
    sk = "S#<send>"
)]
struct User {
    send: String,
}

fn main() {}
