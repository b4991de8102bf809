// An enum of entities is a table.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk")]
enum Shop {
    User(User),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<id>")]
struct User {
    id: u32,
}

#[derive(DynaEntity)]
#[dyna(table = Shop, pk = "ALL")]
enum All {
    User(User),
}

fn main() {}
