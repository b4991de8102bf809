use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
    #[dyna(version)]
    a: u64,
    #[dyna(version)]
    b: u64,
}

fn main() {}
