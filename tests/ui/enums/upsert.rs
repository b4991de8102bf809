// An upsert, whose item would have no variant.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(tag = "type")]
#[dyna(table(name = "events", pk = "pk"), pk = "EVENT#<id>")]
enum Event {
    Placed { id: u32, note: String },
    Shipped { id: u32, note: String },
}

fn main() {
    let _ = Event::upsert(1).set(Event::NOTE, "n");
}
