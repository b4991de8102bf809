use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "accounts", pk = "pk", tag = "type")]
pub enum Accounts {
    User(User),
    Organization(Organization),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Accounts, pk = "ACCOUNT#<name>", shares_key_with = Organization)]
pub struct User {
    pub name: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Accounts, pk = "ACCOUNT#<name>", shares_key_with = User)]
pub struct Organization {
    pub name: String,
    pub seats: u32,
}

/// Fails if an organization has the name: `put` replaces a user, and nothing else.
pub async fn save(user: &User, db: &Table<Accounts>) -> dyna_runtime::Result<()> {
    user.put().send(db).await
}
