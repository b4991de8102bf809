// An entity that the table does not list is put in a transaction.
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

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "ORDER#<id>")]
struct Order {
    id: String,
}

async fn run(db: Table<Shop>, order: Order) -> dyna_runtime::Result<()> {
    db.transact().put(&order).send().await
}

fn main() {}
