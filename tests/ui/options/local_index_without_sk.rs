// A local index without a sort key.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", sk = "sk", local_index(lsi1)),
    pk = "USER",
    sk = "<id>"
)]
struct User {
    id: String,
}

fn main() {}
