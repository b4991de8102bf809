// All functions of an entity with errors can be called: only the mistake is reported.
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(
    name = "shop", pk = "pk", sk = "sk",
    index(gsi1, pk = "gsi1pk"), index(gsi2, pk = "gsi2pk", sk = "gsi2sk"), index(gsi3, pk = "gsi3pk"),
)]
enum Shop {
    Order(Order),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop, pk = "ORDER#<user>", sk = "<n:05>",
    gsi1(as = by_state, pk = "STATE#<state>"),
    gsi2(as = by_courier, pk = "COURIER#<courier>", sk = "<state>"),
    gsi3(as = by_mail, pk = "MAIL#<mail>"),
)]
struct Order {
    user: String,
    n: u32,
    state: String,
    courier: String,
    mail: String,
    #[dyna(versoin)]
    version: u64,
}

async fn run(db: Table<Shop>) -> dyna_runtime::Result<()> {
    Order::update("ann", 1)
        .set_by_mail("a@b.c")
        .set_by_state_and_by_courier("open", "bob")
        .send(&db)
        .await?;
    let (user, n) = Order::parse_key("ORDER#ann", "00001").unwrap();
    Order::get(user, n).send(&db).await?;
    Order::delete_loaded(&Order::by_mail("a@b.c").one(&db).await?.unwrap()).send(&db).await?;
    let key = Order::raw_key("ORDER#ann", "1");
    db.batch_get([key]).await?;
    Ok(())
}

fn main() {}
