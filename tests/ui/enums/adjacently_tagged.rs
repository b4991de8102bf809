// Fields inside of an attribute of their own.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(tag = "type", content = "data")]
#[dyna(table(name = "events", pk = "pk"), pk = "EVENT#<id>")]
enum Event {
    Placed { id: u32 },
    Shipped { id: u32, carrier: String },
}

fn main() {}
