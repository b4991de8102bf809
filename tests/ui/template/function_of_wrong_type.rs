// The function does not take the type of the field.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id|crate::bucket>")]
struct User {
    id: u64,
}

fn bucket(id: &String) -> u8 {
    id.len() as u8
}

fn main() {}
