// A range of texts over a number key.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "chat", pk = "pk", sk = number("n")), pk = "CHANNEL#<channel>", sk = "<n>")]
struct Message {
    channel: String,
    n: u64,
}

fn main() {
    let _ = Message::query("c").n_range("a".."b");
}
