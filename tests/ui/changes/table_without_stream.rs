use dyna_runtime::change::{Change, Record};
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
}

fn read(record: Record) {
    let _ = Change::<User>::from_record(record);
}

fn main() {}
