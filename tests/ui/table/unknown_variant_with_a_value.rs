// A value where none is taken.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "chat", pk = "pk")]
enum Chat {
    User(User),
    #[dyna(unknown = "Other")]
    Other(dyna_runtime::codec::Item),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "USER#<id>")]
struct User {
    id: String,
}

fn main() {}
