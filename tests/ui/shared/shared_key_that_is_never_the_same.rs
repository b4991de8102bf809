// Two entities that never have the same key say that they share it.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "accounts", pk = "pk", tag = "type")]
enum Accounts {
    User(User),
    Organization(Organization),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Accounts, pk = "USER#<name>", shares_key_with = Organization)]
struct User {
    name: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Accounts, pk = "ORG#<name>", shares_key_with = User)]
struct Organization {
    name: String,
}

fn main() {}

