// No `#[dyna(..)]` at all.
use dyna_runtime::DynaEntity;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity)]
struct User {
    id: String,
}

fn main() {}
