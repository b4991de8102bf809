// Errors of a table do not add errors at its entities and their users.
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk", stram = "new_image")]
enum Shop {
    User(User),
    Order(Order),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<id>")]
struct User {
    id: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "ORDER#<id>")]
struct Order {
    id: String,
}

async fn run(db: Table<Shop>, order: Order) -> dyna_runtime::Result<()> {
    order.put().send(&db).await
}

fn main() {}
