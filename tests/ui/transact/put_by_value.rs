// A transaction is given an entity instead of a reference to it.
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
    db.transact().put(user).send().await
}

fn main() {}
