// A path into a `String`.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "EMAIL#<email.domain>")]
struct User {
    email: String,
}

fn main() {}
