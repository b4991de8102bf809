// A function of one's own for shards that returns text.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id|shard(4, with = crate::bucket)>#<id>")]
struct User {
    id: String,
}

fn bucket(id: &str) -> String {
    id.chars().take(1).collect()
}

fn main() {}
