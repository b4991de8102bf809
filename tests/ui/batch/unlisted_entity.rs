// An entity that the table does not list is written in a batch.
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

async fn run(db: Table<Shop>, orders: Vec<Order>) -> dyna_runtime::Result<bool> {
    Ok(db.batch_write().put_all(&orders).send().await?.is_empty())
}

fn main() {}
