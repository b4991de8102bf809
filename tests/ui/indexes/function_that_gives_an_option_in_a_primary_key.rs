// A primary key always has a value.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id|crate::some>")]
struct User {
    id: String,
}

fn some(id: &String) -> Option<String> {
    Some(id.clone())
}

fn main() {}
