// A field that is only in the key, where it is hashed.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id|sha256>")]
struct User {
    #[dyna(key_only)]
    id: String,
}

fn main() {}
