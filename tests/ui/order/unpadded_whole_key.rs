// An unpadded number as a whole text sort key.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", sk = "sk"), pk = "USER", sk = "<at>")]
struct User {
    at: u64,
}

fn main() {}
