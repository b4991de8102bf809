// A letter as the delimiter.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), delimiter = "x", pk = "USERx<id>")]
struct User {
    id: String,
}

fn main() {}
