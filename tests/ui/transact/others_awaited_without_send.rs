// A batch, a new key and a read that skips are awaited without `send`.
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
    age: u8,
}

async fn batch(db: Table<User>, user: User) {
    let _ = db.batch_write().put(&user).await;
}

async fn rekey(user: User) {
    let _ = User::rekey(User::key("ann"), &user).await;
}

async fn scan() {
    let _ = User::scan().skip_unreadable().await;
}

fn main() {}
