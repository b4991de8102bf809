// A key of a field that is stored in two attributes.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(tag = "type")]
#[dyna(table(name = "events", pk = "pk"), pk = "EVENT#<id>")]
enum Event {
    Placed { id: u32 },
    #[serde(rename_all = "UPPERCASE")]
    Shipped { id: u32 },
}

fn main() {}
