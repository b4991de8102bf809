// An entity is written after the transaction has gone on to another table.
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

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "logs", pk = "pk"), pk = "LOG#<id>")]
struct Log {
    id: String,
}

async fn run(db: Table<Shop>, logs: Table<Log>, user: User, log: Log) -> dyna_runtime::Result<()> {
    db.transact()
        .on(&logs)
        .put(&log)
        .delete(User::delete("ann"))
        .send()
        .await
}

fn main() {}
