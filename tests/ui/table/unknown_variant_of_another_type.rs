// A variant for unknown items that holds something else than the item.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "chat", pk = "pk")]
enum Chat {
    User(User),
    #[dyna(unknown)]
    Other(String),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "USER#<id>")]
struct User {
    id: String,
}

fn main() {}
