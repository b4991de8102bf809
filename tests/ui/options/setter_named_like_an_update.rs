// The setter of the index would be called like a method of every update.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "things", pk = "pk", index(if_missing, pk = "apk")),
    pk = "THING#<id>",
    if_missing(pk = "A#<x>"),
)]
struct Thing {
    id: u32,
    x: String,
}

fn main() {}
