use dyna_runtime::codec::Item;
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(
    name = "shop-{stage}",
    pk = "pk",
    sk = "sk",
    tag = "entityType",
    ttl = "expires",
    index(gsi1, pk = "gsi1pk", sk = number("gsi1sk")),
    local_index(recent, sk = "at", projection = include("state")),
    billing = provisioned(read = 5, write = 5),
    resource_tags(team = "shop"),
)]
pub enum Shop {
    User(User),
    Order(Order),
    #[dyna(unknown)]
    Other(Item),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<id>", sk = "PROFILE")]
pub struct User {
    id: String,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<user>", sk = "ORDER#<n:05>")]
pub struct Order {
    user: String,
    n: u32,
}

pub async fn every_item(db: &Table<Shop>) -> dyna_runtime::Result<Vec<Shop>> {
    Shop::scan().all(db).await
}
