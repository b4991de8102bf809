// A version that one variant lacks.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(tag = "type")]
#[dyna(table(name = "events", pk = "pk"), pk = "EVENT#<id>")]
enum Event {
    Placed {
        id: u32,
        #[dyna(version)]
        version: u32,
    },
    Shipped { id: u32 },
}

fn main() {}
