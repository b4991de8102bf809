// A request is awaited and not sent.
use dyna_runtime::{DynaEntity, DynaTable, Table};
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

async fn run(db: Table<Message>) -> dyna_runtime::Result<Option<Message>> {
    Message::get("c", 1u64, "m").await
}

fn main() {}
