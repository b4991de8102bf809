// An index is declared twice.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "users",
        pk = "pk",
        index(gsi1, pk = "a"),
        index(gsi1, pk = "b")
    ),
    pk = "USER#<id>"
)]
struct User {
    id: String,
}

fn main() {}
