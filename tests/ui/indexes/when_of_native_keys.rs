// An index whose key attributes are fields, which every item has.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "city")),
    pk = "USER#<id>",
    gsi1(pk = "<city>", when = is_open)
)]
struct User {
    id: String,
    city: String,
    is_open: bool,
}

fn main() {}
