// A query where there is nothing to query: `get` is meant.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "chat", pk = "pk"), pk = "MSG#<id>")]
struct Message {
    id: String,
}

fn main() {
    let _ = Message::query("c");
}
