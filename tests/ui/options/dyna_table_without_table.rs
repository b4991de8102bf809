// `DynaTable` on an entity that says `table = ..`.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk")]
enum Shop {
    User(User),
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table = Shop, pk = "USER#<id>")]
struct User {
    id: String,
}

fn main() {}
