// The same tag again.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", sk = "sk", resource_tags(team = "a", "team" = "b")),
    pk = "USER#<id>",
    sk = "PROFILE"
)]
struct User {
    id: String,
}

fn main() {}
