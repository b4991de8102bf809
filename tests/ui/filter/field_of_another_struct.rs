// A field of a struct that is not nested there.
use dyna_runtime::{DynaEntity, DynaFields, DynaTable};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk", sk = "sk")]
enum Shop {
    User(User),
    Order(Order),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<id>", sk = "PROFILE")]
struct User {
    id: String,
    name: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<user>", sk = "ORDER#<n:05>")]
struct Order {
    #[dyna(key_only)]
    user: String,
    n: u32,
    paid: bool,
    tags: Vec<String>,
    notes: HashMap<String, String>,
    address: Address,
}

#[derive(Serialize, Deserialize, DynaFields)]
struct Address {
    city: String,
}

#[derive(Serialize, Deserialize, DynaFields)]
struct Parcel {
    weight: u32,
}

fn main() {
    let _ = Order::query("ann").filter(Order::ADDRESS.field(Parcel::WEIGHT).eq(3));
}
