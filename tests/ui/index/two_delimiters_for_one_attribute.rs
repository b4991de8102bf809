// The key of an index shares an attribute with the primary key, and splits it at another character.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk", sk = "pk")),
    pk = "USER#<id>",
    gsi1(pk = "ALL", sk = "USER#<id>", delimiter = "|")
)]
struct User {
    id: String,
}

fn main() {}
