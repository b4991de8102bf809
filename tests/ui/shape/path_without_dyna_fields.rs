// A path into a struct without `DynaFields`.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Data {
    email: String,
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "EMAIL#<data.email>")]
struct User {
    data: Data,
}

fn main() {}
