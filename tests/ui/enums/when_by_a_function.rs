// A function that sees the variant.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(tag = "type")]
#[dyna(
    table(name = "events", pk = "pk", index(open, pk = "gsi1pk")),
    pk = "EVENT#<id>",
    open(as = opened, pk = "OPEN#<id>", when = Self::is_open),
)]
enum Event {
    Placed { id: u32 },
    Shipped { id: u32 },
}

impl Event {
    fn is_open(&self) -> bool {
        matches!(self, Self::Placed { .. })
    }
}

fn main() {}
