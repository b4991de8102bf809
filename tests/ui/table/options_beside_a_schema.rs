// A table that is declared elsewhere, with options of its own.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "users", pk = "pk")]
struct Users;

#[derive(DynaTable)]
#[dyna(schema = Users, ttl = "ttl")]
enum Items {
    User(User),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Users, pk = "USER#<id>")]
struct User {
    id: String,
}

fn main() {}
