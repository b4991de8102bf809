// Writes in a batch of an entity that shares its keys.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "accounts", pk = "pk", tag = "type")]
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

fn run(db: &dyna_runtime::Table<Accounts>, user: &User) {
    let _ = db.batch_write().put(user);
    let _ = db.batch_write().delete(User::key("ann"));
}

fn main() {}

