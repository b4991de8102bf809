// The delimiter of an index is a letter.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk")),
    pk = "USER#<id>",
    gsi1(pk = "IDx<id>", delimiter = "x")
)]
struct User {
    id: String,
}

fn main() {}
