// Functions and constants of a table with one mistake: its calls are not reported too.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(
    name = "shop",
    pk = "pk",
    index(gsi1, pk = "gsi1pk"),
    stram = "new_image"
)]
enum Shop {
    Order(Order),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "ORDER#<id>", gsi1(as = by_state, pk = "<state>"))]
struct Order {
    id: String,
    state: String,
}

async fn run(client: aws_sdk_dynamodb::Client) -> dyna_runtime::Result<()> {
    let db = Shop::open(client);
    Shop::scan().all(&db).await?;
    Order::scan().index(Shop::GSI1).all(&db).await?;
    Order::by_state("open").all(&db).await?;
    Order::get("1").send(&db).await?;
    Ok(())
}

fn main() {}
