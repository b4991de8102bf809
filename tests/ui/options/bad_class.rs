// A table class that there is not.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", sk = "sk", table_class = "infrequent"),
    pk = "USER#<id>",
    sk = "PROFILE"
)]
struct User {
    id: String,
}

fn main() {}
