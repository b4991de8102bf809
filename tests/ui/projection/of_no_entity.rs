// A projection of a type that is no entity.
use dyna_runtime::{DynaEntity, DynaProjection, DynaTable};
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

struct Plain {
    content: String,
}

#[derive(Deserialize, DynaProjection)]
#[dyna(of = Plain)]
struct Head {
    content: String,
}

fn main() {}
