// Two entities share a key and have the same tag.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "accounts", pk = "pk", tag = "type")]
enum Accounts {
    User(User),
    Organization(Organization),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Accounts, pk = "ACCOUNT#<name>", tag = "X", shares_key_with = Organization)]
struct User {
    name: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Accounts, pk = "ACCOUNT#<name>", tag = "X", shares_key_with = User)]
struct Organization {
    name: String,
}

fn main() {}

