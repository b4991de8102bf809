// The query of an index would be called like a function of every entity.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "things", pk = "pk", index(gsi1, pk = "apk"), index(gsi2, pk = "bpk")),
    pk = "THING#<id>",
    gsi1(as = rekey_loaded, pk = "A#<x>"),
    gsi2(as = open, pk = "B#<x>"),
)]
struct Thing {
    id: u32,
    x: String,
}

fn main() {}
