// An entity without `Deserialize`, listed in a table and used.
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::Serialize;

#[derive(DynaTable)]
#[dyna(name = "chat", pk = "pk")]
pub enum Chat {
    User(User),
}

#[derive(Serialize, DynaEntity)]
#[dyna(table = Chat, pk = "USER#<id>")]
pub struct User {
    id: String,
}

pub async fn run(db: Table<Chat>, user: User) -> dyna_runtime::Result<()> {
    user.create().send(&db).await?;
    User::get("ann").send(&db).await?;
    Ok(())
}

fn main() {}
