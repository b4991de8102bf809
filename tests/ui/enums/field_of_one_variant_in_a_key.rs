// A field of one variant in the attribute of an index.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(tag = "type")]
#[dyna(table(name = "events", pk = "pk", index(carriers, pk = "carrier")), pk = "EVENT#<id>")]
enum Event {
    Placed { id: u32 },
    Shipped { id: u32, carrier: String },
}

fn main() {}
