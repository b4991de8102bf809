// `table(..)` without `DynaTable`.
use dyna_runtime::DynaEntity;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
}

fn main() {}
