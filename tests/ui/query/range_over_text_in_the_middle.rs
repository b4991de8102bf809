// A range over text in the middle of the sort key.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "chat", pk = "pk", sk = "sk"),
    pk = "CHANNEL#<channel>",
    sk = "MSG#<author>#<id>"
)]
struct Message {
    channel: String,
    author: String,
    id: String,
}

fn main() {
    let _ = Message::query("c").author_range("a".."b");
}
