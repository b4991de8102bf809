// An entity whose keys were not compared with those of the others.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", sk = "sk", index(by_plan, pk = "plan", projection = "keys_only")), pk = "USER#<id>", sk = "A")]
struct User {
    id: String,
    #[dyna(unique)]
    mail: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = User, pk = "USER#<id>", sk = "A")]
struct Other {
    id: String,
}

impl dyna_runtime::request::HasEntity<Other> for User {}
impl dyna_runtime::__private::StoredIn<User> for Vec<Other> {}

fn main() {}
