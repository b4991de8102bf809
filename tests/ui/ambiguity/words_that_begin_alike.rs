// An enum with a word that begins another.
use dyna_runtime::{DynaEntity, DynaTable, KeyPart};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, KeyPart)]
enum Status {
    Open,
    OpenAgain,
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "S#<status><id>")]
struct User {
    status: Status,
    id: String,
}

fn main() {}
