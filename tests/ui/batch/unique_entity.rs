// An entity with a unique field is deleted in a batch.
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
    #[dyna(unique)]
    email: String,
}

async fn run(db: Table<Shop>) -> dyna_runtime::Result<bool> {
    Ok(db.batch_write().delete(User::key("ann")).send().await?.is_empty())
}

fn main() {}
