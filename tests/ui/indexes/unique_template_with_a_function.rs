// The key of a unique value is made by a function, and its sort key of a field.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
    #[dyna(unique = "U#<mail>")]
    mail: String,
    #[dyna(unique = "U#<name|lower>")]
    name: String,
    #[dyna(unique(pk = "U#<code>", sk = "<id>"))]
    code: String,
    #[dyna(unique(sk = "U"))]
    nick: String,
}

fn main() {}
