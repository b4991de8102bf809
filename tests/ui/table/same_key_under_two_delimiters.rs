// A key that two entities can write, although they split it at different characters.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk")]
enum Shop {
    User(User),
    Import(Import),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<id>")]
struct User {
    id: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, delimiter = "|", pk = "USER#<source>|<id>")]
struct Import {
    source: String,
    id: String,
}

fn main() {}
