// An index has one partition attribute, and is given two templates.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "cups", pk = "pk", index(by_round, pk = "cup"))]
enum Cups {
    Match(Match),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Cups, pk = "MATCH#<id>", by_round(pk = ["CUP#<name>", "LEVEL#<level>"]))]
struct Match {
    id: u32,
    name: String,
    level: String,
}

fn main() {}
