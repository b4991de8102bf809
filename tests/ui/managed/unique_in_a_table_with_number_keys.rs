use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = number("id")), pk = "<id>")]
struct User {
    id: u64,
    #[dyna(unique)]
    email: String,
}

fn main() {}
