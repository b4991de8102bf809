// A placeholder that takes the rest, before one without a fixed width.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "FILE#<path..>#<id>")]
struct User {
    path: String,
    id: String,
}

fn main() {}
