// A function of the entity would see a version that the write has yet to fill in.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk")),
    pk = "USER#<id>",
    gsi1(pk = "OPEN#<city>", when = Self::is_open)
)]
struct User {
    id: String,
    city: String,
    #[dyna(version)]
    version: u64,
}

impl User {
    fn is_open(&self) -> bool {
        true
    }
}

fn main() {}
