// An item is moved to a key of another entity.
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

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "ORDER#<id>")]
struct Order {
    id: String,
}

async fn run(db: Table<Shop>, user: User) -> dyna_runtime::Result<()> {
    User::rekey(Order::key("1"), &user).send(&db).await
}

fn main() {}
