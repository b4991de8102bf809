// The tag is the key of an index, with another template.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", tag = "type", index(gsi1, pk = "type")),
    pk = "USER#<id>",
    gsi1(pk = "U#<id>")
)]
struct User {
    id: String,
}

fn main() {}
