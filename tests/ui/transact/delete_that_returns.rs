// A delete in a transaction asks for the deleted item.
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
        .delete(User::delete("ann").returning_old())
        .send()
        .await
}

fn main() {}
