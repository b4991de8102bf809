// A cursor as text: it has to be parsed, which may fail.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk", sk = "sk", index(gsi1, pk = "gsi1pk", sk = "gsi1sk"))]
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
#[dyna(
    table = Shop,
    pk = "USER#<user>",
    sk = "ORDER#<n:05>",
    gsi1(as = by_state, pk = "STATE#<state>", sk = "<n:05>"),
)]
struct Order {
    user: String,
    n: u32,
    state: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<user>", sk = "CARD#<n:05>")]
struct Unlisted {
    user: String,
    n: u32,
}

fn run(cursor: String) {
    let _ = Order::query("ann").after(cursor);
}

fn main() {}
