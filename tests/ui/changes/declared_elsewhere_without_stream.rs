use dyna_runtime::change::Record;
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "users", pk = "pk")]
struct Base;

#[derive(DynaTable)]
#[dyna(schema = Base)]
enum Users {
    User(User),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Base, pk = "USER#<id>")]
struct User {
    id: String,
}

fn read(record: Record) {
    let _ = Users::change(record);
}

fn main() {}
