// A key of a field that one variant lacks, and of one with another type.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(tag = "type")]
#[dyna(table(name = "events", pk = "pk", sk = "sk"), pk = "EVENT#<order>", sk = "<seq:05>")]
enum Event {
    Placed { order: u32, seq: u32 },
    Shipped { order: u64, seq: u32 },
    Cancelled { order: u32 },
}

fn main() {
    let _ = Event::query(1).seq(2).explain();
}
