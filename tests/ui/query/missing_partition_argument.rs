// The argument for the partition is missing.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "chat", pk = "pk", sk = "sk"),
    pk = "CHANNEL#<channel>",
    sk = "MSG#<sent_ms:013>#<id>"
)]
struct Message {
    channel: String,
    sent_ms: u64,
    id: String,
}

fn main() {
    let _ = Message::query();
}
