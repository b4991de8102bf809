// An entity without `Serialize`, listed in a table and used.
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::Deserialize;

#[derive(DynaTable)]
#[dyna(name = "chat", pk = "pk")]
pub enum Chat {
    User(User),
}

#[derive(Deserialize, DynaEntity)]
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
