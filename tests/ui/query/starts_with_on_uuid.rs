// The beginning of a UUID.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "chat", pk = "pk", sk = "sk"),
    pk = "CHANNEL#<channel>",
    sk = "MSG#<id>"
)]
struct Message {
    channel: String,
    id: uuid::Uuid,
}

fn main() {
    let _ = Message::query("c").id_starts_with("1");
}
