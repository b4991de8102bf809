// A table that is declared elsewhere is given a name.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk")]
struct ShopTable;

#[derive(DynaTable)]
#[dyna(schema = ShopTable, name = "shop", pk = "pk")]
enum Shop {
    User(User),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = ShopTable, pk = "USER#<id>")]
struct User {
    id: String,
}

fn main() {}
