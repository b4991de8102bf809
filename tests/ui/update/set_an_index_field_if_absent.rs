use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "tasks", pk = "pk", index(gsi1, pk = "gsi1pk", sk = "gsi1sk")),
    pk = "TASK#<id>",
    gsi1(as = by_owner, pk = "OWNER#<owner>", sk = "<rank:05>"),
)]
struct Task {
    id: u32,
    owner: Option<String>,
    rank: u32,
}

fn main() {
    let _ = Task::update(1).set_if_missing(Task::OWNER, "ann");
}
