// A scan of the index of another table.
use dyna_runtime::{DynaEntity, DynaTable};
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

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk")), pk = "USER#<id>")]
struct User {
    id: String,
}

fn run() {
    let _ = Message::scan().index(User::GSI1);
}

fn main() {}
