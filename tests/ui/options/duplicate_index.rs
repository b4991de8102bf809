// The same index twice.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk")),
    pk = "USER#<id>",
    gsi1(as = a, pk = "A#<id>"),
    gsi1(as = b, pk = "B#<id>"),
)]
struct User {
    id: String,
}

fn main() {}
