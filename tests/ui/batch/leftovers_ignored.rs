// What a batch leaves undone is not looked at.
#![deny(unused_must_use)]
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

async fn run(db: Table<Shop>, users: Vec<User>) -> dyna_runtime::Result<()> {
    db.batch_write().put_all(&users).send().await?;
    Ok(())
}

fn main() {}
