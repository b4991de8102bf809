// A strongly consistent read through a global index.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "chat",
        pk = "pk",
        sk = "sk",
        index(gsi1, pk = "gsi1pk"),
    ),
    pk = "CHANNEL#<channel>",
    sk = "MSG#<sent_ms:013>#<id>",
    gsi1(as = by_id, pk = "MSG#<id>"),
)]
struct Message {
    channel: String,
    sent_ms: u64,
    id: String,
}

fn main() {
    let _ = Message::by_id("m").consistent();
}
