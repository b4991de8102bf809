// No table.
use dyna_runtime::DynaEntity;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(pk = "USER#<id>")]
struct User {
    id: String,
}

fn main() {}
