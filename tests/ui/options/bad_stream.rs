// A stream that there is not.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", stream = "both"), pk = "USER#<id>")]
struct User {
    id: String,
}

fn main() {}
