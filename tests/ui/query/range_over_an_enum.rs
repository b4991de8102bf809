// A range over an enum.
use dyna_runtime::{DynaEntity, DynaTable, KeyPart};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, KeyPart)]
enum Status {
    Open,
    Closed,
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "chat", pk = "pk", sk = "sk"),
    pk = "CHANNEL#<channel>",
    sk = "S#<status>"
)]
struct Message {
    channel: String,
    status: Status,
}

fn main() {
    let _ = Message::query("c").status_range(Status::Open..Status::Closed);
}
