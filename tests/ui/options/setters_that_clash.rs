// The setter of two indexes together is called like that of a third.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "things", pk = "pk", index(aaa, pk = "apk"), index(bbb, pk = "bpk"), index(aaa_and_bbb, pk = "cpk")),
    pk = "THING#<id>",
    aaa(pk = "A#<x>"),
    bbb(pk = "B#<x>"),
    aaa_and_bbb(pk = "C#<y>"),
)]
struct Thing {
    id: u32,
    x: String,
    y: String,
}

fn main() {}
