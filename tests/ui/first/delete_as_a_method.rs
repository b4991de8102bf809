// `delete` takes the fields of a key.
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "chat", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
    name: String,
}

async fn run(db: Table<User>, user: User) -> dyna_runtime::Result<()> {
    user.delete().send(&db).await
}

fn main() {}
