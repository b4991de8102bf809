// A projection of another entity is read by a key.
use dyna_runtime::{DynaEntity, DynaProjection, DynaTable};
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

#[derive(Deserialize, DynaProjection)]
#[dyna(of = Order)]
struct State {
    state: String,
}

fn run() {
    let _ = User::get("ann").project::<State>();
}

fn main() {}
