// A variant for unknown items that does not hold the item.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "chat", pk = "pk")]
enum Chat {
    User(User),
    #[dyna(unknown)]
    Other,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "USER#<id>")]
struct User {
    id: String,
}

fn main() {}
