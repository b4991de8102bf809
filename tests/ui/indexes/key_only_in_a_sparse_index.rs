// A field that would be lost where the item is not in the index.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk", sk = "gsi1sk")),
    pk = "USER#<id>",
    gsi1(pk = "N#<name>", sk = "<city>")
)]
struct User {
    id: String,
    #[dyna(key_only)]
    name: String,
    city: Option<String>,
}

fn main() {}
