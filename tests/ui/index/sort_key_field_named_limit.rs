// A sort-key field named like a method of `Query`.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", sk = "sk"),
    pk = "USER",
    sk = "LIMIT#<limit:05>"
)]
struct User {
    limit: u32,
}

fn main() {}
