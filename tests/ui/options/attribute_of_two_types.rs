// One attribute declared with two types.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", index(gsi1, pk = number("pk"))), pk = "USER#<id>")]
struct User {
    id: String,
}

fn main() {}
