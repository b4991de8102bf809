// A template that cannot be read: only what it gives the arguments of is not there.
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk", sk = "sk")]
enum Shop {
    Order(Order),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<user>", sk = "ORDER#{id}")]
struct Order {
    user: String,
    id: String,
    paid: bool,
}

async fn run(db: Table<Shop>, order: Order) -> dyna_runtime::Result<()> {
    Order::query("ann")
        .filter(Order::PAID.eq(true))
        .all(&db)
        .await?;
    Order::scan().limit(5).all(&db).await?;
    order.put().send(&db).await
}

fn main() {}
