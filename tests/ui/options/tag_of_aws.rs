// A tag that is reserved.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", sk = "sk", resource_tags("aws:team" = "a")),
    pk = "USER#<id>",
    sk = "PROFILE"
)]
struct User {
    id: String,
}

fn main() {}
