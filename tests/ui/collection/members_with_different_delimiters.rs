// The partition keys of two members have the same text, and are split at different characters.
use dyna_runtime::{DynaCollection, DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

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
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, delimiter = "|", pk = "USER#<user>", sk = "ORDER|<n:05>")]
struct Order {
    user: String,
    n: u32,
}

#[derive(DynaCollection)]
enum Account {
    User(User),
    Order(Order),
}

fn main() {}
