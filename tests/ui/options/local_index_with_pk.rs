// A local index with a partition key of its own.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "users",
        pk = "pk",
        sk = "sk",
        local_index(lsi1, pk = "a", sk = "b")
    ),
    pk = "USER",
    sk = "<id>"
)]
struct User {
    id: String,
}

fn main() {}
