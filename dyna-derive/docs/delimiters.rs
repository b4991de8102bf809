use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(
    name = "shop",
    pk = "pk",
    sk = "sk",
    index(gsi1, pk = "gsi1pk", sk = "email")
)]
pub enum Shop {
    Order(Order),
    Import(Import),
}

/// Split at `#`, as its table says; in the index at `/`.
#[derive(Debug, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop,
    pk = "SHOP#<shop>",
    sk = "ORDER#<number:05>",
    gsi1(as = by_path, pk = "shops/<shop>", sk = "<email>", delimiter = "/"),
)]
pub struct Order {
    pub shop: String,
    pub number: u32,
    /// A native key: any text, also with a delimiter in it.
    pub email: String,
}

/// Written by other software, which splits its keys at `|`.
#[derive(Debug, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "IMPORT|<file>", sk = "<row:05>", delimiter = "|")]
pub struct Import {
    pub file: String,
    pub row: u32,
}

pub async fn orders_of(db: &Table<Shop>) -> dyna_runtime::Result<Vec<Order>> {
    Order::by_path("a|b").email("ann#1@x.org").all(db).await
}
