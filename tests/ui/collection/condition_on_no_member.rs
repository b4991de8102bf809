// A filter of a collection by a field of an entity that is no member.
use dyna_runtime::{DynaCollection, DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "chat", pk = "pk", sk = "sk")]
enum Chat {
    User(User),
    Message(Message),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "USER#<id>", sk = "PROFILE")]
struct User {
    id: String,
    mail: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "CHANNEL#<channel>", sk = "MSG#<id>")]
struct Message {
    channel: String,
    id: String,
    text: String,
}

#[derive(DynaCollection)]
enum One {
    User(User),
}

fn main() {
    let _ = One::query("u").filter(One::for_all(Message::TEXT.eq("m")));
}
