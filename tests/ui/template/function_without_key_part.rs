// The function returns something that cannot stand in a key.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id|crate::bucket>")]
struct User {
    id: String,
}

fn bucket(id: &String) -> f64 {
    id.len() as f64
}

fn main() {}
