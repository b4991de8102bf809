// A timestamp of a crate whose feature is off.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "AT#<at>")]
struct User {
    at: std::time::SystemTime,
}

fn main() {}
