// A float in an index key, behind an alias.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

type Price = f64;

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk")),
    pk = "USER#<id>",
    gsi1(pk = "P#<price>")
)]
struct User {
    id: String,
    price: Price,
}

fn main() {}
