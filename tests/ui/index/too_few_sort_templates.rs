// An index has two sort attributes, and is given one template.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "cups", pk = "pk", index(by_round, pk = "cup", sk = ["round", "bracket"]))]
enum Cups {
    Match(Match),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Cups, pk = "MATCH#<id>", by_round(pk = "CUP#<name>", sk = "<level>"))]
struct Match {
    id: u32,
    name: String,
    level: String,
}

fn main() {}
