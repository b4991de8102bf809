// What may be empty is followed by text, so that nothing tells where it ends; and a key that may be empty.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk", sk = "gsi1sk")),
    pk = "USER#<id>",
    gsi1(pk = "C#<city?>-x", sk = "<name?>")
)]
struct User {
    id: String,
    city: Option<String>,
    name: Option<String>,
}

fn main() {}
