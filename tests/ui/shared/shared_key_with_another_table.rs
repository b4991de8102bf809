// An entity shares its key with one of another table.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", tag = "type"), pk = "ACCOUNT#<name>", shares_key_with = Organization)]
struct User {
    name: String,
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "organizations", pk = "pk", tag = "type"), pk = "ACCOUNT#<name>")]
struct Organization {
    name: String,
}

fn main() {}
