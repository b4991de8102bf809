// Text in a number key.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = number("id")), pk = "<id>")]
struct User {
    id: String,
}

fn main() {}
