// serde reads a field under another name than it writes.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    #[serde(rename(serialize = "userId"))]
    id: String,
}

fn main() {}
