// Two numbers side by side.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<a><b>")]
struct User {
    a: u32,
    b: u32,
}

fn main() {}
