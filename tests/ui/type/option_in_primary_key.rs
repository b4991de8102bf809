// An `Option` in the primary key.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "P#<email>")]
struct User {
    email: Option<String>,
}

fn main() {}
