use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk")), pk = "USER#<id>", gsi1(as = by_change, pk = "CHANGED#<updated>"))]
struct User {
    id: String,
    #[dyna(updated_at)]
    updated: String,
}

fn main() {}
