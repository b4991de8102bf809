// An index that holds some attributes does not yield others because its type is forgotten.
use dyna_runtime::{DynaEntity, DynaProjection, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "orders", pk = "pk", index(gsi1, pk = "gsi1pk", projection = include("total"))),
    pk = "ORDER#<id>",
    gsi1(as = by_courier, pk = "COURIER#<courier>"),
)]
struct Order {
    id: String,
    courier: String,
    total: u32,
    address: String,
}

#[derive(Deserialize, DynaProjection)]
#[dyna(of = Order, index = gsi1)]
struct Total {
    total: u32,
}

#[derive(Deserialize, DynaProjection)]
#[dyna(of = Order)]
struct Address {
    address: String,
}

async fn run(db: Table<Order>) {
    let _ = Order::by_courier("bob").into_any();
    let totals = Order::by_courier("bob").project::<Total>().into_any();
    let _ = totals.project::<Address>().all(&db).await;
}

fn main() {}
