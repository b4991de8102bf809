// An entity with a version is put in a batch.
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
    #[dyna(version)]
    version: u64,
}

async fn run(db: Table<Shop>, user: User) -> dyna_runtime::Result<bool> {
    Ok(db.batch_write().put(&user).send().await?.is_empty())
}

fn main() {}
