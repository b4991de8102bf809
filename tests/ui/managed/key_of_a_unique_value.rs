use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "users", pk = "pk", sk = "sk")]
enum Users {
    User(User),
    Any(Any),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Users, pk = "USER#<id>", sk = "USER")]
struct User {
    id: String,
    #[dyna(unique)]
    email: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Users, pk = "<kind>#<owner>#<field>#<value>", sk = "<sort>")]
struct Any {
    kind: String,
    owner: String,
    field: String,
    value: String,
    sort: String,
}

fn main() {}
