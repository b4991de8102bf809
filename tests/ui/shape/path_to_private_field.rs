// A path to a private field of a public struct.
use dyna_runtime::{DynaEntity, DynaFields, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaFields)]
pub struct Data {
    email: String,
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "EMAIL#<data.email>")]
struct User {
    data: Data,
}

fn main() {}
