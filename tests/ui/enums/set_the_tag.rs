// Making an item another variant by an update.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(tag = "type")]
#[dyna(table(name = "events", pk = "pk"), pk = "EVENT#<id>")]
enum Event {
    Placed { id: u32 },
    Shipped { id: u32 },
}

fn main() {
    let _ = Event::update(1).set(Event::TYPE, "Shipped");
}
