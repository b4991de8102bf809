// A sort-key field has the name of an option of queries.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "jobs", pk = "pk", sk = "sk"), pk = "QUEUE#<queue>", sk = "<concurrency:05>")]
struct Job {
    queue: String,
    concurrency: u32,
}

fn main() {}
