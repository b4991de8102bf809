// An entity is declared in part, and its table as a whole.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "users", pk = "pk")]
enum Users {
    User(User),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Users, pk = "USER#<name>", partial)]
struct User {
    name: String,
}

fn main() {}
