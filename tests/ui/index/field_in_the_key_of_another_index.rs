// A field is stored in the key attribute of an index that the entity does not declare, and has another type.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "people", pk = "pk", index(by_mail, pk = "email", sk = number("since")))]
enum People {
    User(User),
    Guest(Guest),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = People, pk = "USER#<id>", by_mail(pk = "<email>", sk = "<since>"))]
struct User {
    id: String,
    email: Option<String>,
    since: u64,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = People, pk = "GUEST#<id>")]
struct Guest {
    id: String,
    email: Option<Vec<String>>,
    since: u64,
}

fn main() {}
