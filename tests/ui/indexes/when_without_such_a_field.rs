// A misspelled field.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk")),
    pk = "USER#<id>",
    gsi1(pk = "OPEN#<city>", when = is_opne)
)]
struct User {
    id: String,
    city: String,
    is_open: bool,
}

fn main() {}
