// A field has the name of another one as its alias.
use dyna_runtime::{DynaEntity, DynaTable};

#[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
    mail: String,
    #[serde(alias = "mail")]
    email: String,
}

fn main() {}
