use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
    #[dyna(unique)]
    email: String,
    #[dyna(version)]
    version: u64,
    name: String,
}

fn main() {
    let _ = User::delete("u");
}
