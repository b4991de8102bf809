// A path into an `Option`.
use dyna_runtime::{DynaEntity, DynaFields, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaFields)]
struct Data {
    email: String,
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk")),
    pk = "USER#<id>",
    gsi1(pk = "EMAIL#<data.email>")
)]
struct User {
    id: String,
    data: Option<Data>,
}

fn main() {}
