// A field that is stored in the key of an index alone, so that no attribute can be compared.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk")),
    pk = "USER#<id>",
    gsi1(pk = "N#<name>")
)]
struct User {
    id: String,
    #[dyna(key_only)]
    name: String,
}

fn main() {
    let _ = User::scan().filter(User::NAME.eq("ann"));
    let _ = User::update("1").set(User::NAME, "bob");
}
