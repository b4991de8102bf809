// All that the key says is the bucket of an id.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "jobs", pk = "pk", sk = "sk"), pk = "JOB#<id|shard(16)>", sk = "META")]
struct Job {
    id: String,
}

fn main() {}
