// A float as a number key.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = number("price")), pk = "<price>")]
struct User {
    price: f64,
}

fn main() {}
