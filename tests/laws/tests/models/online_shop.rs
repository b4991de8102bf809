//! An online shop: customers, dates and warehouses are stored in keys alone, and two indexes turn the relations around.

#![allow(
    clippy::struct_field_names,
    reason = "the names that the published models give their attributes"
)]

use super::keys;
use dyna_runtime::{DynaCollection, DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "shop",
    pk = "PK",
    sk = "SK",
    tag = "EntityType",
    index(gsi1, pk = "GSI1-PK", sk = "GSI1-SK"),
    index(gsi2, pk = "GSI2-PK", sk = "GSI2-SK")
)]
enum Shop {
    Customer(Customer),
    Product(Product),
    Stock(Stock),
    Order(Order),
    OrderItem(OrderItem),
    Invoice(Invoice),
    Shipment(Shipment),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, tag = "customer", pk = "c#<id>", sk = "c#<id>")]
struct Customer {
    #[dyna(key_only)]
    id: String,
    email: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, tag = "product", pk = "p#<id>", sk = "p#<id>")]
struct Product {
    #[dyna(key_only)]
    id: String,
    price: u32,
}

/// What a warehouse has of a product.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop,
    tag = "warehouseItem",
    pk = "p#<product>",
    sk = "w#<warehouse>",
    gsi2(as = in_warehouse, pk = "w#<warehouse>", sk = "p#<product>")
)]
struct Stock {
    #[dyna(key_only)]
    product: String,
    #[dyna(key_only)]
    warehouse: String,
    quantity: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop,
    tag = "order",
    pk = "o#<order>",
    sk = "c#<customer>",
    gsi2(as = of_customer, pk = "c#<customer>", sk = "o#<date>")
)]
struct Order {
    #[dyna(key_only)]
    order: String,
    #[dyna(key_only)]
    customer: String,
    #[dyna(key_only)]
    date: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop,
    tag = "orderItem",
    pk = "o#<order>",
    sk = "p#<product>",
    gsi1(as = of_product, pk = "p#<product>", sk = "<date>"),
    gsi2(as = bought_by, pk = "c#<customer>", sk = "p#<date>")
)]
struct OrderItem {
    #[dyna(key_only)]
    order: String,
    #[dyna(key_only)]
    product: String,
    #[dyna(key_only)]
    date: String,
    #[dyna(key_only)]
    customer: String,
    quantity: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop,
    tag = "invoice",
    pk = "o#<order>",
    sk = "i#<invoice>",
    gsi1(as = by_invoice, pk = "i#<invoice>", sk = "i#<invoice>"),
    gsi2(as = invoices_of, pk = "c#<customer>", sk = "i#<date>")
)]
struct Invoice {
    #[dyna(key_only)]
    order: String,
    #[dyna(key_only)]
    invoice: String,
    #[dyna(key_only)]
    customer: String,
    #[dyna(key_only)]
    date: String,
    amount: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop,
    tag = "shipment",
    pk = "o#<order>",
    sk = "sh#<shipment>",
    gsi1(as = by_shipment, pk = "sh#<shipment>", sk = "sh#<shipment>"),
    gsi2(as = shipped_from, pk = "w#<warehouse>", sk = "sh#<date>")
)]
struct Shipment {
    #[dyna(key_only)]
    order: String,
    #[dyna(key_only)]
    shipment: String,
    #[dyna(key_only)]
    warehouse: String,
    #[dyna(key_only)]
    date: String,
    kind: String,
}

/// All of an order, in one request.
#[derive(Debug, PartialEq, DynaCollection)]
enum WholeOrder {
    Order(Order),
    Item(OrderItem),
    Invoice(Invoice),
    Shipment(Shipment),
}

fn item(order: &str, product: &str, date: &str) -> OrderItem {
    OrderItem {
        order: order.into(),
        product: product.into(),
        date: date.into(),
        customer: "7".into(),
        quantity: 2,
    }
}

async fn shop() -> Table<Shop> {
    let db = Shop::embedded().await.unwrap();
    let stock = |warehouse: &str| Stock {
        product: "99".into(),
        warehouse: warehouse.into(),
        quantity: 50,
    };
    let order = |order: &str, date: &str| Order {
        order: order.into(),
        customer: "7".into(),
        date: date.into(),
    };
    let batch = db.batch_write();
    let batch = batch.put(&Customer {
        id: "7".into(),
        email: "ann@example.com".into(),
    });
    let batch = batch.put(&Product {
        id: "99".into(),
        price: 450,
    });
    let batch = batch.put_all(&[stock("1"), stock("2")]);
    let batch = batch.put_all(&[
        order("1", "2026-06-21T19:10"),
        order("2", "2026-07-01T08:00"),
    ]);
    let batch = batch.put_all(&[
        item("1", "99", "2026-06-21T19:10"),
        item("1", "12", "2026-06-21T19:10"),
        item("2", "99", "2026-07-01T08:00"),
    ]);
    let batch = batch.put(&Invoice {
        order: "1".into(),
        invoice: "55".into(),
        customer: "7".into(),
        date: "2026-06-21T19:18".into(),
        amount: 500,
    });
    let batch = batch.put(&Shipment {
        order: "1".into(),
        shipment: "88".into(),
        warehouse: "1".into(),
        date: "2026-06-22T10:00".into(),
        kind: "express".into(),
    });
    assert!(batch.send().await.unwrap().is_empty());
    db
}

