// A read and a write that are not awaited.
#![deny(unused_must_use)]
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "chat", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
}

async fn run(db: Table<User>, user: User) -> dyna_runtime::Result<()> {
    user.create().send(&db);
    let found = User::get("ann").send(&db)?;
    Ok(())
}

fn main() {}
