// A projection of a field that only some variants have.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(tag = "type")]
#[dyna(table(name = "events", pk = "pk"), pk = "EVENT#<id>")]
enum Event {
    Placed { id: u32 },
    Shipped { id: u32, carrier: String },
}

#[derive(Deserialize, dyna_runtime::DynaProjection)]
#[dyna(of = Event)]
struct Head {
    id: u32,
    carrier: String,
}

fn main() {}
