// A `strftime` specifier that layouts do not have.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "DAY#<at:%y-%b>")]
struct User {
    at: jiff::Timestamp,
}

fn main() {}
