// A projection does not have an alias of the entity's field.
use dyna_runtime::{DynaEntity, DynaProjection, DynaTable};

#[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
    #[serde(alias = "mail")]
    email: String,
}

#[derive(serde::Deserialize, DynaProjection)]
#[dyna(of = User)]
struct Contact {
    email: String,
}

fn main() {}
