// No sort key on a table that has one.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", sk = "sk"), pk = "USER#<id>")]
struct User {
    id: String,
}

fn main() {}
