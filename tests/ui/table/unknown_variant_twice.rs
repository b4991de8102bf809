// Two variants for unknown items.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "chat", pk = "pk")]
enum Chat {
    User(User),
    #[dyna(unknown)]
    Other(dyna_runtime::codec::Item),
    #[dyna(unknown)]
    Rest(dyna_runtime::codec::Item),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "USER#<id>")]
struct User {
    id: String,
}

fn main() {}
