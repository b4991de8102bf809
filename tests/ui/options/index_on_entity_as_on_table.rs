// An index declared where an entity gives its templates.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk")),
    pk = "USER#<id>",
    index(gsi1, pk = "ID#<id>")
)]
struct User {
    id: String,
}

fn main() {}
