// Two templates for one attribute.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk", sk = "pk")),
    pk = "USER#<id>",
    gsi1(pk = "ALL", sk = "ID#<id>")
)]
struct User {
    id: String,
}

fn main() {}
