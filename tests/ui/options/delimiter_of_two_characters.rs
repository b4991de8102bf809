// A delimiter of two characters.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), delimiter = "::", pk = "USER::<id>")]
struct User {
    id: String,
}

fn main() {}
