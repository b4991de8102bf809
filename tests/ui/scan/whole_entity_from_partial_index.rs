// Whole entities from a scan of an index that has only the keys.
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table(
        name = "chat",
        pk = "pk",
        sk = "sk",
        index(gsi1, pk = "gsi1pk", projection = "keys_only"),
    ),
    pk = "CHANNEL#<channel>",
    sk = "MSG#<sent_ms:013>#<id>",
    gsi1(as = by_id, pk = "MSG#<id>"),
)]
struct Message {
    channel: String,
    sent_ms: u64,
    id: String,
    content: String,
}

fn run(db: Table<Message>) {
    let _ = Message::scan().index(Message::GSI1).stream(&db);
}

fn main() {}
