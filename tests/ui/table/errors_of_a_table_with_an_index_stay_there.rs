// Errors of a table with an index do not add errors at its entities.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(
    name = "shop",
    pk = "pk",
    sk = "sk",
    stram = "x",
    index(gsi1, pk = "gsi1pk")
)]
enum Shop {
    User(User),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER", sk = "<id>", gsi1(pk = "ID#<id>"))]
struct User {
    id: String,
}

fn main() {}
