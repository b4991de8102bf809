// Functions of several fields where they cannot be.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk", sk = "gsi1sk")),
    pk = "USER#<(id, city)|crate::both>",
    gsi1(pk = "C#<(city, id)|lower>", sk = "<(id)|crate::both>")
)]
struct User {
    id: String,
    city: String,
}

fn both(id: &String, city: &String) -> String {
    format!("{id}-{city}")
}

fn main() {}
