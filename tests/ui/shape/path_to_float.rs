// A path to a float.
use dyna_runtime::{DynaEntity, DynaFields, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaFields)]
struct Data {
    price: f64,
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "P#<data.price>")]
struct User {
    data: Data,
}

fn main() {}
