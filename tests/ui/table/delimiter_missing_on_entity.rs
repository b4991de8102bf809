// The table has a delimiter that the entity does not say: one error for all of its templates.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk", sk = "sk", delimiter = ":", index(gsi1, pk = "gsi1pk"))]
enum Shop {
    User(User),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER", sk = "ID:<id>", gsi1(pk = "ID:<id>"))]
struct User {
    id: String,
}

fn main() {}
