// The entity has another delimiter than its table, in three templates.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", sk = "sk", index(gsi1, pk = "gsi1pk")),
    delimiter = ":",
    pk = "USER",
    sk = "ID:<id>",
    gsi1(pk = "ID:<id>")
)]
struct User {
    id: String,
}

fn main() {}
