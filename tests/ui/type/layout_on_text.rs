// A date layout on text.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "DAY#<at:%Y-%m-%d>")]
struct User {
    at: String,
}

fn main() {}
