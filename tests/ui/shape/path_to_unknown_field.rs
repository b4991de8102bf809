// A path to a field that is not there.
use dyna_runtime::{DynaEntity, DynaFields, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaFields)]
struct Data {
    email: String,
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "EMAIL#<data.emial>")]
struct User {
    data: Data,
}

fn main() {}
