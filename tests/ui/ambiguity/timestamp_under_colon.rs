// A timestamp, where `:` is the delimiter.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", delimiter = ":"),
    delimiter = ":",
    pk = "AT:<at>"
)]
struct User {
    at: jiff::Timestamp,
}

fn main() {}
