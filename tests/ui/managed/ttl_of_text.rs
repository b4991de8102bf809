use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", ttl = "ttl"), pk = "USER#<id>")]
struct User {
    id: String,
    #[dyna(ttl)]
    expires: String,
}

fn main() {}
