// Members whose partition keys have fields of different types.
use dyna_runtime::{DynaCollection, DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "chat", pk = "pk", sk = "sk", index(gsi1, pk = "gsi1pk", sk = "gsi1sk"))]
enum Chat {
    User(User),
    Message(Message),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "USER#<id>", sk = "PROFILE", gsi1(as = by_mail, pk = "MAIL#<mail>", sk = "USER"))]
struct User {
    id: String,
    mail: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "CHANNEL#<channel>", sk = "MSG#<id>")]
struct Message {
    channel: String,
    id: String,
}

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk", sk = "sk")]
enum Shop {
    Order(Order),
    Line(Line),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "ORDER#<id>", sk = "ORDER")]
struct Order {
    id: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "ORDER#<order>", sk = "LINE#<n:03>")]
struct Line {
    order: u64,
    n: u32,
}

#[derive(DynaCollection)]
enum Both {
    Order(Order),
    Line(Line),
}

fn main() {}
