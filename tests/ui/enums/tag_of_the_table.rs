// The tag of serde in the attribute where the table has its own.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk", tag = "Type")]
enum Shop {
    Event(Event),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[serde(tag = "Type")]
#[dyna(table = Shop, pk = "EVENT#<id>")]
enum Event {
    Placed { id: u32 },
    Shipped { id: u32 },
}

fn main() {}
