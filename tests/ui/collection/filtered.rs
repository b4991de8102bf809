// A query of a collection with a condition on one member, which the other members may not have.
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

#[derive(DynaCollection)]
enum One {
    User(User),
}

fn run() {
    let _ = One::query("u").filter(User::MAIL.eq("m"));
}

fn main() {}
