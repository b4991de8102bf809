// A check has a condition on a field of another entity.
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
    total: u32,
}

async fn run(db: Table<Shop>) -> dyna_runtime::Result<()> {
    db.transact()
        .check(User::check("ann").when(Order::TOTAL.gt(7)))
        .send()
        .await
}

fn main() {}
