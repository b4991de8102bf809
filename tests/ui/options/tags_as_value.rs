// Tags without parentheses.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", sk = "sk", resource_tags = "team"),
    pk = "USER#<id>",
    sk = "PROFILE"
)]
struct User {
    id: String,
}

fn main() {}