#[tokio::test]
async fn keys_are_those_of_the_design() {
    let names = ["PK", "SK", "GSI1-PK", "GSI1-SK", "GSI2-PK", "GSI2-SK"];
    let stored = keys(&shop().await, names).await;
    let expected = [
        ["c#7", "c#7", "-", "-", "-", "-"],
        ["o#1", "c#7", "-", "-", "c#7", "o#2026-06-21T19:10"],
        ["o#1", "i#55", "i#55", "i#55", "c#7", "i#2026-06-21T19:18"],
        [
            "o#1",
            "p#12",
            "p#12",
            "2026-06-21T19:10",
            "c#7",
            "p#2026-06-21T19:10",
        ],
        [
            "o#1",
            "p#99",
            "p#99",
            "2026-06-21T19:10",
            "c#7",
            "p#2026-06-21T19:10",
        ],
        [
            "o#1",
            "sh#88",
            "sh#88",
            "sh#88",
            "w#1",
            "sh#2026-06-22T10:00",
        ],
        ["o#2", "c#7", "-", "-", "c#7", "o#2026-07-01T08:00"],
        [
            "o#2",
            "p#99",
            "p#99",
            "2026-07-01T08:00",
            "c#7",
            "p#2026-07-01T08:00",
        ],
        ["p#99", "p#99", "-", "-", "-", "-"],
        ["p#99", "w#1", "-", "-", "w#1", "p#99"],
        ["p#99", "w#2", "-", "-", "w#2", "p#99"],
    ];
    assert_eq!(stored, expected);
}

#[tokio::test]
async fn customer_and_product_by_id() {
    let db = shop().await;
    let customer = Customer::get("7").send(&db).await.unwrap().unwrap();
    assert_eq!(customer.email, "ann@example.com");
    let product = Product::get("99").send(&db).await.unwrap().unwrap();
    assert_eq!(product.price, 450);
}

#[tokio::test]
async fn inventory_of_a_product_in_all_warehouses_and_of_a_warehouse() {
    let db = shop().await;
    let stock = Stock::query("99").all(&db).await.unwrap();
    let warehouses: Vec<_> = stock.iter().map(|one| one.warehouse.as_str()).collect();
    assert_eq!(warehouses, ["1", "2"]);
    let stock = Stock::in_warehouse("2").all(&db).await.unwrap();
    assert_eq!((stock.len(), stock[0].product.as_str()), (1, "99"));
}

#[tokio::test]
async fn whole_order_in_one_request() {
    let db = shop().await;
    let whole = WholeOrder::query("1").all(&db).await.unwrap();
    let kinds = whole.iter().map(|one| match one {
        WholeOrder::Order(_) => "order",
        WholeOrder::Invoice(_) => "invoice",
        WholeOrder::Item(_) => "item",
        WholeOrder::Shipment(_) => "shipment",
    });
    let kinds: Vec<_> = kinds.collect();
    assert_eq!(kinds, ["order", "invoice", "item", "item", "shipment"]);
}

#[tokio::test]
async fn order_items_of_a_product_in_a_time() {
    let db = shop().await;
    let june = OrderItem::of_product("99").date_range("2026-06".."2026-07");
    let found = june.all(&db).await.unwrap();
    assert_eq!(found, [item("1", "99", "2026-06-21T19:10")]);
}

#[tokio::test]
async fn invoice_and_shipment_by_id() {
    let db = shop().await;
    let invoice = Invoice::by_invoice("55").one(&db).await.unwrap();
    assert_eq!(invoice.unwrap().order, "1");
    let shipment = Shipment::by_shipment("88").one(&db).await.unwrap();
    assert_eq!(shipment.unwrap().warehouse, "1");
    let shipped = Shipment::shipped_from("1").date_range("2026-06-22"..);
    assert_eq!(shipped.all(&db).await.unwrap().len(), 1);
}

#[tokio::test]
async fn invoices_products_and_orders_of_a_customer_in_a_time() {
    let db = shop().await;
    let invoices = Invoice::invoices_of("7").date_range("2026-06".."2026-07");
    assert_eq!(invoices.all(&db).await.unwrap()[0].amount, 500);
    let bought = OrderItem::bought_by("7").date_range("2026-07"..);
    let bought = bought.all(&db).await.unwrap();
    assert_eq!(bought, [item("2", "99", "2026-07-01T08:00")]);
    let latest = Order::of_customer("7").descending().limit(1);
    assert_eq!(latest.all(&db).await.unwrap()[0].order, "2");
}
