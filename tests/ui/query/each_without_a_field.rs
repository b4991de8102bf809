// A partition in the list lacks a field.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "chat", pk = "pk", sk = "sk"),
    pk = "CHANNEL#<channel>#<month:06>",
    sk = "MSG#<sent_ms:013>#<id>"
)]
struct Message {
    channel: String,
    month: u32,
    sent_ms: u64,
    id: String,
}

fn main() {
    let _ = Message::query_many(["general"]);
}
