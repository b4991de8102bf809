use dyna_runtime::{DynaCollection, DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "bank", pk = "pk", sk = "sk")]
pub enum Bank {
    User(User),
    Account(Account),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Bank, pk = "USER#<id>", sk = "PROFILE")]
pub struct User {
    id: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Bank, pk = "USER#<user>", sk = "ACCOUNT#<n:03>")]
pub struct Account {
    user: String,
    n: u16,
}

#[derive(DynaCollection)]
pub enum Startup {
    Profile(User),
    Account(Account),
}

pub async fn startup(db: &Table<Bank>) -> dyna_runtime::Result<Vec<Startup>> {
    Startup::query("ann").all(db).await
}
