// A write that is applied once is asked for the item that it replaced.
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
    user.put().once().returning_old().send(&db).await?;
    Ok(())
}

fn main() {}
