// An entity of another table is listed.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk")]
enum Shop {
    User(User),
    Order(Order),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<id>")]
struct User {
    id: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Warehouse, pk = "ORDER#<id>")]
struct Order {
    id: String,
}

#[derive(DynaTable)]
#[dyna(name = "warehouse", pk = "pk")]
enum Warehouse {
    Order(Order),
}

fn main() {}
