// Errors of an entity do not add errors where it is used.
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk")]
enum Shop {
    Order(Order),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "ORDER#<idd>")]
struct Order {
    id: String,
}

async fn run(db: Table<Shop>, order: Order) -> dyna_runtime::Result<()> {
    Order::get("1").send(&db).await?;
    order.put().send(&db).await
}

fn main() {}
