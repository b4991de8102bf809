// An entity that shares its key is in an index that does not hold the tag.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "accounts", pk = "pk", tag = "type", index(gsi1, pk = "gsi1pk", projection = "keys_only"))]
enum Accounts {
    User(User),
    Organization(Organization),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Accounts, pk = "ACCOUNT#<name>", shares_key_with = Organization, gsi1(as = by_name, pk = "N#<name>"))]
struct User {
    name: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Accounts, pk = "ACCOUNT#<name>", shares_key_with = User)]
struct Organization {
    name: String,
}

fn main() {}

