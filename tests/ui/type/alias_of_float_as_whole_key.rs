// A float as the whole key, behind an alias.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

type Price = f64;

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "<price>")]
struct User {
    price: Price,
}

fn main() {}
