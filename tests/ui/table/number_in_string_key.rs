// A number as a native string key.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "id"), pk = "<id>")]
struct User {
    id: u64,
}

fn main() {}
