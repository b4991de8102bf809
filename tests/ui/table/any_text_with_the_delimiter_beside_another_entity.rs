// A native key that may contain the delimiter, in a table where it can be the key of another entity.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "id")]
enum Shop {
    Item(Item),
    Order(Order),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "<id..>")]
struct Item {
    id: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "ORDER#<number>")]
struct Order {
    number: String,
}

fn main() {}
