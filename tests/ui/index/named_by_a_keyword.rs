// An index may be called like a keyword, but not the function that queries it.

use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(type, pk = "kind")),
    pk = "USER#<id>",
    type(pk = "<kind>")
)]
struct User {
    id: String,
    kind: String,
}

fn main() {}
