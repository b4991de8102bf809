// An `Option` in the primary key, behind an alias.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

type Email = Option<String>;

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "P#<email>")]
struct User {
    email: Email,
}

fn main() {}
