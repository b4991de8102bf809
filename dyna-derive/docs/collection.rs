use dyna_runtime::{DynaCollection, DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "bank", pk = "pk", sk = "sk")]
pub enum Bank {
    User(User),
    Account(Account),
    Visit(Visit),
    Payment(Payment),
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

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Bank, pk = "USER#<user>", sk = "DAY#<day:05>#VISIT#<n:03>")]
pub struct Visit {
    user: String,
    day: u16,
    n: u16,
    note: Option<String>,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Bank, pk = "USER#<user>", sk = "DAY#<day:05>#PAYMENT#<n:03>")]
pub struct Payment {
    user: String,
    day: u16,
    n: u16,
    note: Option<String>,
}

/// The sort keys of its members begin with the day.
#[derive(DynaCollection)]
#[dyna(steps(day: u16))]
pub enum Daily {
    Visit(Visit),
    Payment(Payment),
}

/// What has a note, in one week. All members have the field `note`.
pub async fn noted(db: &Table<Bank>) -> dyna_runtime::Result<Vec<Daily>> {
    let noted = Daily::for_all(Visit::NOTE.exists());
    let week = Daily::query("ann").day_range(100..=106);
    week.filter(noted).all(db).await
}
