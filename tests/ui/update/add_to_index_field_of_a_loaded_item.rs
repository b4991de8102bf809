use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "tasks", pk = "pk", index(gsi1, pk = "gsi1pk", sk = "gsi1sk")),
    pk = "TASK#<id>",
    gsi1(as = by_owner, pk = "OWNER#<owner>", sk = "<rank:05>"),
)]
struct Task {
    id: String,
    owner: String,
    rank: u32,
    title: String,
    note: Option<String>,
    tags: Vec<String>,
}

fn main() {
    let _ = |task: Task| Task::update_loaded(&task).add(Task::RANK, 1);
}
