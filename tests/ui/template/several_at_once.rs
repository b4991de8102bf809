// Four mistakes, told at once.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", sk = "sk"),
    pk = "USER#<idd>#{name}",
    sk = "AT#<at:%y>#<id|sha1>"
)]
struct User {
    id: String,
    name: String,
    at: jiff::Timestamp,
}

fn main() {}
