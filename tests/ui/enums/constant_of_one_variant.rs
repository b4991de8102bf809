// A condition on a field that only some variants have.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(tag = "type")]
#[dyna(table(name = "events", pk = "pk", sk = "sk"), pk = "EVENT#<id>", sk = "<seq:05>")]
enum Event {
    Placed { id: u32, seq: u32 },
    Shipped { id: u32, seq: u32, carrier: String },
}

fn main() {
    let _ = Event::query(1).filter(Event::CARRIER.eq("DHL"));
}
