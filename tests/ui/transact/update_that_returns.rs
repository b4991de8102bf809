// An update in a transaction asks for the new item.
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

async fn run(db: Table<Shop>) -> dyna_runtime::Result<()> {
    db.transact()
        .update(User::update("ann").set(User::AGE, 7).returning_new())
        .send()
        .await
}

fn main() {}
