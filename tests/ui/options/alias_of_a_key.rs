// A field has a key attribute of the table as its alias.
use dyna_runtime::{DynaEntity, DynaTable};

#[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk")), pk = "USER#<id>")]
struct User {
    id: String,
    #[serde(alias = "gsi1pk")]
    email: String,
}

fn main() {}
