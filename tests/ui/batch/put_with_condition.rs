// A put with a condition is given to a batch.
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

async fn run(db: Table<Shop>, user: User) -> dyna_runtime::Result<bool> {
    Ok(db
        .batch_write()
        .put(user.put().when(User::AGE.gt(7)))
        .send()
        .await?
        .is_empty())
}

fn main() {}
