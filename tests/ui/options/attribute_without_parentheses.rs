// The attribute is written without parentheses.
use dyna_runtime::DynaEntity;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna = "USER#<id>"]
struct User {
    id: String,
}

fn main() {}
