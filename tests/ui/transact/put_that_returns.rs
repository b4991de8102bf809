// A put in a transaction asks for the old item.
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk")]
enum Shop {
    User(User),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<id>")]
struct User {
    id: String,
    age: u8,
}

async fn run(db: Table<Shop>, user: User) -> dyna_runtime::Result<()> {
    db.transact().put(user.put().returning_old()).send().await
}

fn main() {}
