// Variants that are told apart by their fields.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(untagged)]
#[dyna(table(name = "events", pk = "pk"), pk = "EVENT#<id>")]
enum Event {
    Placed { id: u32 },
    Shipped { id: u32, carrier: String },
}

fn main() {
    let _ = Event::get(1).explain();
}
