// A function of one's own for shards, without its path.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id|shard(4, bucket)>#<id>")]
struct User {
    id: String,
}

fn bucket(id: &str) -> u8 {
    id.len() as u8 % 4
}

fn main() {}
