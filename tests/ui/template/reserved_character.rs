// The character that closes ranges, in a literal.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER\u{10FFFF}#<id>")]
struct User {
    id: String,
}

fn main() {}
