// The beginning of a number.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "chat", pk = "pk", sk = "sk"),
    pk = "CHANNEL#<channel>",
    sk = "MSG#<n:013>"
)]
struct Message {
    channel: String,
    n: u64,
}

fn main() {
    let _ = Message::query("c").n_starts_with("1");
}
