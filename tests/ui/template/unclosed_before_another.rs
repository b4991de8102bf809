// The first placeholder is not closed, the second is.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id#<name>")]
struct User {
    id: String,
    name: String,
}

fn main() {}
