// A member that is not in the index of the collection.
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
#[dyna(index = gsi1)]
enum Both {
    User(User),
    Message(Message),
}

fn main() {}
