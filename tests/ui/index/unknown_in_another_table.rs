// An index that the table of the entity, which is declared elsewhere, does not have.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "chat", pk = "pk", index(gsi1, pk = "gsi1pk"), index(gsi2, pk = "gsi2pk"))]
enum Chat {
    User(User),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "USER#<id>", gsi3(pk = "ID#<id>"))]
struct User {
    id: String,
}

fn main() {}
