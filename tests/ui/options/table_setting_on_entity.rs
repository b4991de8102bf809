// An option of the table, written on an entity.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "users", pk = "pk")]
enum Users {
    User(User),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Users, pk = "USER#<id>", deletion_protection)]
struct User {
    id: String,
}

fn main() {}
