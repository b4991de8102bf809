// An unpadded number in the sort key of an index.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk", sk = "gsi1sk")),
    pk = "USER#<id>",
    gsi1(pk = "ALL", sk = "AT#<at>")
)]
struct User {
    id: String,
    at: u64,
}

fn main() {}
