// An index has two partition attributes and a sort attribute, and is given one template.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "cups", pk = "pk", index(by_round, pk = ["cup", "region"], sk = ["round", "bracket"]))]
enum Cups {
    Match(Match),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Cups, pk = "MATCH#<id>", by_round(pk = "CUP#<name>", sk = ["<level>", "<group>"]))]
struct Match {
    id: u32,
    name: String,
    level: String,
    group: String,
}

fn main() {
    let _ = Match::update(1).set_by_round("a", "b", "c");
}
