//! Fields that are stored in the keys of indexes alone, as in AWS's model of an online shop.

use super::{Item, item, store, stored, text};
use dyna_runtime::error::Misfit;
use dyna_runtime::{DynaEntity, DynaProjection, DynaTable, Error};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "online-shop",
    pk = "pk",
    sk = "sk",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(gsi2, pk = "gsi2pk", sk = "gsi2sk"),
    index(brief, pk = "briefPk", sk = number("briefSk"), projection = "keys_only")
)]
enum Shop {
    OrderItem(OrderItem),
    Parcel(Parcel),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop,
    pk = "o#<order>",
    sk = "p#<product>",
    gsi1(as = by_product, pk = "p#<product>", sk = "<date>"),
    gsi2(as = by_customer, pk = "c#<customer>", sk = "p#<date>"),
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

/// A sparse index, with a number for its sort key and a stored field beside the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop,
    pk = "parcel#<id>",
    sk = "parcel",
    brief(as = by_carrier, pk = "c#<carrier>#<city>", sk = "<weight>"),
)]
struct Parcel {
    id: String,
    #[dyna(key_only)]
    carrier: Option<String>,
    city: String,
    #[dyna(key_only)]
    weight: Option<u32>,
}

#[derive(Debug, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = OrderItem)]
struct Dated {
    date: String,
    quantity: u32,
}

#[derive(Debug, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = Parcel, index = brief)]
struct Load {
    carrier: Option<String>,
    weight: Option<u32>,
}

fn order_item() -> OrderItem {
    OrderItem {
        order: "1".to_owned(),
        product: "pen".to_owned(),
        date: "2024-05-06".to_owned(),
        customer: "ann".to_owned(),
        quantity: 3,
    }
}

fn parcel(carrier: Option<&str>, weight: Option<u32>) -> Parcel {
    Parcel {
        id: "1".to_owned(),
        carrier: carrier.map(str::to_owned),
        city: "Rome".to_owned(),
        weight,
    }
}

/// The item as AWS's model has it.
fn as_stored() -> Item {
    let mut item = item([
        ("pk", "o#1"),
        ("sk", "p#pen"),
        ("gsi1pk", "p#pen"),
        ("gsi1sk", "2024-05-06"),
        ("gsi2pk", "c#ann"),
        ("gsi2sk", "p#2024-05-06"),
    ]);
    let three = aws_sdk_dynamodb::types::AttributeValue::N("3".to_owned());
    item.insert("quantity".to_owned(), three);
    item
}

#[tokio::test]
async fn fields_in_index_keys_alone_are_read_from_there_and_written_as_they_were() {
    let db = Shop::embedded().await.unwrap();
    store(&db, as_stored()).await;
    let read = OrderItem::get("1", "pen").send(&db).await.unwrap().unwrap();
    assert_eq!(read, order_item());
    read.put().send(&db).await.unwrap();
    assert_eq!(stored(&db).await, [as_stored()]);
    let day = OrderItem::by_product("pen").date_range("2024"..);
    assert_eq!(day.all(&db).await.unwrap(), [order_item()]);
    let of_customer = OrderItem::by_customer("ann").date("2024-05-06");
    assert_eq!(of_customer.all(&db).await.unwrap(), [order_item()]);
    let all = OrderItem::scan()
        .all(&db.clone().check_keys())
        .await
        .unwrap();
    assert_eq!(all, [order_item()]);
    let dated = Dated {
        date: "2024-05-06".to_owned(),
        quantity: 3,
    };
    let get = OrderItem::get("1", "pen").project::<Dated>();
    assert_eq!(get.send(&db).await.unwrap().as_ref(), Some(&dated));
    let query = OrderItem::by_customer("ann").project::<Dated>();
    assert_eq!(query.all(&db).await.unwrap(), [dated]);
}

#[tokio::test]
async fn updates_change_them_with_the_keys_of_all_their_indexes() {
    let db = Shop::embedded().await.unwrap();
    order_item().create().send(&db).await.unwrap();
    let update = OrderItem::update("1", "pen");
    let update = update.set_by_product_and_by_customer("2025", "bob");
    update.send(&db).await.unwrap();
    let [item] = &stored(&db).await[..] else {
        panic!("one item")
    };
    let keys = ["gsi1pk", "gsi1sk", "gsi2pk", "gsi2sk"].map(|name| text(item, name).unwrap());
    assert_eq!(keys, ["p#pen", "2025", "c#bob", "p#2025"]);
    let upsert = OrderItem::upsert("2", "pen").set(OrderItem::QUANTITY, 1);
    let error = upsert.send(&db).await.unwrap_err().to_string();
    assert!(
        error.contains("the new item could not be decoded"),
        "{error}"
    );
    let upsert = OrderItem::upsert("2", "pen").set(OrderItem::QUANTITY, 1);
    let upsert = upsert.set_by_product_and_by_customer("2026", "eve");
    upsert.send(&db).await.unwrap();
    let new = OrderItem::get("2", "pen").send(&db).await.unwrap().unwrap();
    assert_eq!((new.date.as_str(), new.customer.as_str()), ("2026", "eve"));
}

