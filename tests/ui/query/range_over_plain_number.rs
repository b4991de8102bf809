// A range over a number without zeros in front, which does not sort.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "builds", pk = "pk", sk = "sk"), pk = "REPO#<repo>", sk = "BUILD#<number:plain>")]
struct Build {
    repo: String,
    number: u32,
}

fn main() {
    let _ = Build::query("dyna").number(7);
    let _ = Build::query("dyna").number_range(7..);
}
