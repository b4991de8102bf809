// Two entities share a key in a table without a tag.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "accounts", pk = "pk")]
enum Accounts {
    User(User),
    Organization(Organization),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Accounts, pk = "ACCOUNT#<name>", shares_key_with = Organization)]
struct User {
    name: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Accounts, pk = "ACCOUNT#<name>", shares_key_with = User)]
struct Organization {
    name: String,
}

fn main() {}

