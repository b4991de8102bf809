// A field that would be lost where the function leaves the item out of the index.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

fn upper_half(rank: &u32) -> Option<String> {
    (*rank > 50).then(|| rank.to_string())
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk", sk = "gsi1sk")),
    pk = "USER#<id>",
    gsi1(pk = "N#<name>", sk = "<rank|crate::upper_half>")
)]
struct User {
    id: String,
    #[dyna(key_only)]
    name: String,
    rank: u32,
}

fn main() {}
