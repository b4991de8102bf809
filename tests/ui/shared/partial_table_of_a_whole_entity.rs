// A table is declared in part, and its entity does not say so.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "users", pk = "pk", partial)]
enum Users {
    User(User),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Users, pk = "USER#<name>")]
struct User {
    name: String,
}

fn main() {}
