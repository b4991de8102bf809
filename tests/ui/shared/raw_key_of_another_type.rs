// A key as it is stored, of other types than the table declares.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", sk = number("n")), pk = "USER#<name>", sk = "<n>")]
struct User {
    name: String,
    n: u32,
}

fn main() {
    let _ = User::raw_key(7, "7");
    let _ = User::raw_key("USER#ann", ());
}
