// A field that always has a value.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk")), pk = "USER#<id>", gsi1(pk = "C#<city?>"))]
struct User {
    id: String,
    city: String,
}

fn main() {}
