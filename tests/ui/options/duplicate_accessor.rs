// Two indexes queried by functions of one name.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk"), index(gsi2, pk = "gsi2pk")),
    pk = "USER#<id>",
    gsi1(as = by_id, pk = "A#<id>"),
    gsi2(as = by_id, pk = "B#<id>"),
)]
struct User {
    id: String,
}

fn main() {}