#[tokio::test]
async fn a_stored_field_beside_them_changes_if_they_are_still_the_same() {
    let db = Shop::embedded().await.unwrap();
    let loaded = parcel(Some("dhl"), Some(7));
    loaded.create().send(&db).await.unwrap();
    let update = Parcel::update_loaded(&loaded).set(Parcel::CITY, "Oslo");
    let moved = update.returning_new().send(&db).await.unwrap();
    assert_eq!(moved.weight, Some(7));
    let [item] = &stored(&db).await[..] else {
        panic!("one item")
    };
    assert_eq!(text(item, "briefPk"), Some("c#dhl#Oslo"));
    let other = Parcel::update("1").set_by_carrier(Some("ups".to_owned()), "Oslo", Some(8));
    other.send(&db).await.unwrap();
    let stale = Parcel::update_loaded(&moved).set(Parcel::CITY, "Bonn");
    assert!(stale.send(&db).await.unwrap_err().is_condition_failed());
    let [item] = &stored(&db).await[..] else {
        panic!("one item")
    };
    assert_eq!(text(item, "briefPk"), Some("c#ups#Oslo"));
}

#[tokio::test]
async fn a_value_that_no_key_would_hold_is_refused() {
    let db = Shop::embedded().await.unwrap();
    let lost = "key, which cannot represent this value";
    let error = parcel(None, Some(7)).create().send(&db).await.unwrap_err();
    assert!(error.to_string().contains(lost), "{error}");
    let error = parcel(Some("dhl"), None).put().send(&db).await.unwrap_err();
    assert!(error.to_string().contains(lost), "{error}");
    parcel(None, None).create().send(&db).await.unwrap();
    let update = Parcel::update("1").set_by_carrier(None, "Oslo", Some(8));
    let error = update.send(&db).await.unwrap_err();
    assert!(error.to_string().contains(lost), "{error}");
    let read = Parcel::get("1").send(&db).await.unwrap().unwrap();
    assert_eq!(read, parcel(None, None));
}

#[tokio::test]
async fn an_index_of_keys_alone_yields_them() {
    let db = Shop::embedded().await.unwrap();
    let one = parcel(Some("dhl"), Some(7));
    one.create().send(&db).await.unwrap();
    let query = || Parcel::by_carrier("dhl", "Rome").weight_range(..8);
    let loads = query().project::<Load>().all(&db).await.unwrap();
    let load = Load {
        carrier: Some("dhl".to_owned()),
        weight: Some(7),
    };
    assert_eq!(loads, [load]);
    assert_eq!(query().hydrate().all(&db).await.unwrap(), [one]);
}

#[tokio::test]
async fn index_keys_that_disagree_on_a_field_are_a_misfit() {
    let db = Shop::embedded().await.unwrap();
    let mut item = as_stored();
    item.extend(super::item([("gsi2sk", "p#1999")]));
    store(&db, item).await;
    let error = OrderItem::get("1", "pen").send(&db).await.unwrap_err();
    let is_misfit = matches!(
        &error,
        Error::Misfit {
            misfit: Misfit::Index("gsi2"),
            ..
        }
    );
    assert!(is_misfit, "{error}");
}

#[tokio::test]
async fn an_item_without_the_keys_cannot_be_read() {
    let db = Shop::embedded().await.unwrap();
    let mut item = as_stored();
    for name in ["gsi1sk", "gsi2sk"] {
        item.remove(name);
    }
    store(&db, item).await;
    let error = OrderItem::get("1", "pen").send(&db).await.unwrap_err();
    assert!(matches!(error, Error::Decode { .. }), "{error}");
    let mut item = as_stored();
    item.extend(super::item([("gsi2sk", "date:2024")]));
    store(&db, item).await;
    let error = OrderItem::get("1", "pen").send(&db).await.unwrap_err();
    assert!(matches!(error, Error::Key(_)), "{error}");
}
