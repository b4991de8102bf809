//! Every request works on an entity that is an enum: the events of an order.

use dyna_runtime::codec::Item;
use dyna_runtime::{DynaCollection, DynaEntity, DynaProjection, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "orders",
    pk = "pk",
    sk = "sk",
    tag = "entity",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(types, pk = "Type", sk = "sk")
)]
enum Shop {
    Order(Order),
    Event(Event),
    Note(Note),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "ORDER#<order_id>", sk = "#ORDER")]
struct Order {
    order_id: String,
    by: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "ORDER#<order_id>", sk = "NOTE#<id>")]
struct Note {
    order_id: String,
    id: String,
}

/// What happened to an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(
    tag = "Type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[dyna(
    table = Shop,
    pk = "ORDER#<order_id>",
    sk = "EVT#<seq:010>",
    gsi1(as = by_person, pk = "BY#<by|lower>", sk = "<at:013>#<order_id>"),
)]
enum Event {
    Placed {
        order_id: String,
        seq: u32,
        by: String,
        at: u64,
        items: Vec<String>,
    },
    Shipped {
        order_id: String,
        seq: u32,
        /// Who did it.
        by: String,
        at: u64,
        carrier: Option<String>,
    },
    #[serde(rename = "gone")]
    Cancelled {
        order_id: String,
        seq: u32,
        by: String,
        at: u64,
        items: u8,
    },
}

#[derive(Debug, PartialEq, Deserialize, DynaProjection)]
#[serde(rename_all = "camelCase")]
#[dyna(of = Event)]
struct Head {
    seq: u32,
    by: String,
    #[serde(rename = "Type")]
    r#type: String,
}

#[derive(Debug, PartialEq, DynaCollection)]
enum History {
    Event(Event),
    Order(Order),
}

fn placed(seq: u32) -> Event {
    Event::Placed {
        order_id: "o1".to_owned(),
        seq,
        by: "Ann".to_owned(),
        at: 1_000 + u64::from(seq),
        items: vec!["tea".to_owned()],
    }
}

fn shipped(seq: u32, carrier: Option<&str>) -> Event {
    Event::Shipped {
        order_id: "o1".to_owned(),
        seq,
        by: "Bob".to_owned(),
        at: 1_000 + u64::from(seq),
        carrier: carrier.map(ToOwned::to_owned),
    }
}

fn cancelled(seq: u32) -> Event {
    Event::Cancelled {
        order_id: "o1".to_owned(),
        seq,
        by: "ann".to_owned(),
        at: 1_000 + u64::from(seq),
        items: 1,
    }
}

fn order() -> Order {
    Order {
        order_id: "o1".to_owned(),
        by: "Ann".to_owned(),
    }
}

async fn history() -> (Table<Shop>, Vec<Event>) {
    let db = Shop::embedded().await.unwrap();
    let events = vec![
        placed(1),
        shipped(2, Some("DHL")),
        shipped(3, None),
        cancelled(4),
    ];
    let note = Note {
        order_id: "o1".to_owned(),
        id: "n".to_owned(),
    };
    let batch = db.batch_write().put_all(&events).put(&order()).put(&note);
    assert!(batch.send().await.unwrap().is_empty());
    (db, events)
}

/// The item as it is stored.
async fn stored(db: &Table<Shop>, pk: &str, sk: &str) -> Item {
    use aws_sdk_dynamodb::types::AttributeValue::S;
    let item = db.client().get_item().table_name("orders");
    let item = item.key("pk", S(pk.to_owned())).key("sk", S(sk.to_owned()));
    item.send().await.unwrap().item.unwrap()
}

#[tokio::test]
async fn item_has_the_fields_of_its_variant_and_both_tags() {
    let (db, _) = history().await;
    let item = stored(&db, "ORDER#o1", "EVT#0000000002").await;
    let text = |name: &str| item[name].as_s().unwrap().as_str();
    assert_eq!((text("entity"), text("Type")), ("Event", "shipped"));
    assert_eq!(
        (text("gsi1pk"), text("gsi1sk")),
        ("BY#bob", "0000000001002#o1")
    );
    assert_eq!((text("orderId"), text("carrier")), ("o1", "DHL"));
    let mut names: Vec<_> = item.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "Type", "at", "by", "carrier", "entity", "gsi1pk", "gsi1sk", "orderId", "pk", "seq",
            "sk"
        ]
    );
    let item = stored(&db, "ORDER#o1", "EVT#0000000003").await;
    assert!(!item.contains_key("carrier"));
    let item = stored(&db, "ORDER#o1", "EVT#0000000004").await;
    assert_eq!(item["Type"].as_s().unwrap(), "gone");
}

#[tokio::test]
async fn reads_yield_every_variant() {
    let (db, events) = history().await;
    assert_eq!(
        Event::get("o1", 2).send(&db).await.unwrap().as_ref(),
        Some(&events[1])
    );
    let page = Event::query("o1").send(&db).await.unwrap();
    assert_eq!((&page.items, page.skipped.foreign), (&events, 0));
    let some = Event::query("o1").seq_range(2..=3).all(&db).await.unwrap();
    assert_eq!(some, events[1..3]);
    assert_eq!(Event::scan().all(&db).await.unwrap(), events);
    let by_ann = Event::by_person("ANN").all(&db).await.unwrap();
    assert_eq!(by_ann, [events[0].clone(), events[3].clone()]);
    let keys = [1, 3].map(|seq| Event::key("o1", seq));
    let found = db.batch_get(keys).await.unwrap();
    assert_eq!(found.items.len(), 2);
    let found = db
        .transact_get((Event::key("o1", 4), Order::key("o1")))
        .await;
    assert_eq!(found.unwrap(), (Some(cancelled(4)), Some(order())));
    let all = Shop::scan().all(&db).await.unwrap();
    assert_eq!(all.len(), 6);
    assert!(all.contains(&Shop::Event(events[3].clone())));
    let checked = db.clone().check_keys();
    assert_eq!(Event::query("o1").all(&checked).await.unwrap(), events);
}

#[tokio::test]
async fn filters_name_the_variant_and_common_fields() {
    let (db, events) = history().await;
    let shipped = Event::query("o1").filter(Event::TYPE.eq("shipped"));
    assert_eq!(shipped.all(&db).await.unwrap(), events[1..3]);
    let late = Event::query("o1").filter(Event::AT.gt(1_002).and(Event::BY.eq("Bob")));
    assert_eq!(late.all(&db).await.unwrap(), events[2..3]);
}

#[tokio::test]
async fn projections_have_common_fields_and_the_tag() {
    let (db, _) = history().await;
    let heads = Event::query("o1").project::<Head>().all(&db).await.unwrap();
    let head = |seq, by: &str, name: &str| Head {
        seq,
        by: by.to_owned(),
        r#type: name.to_owned(),
    };
    assert_eq!(heads[1], head(2, "Bob", "shipped"));
    assert_eq!(heads[3], head(4, "ann", "gone"));
}

#[tokio::test]
async fn collections_have_enums_as_members() {
    let (db, events) = history().await;
    let items = History::query("o1").all(&db).await.unwrap();
    assert_eq!(items[0], History::Order(order()));
    assert_eq!(items[2], History::Event(events[1].clone()));
    assert_eq!(items.len(), 5);
    let by = History::for_all(Order::BY.eq("Ann"));
    let items = History::query("o1").filter(by).all(&db).await.unwrap();
    assert_eq!(items.len(), 2);
    // Only some variants have it.
    let by = History::for_all(Event::TYPE.eq("gone"));
    let error = History::query("o1").filter(by).all(&db).await.unwrap_err();
    assert!(matches!(error, Error::Encode { .. }), "{error:?}");
}

#[tokio::test]
async fn updates_set_common_fields_of_any_variant() {
    let (db, _) = history().await;
    for seq in [1, 2, 4] {
        let update = Event::update("o1", seq).set_by_person("Eve", 7_u64);
        update.send(&db).await.unwrap();
        let found = Event::get("o1", seq).send(&db).await.unwrap().unwrap();
        let (Event::Placed { by, at, .. }
        | Event::Shipped { by, at, .. }
        | Event::Cancelled { by, at, .. }) = &found;
        assert_eq!((by.as_str(), *at), ("Eve", 7));
    }
    assert_eq!(Event::by_person("eve").all(&db).await.unwrap().len(), 3);
    let loaded = shipped(3, None);
    let update = Event::update_loaded(&loaded).set(Event::BY, "Zoe");
    update.send(&db).await.unwrap();
    let found = Event::by_person("zoe").one(&db).await.unwrap();
    let Some(Event::Shipped { by, carrier, .. }) = found else {
        panic!("another variant");
    };
    assert_eq!((by.as_str(), carrier), ("Zoe", None));
    // The other field of the index key has been changed by someone else.
    let other = Event::update("o1", 3).set_by_person("Zoe", 5_u64);
    other.send(&db).await.unwrap();
    let error = Event::update_loaded(&loaded).set(Event::BY, "Max");
    let error = error.send(&db).await.unwrap_err();
    assert!(error.is_condition_failed(), "{error:?}");
}

#[tokio::test]
async fn writes_replace_one_variant_by_another() {
    let (db, _) = history().await;
    cancelled(1).replace().send(&db).await.unwrap();
    let item = stored(&db, "ORDER#o1", "EVT#0000000001").await;
    assert_eq!(item["items"].as_n().unwrap(), "1");
    assert_eq!(
        Event::get("o1", 1).send(&db).await.unwrap(),
        Some(cancelled(1))
    );
    let error = placed(1).create().send(&db).await.unwrap_err();
    assert!(error.is_condition_failed(), "{error:?}");
    Event::rekey(Event::key("o1", 1), &placed(9))
        .send(&db)
        .await
        .unwrap();
    let event = Event::query("o1").descending().first(&db).await.unwrap();
    assert_eq!(event, Some(placed(9)));
    db.transact()
        .put(&shipped(9, Some("UPS")))
        .create(&placed(10))
        .update(Event::update("o1", 4).set_by_person("Ann", 1_u64))
        .check(Event::check("o1", 3).when(Event::TYPE.eq("shipped")))
        .delete(Event::delete("o1", 2).when(Event::TYPE.eq("shipped")))
        .send()
        .await
        .unwrap();
    let left = Event::query("o1").all(&db).await.unwrap();
    assert_eq!(left.len(), 4);
    assert_eq!(left[2], shipped(9, Some("UPS")));
    Event::delete_loaded(&left[0]).send(&db).await.unwrap();
    let batch = db.batch_write().delete(Event::key("o1", 9));
    assert!(batch.send().await.unwrap().is_empty());
    assert_eq!(Event::query("o1").count(&db).await.unwrap(), 2);
}

#[tokio::test]
async fn item_of_an_unknown_variant_is_reported() {
    use aws_sdk_dynamodb::types::AttributeValue::S;
    let (db, events) = history().await;
    let change = db.client().update_item().table_name("orders");
    let change = change.key("pk", S("ORDER#o1".to_owned()));
    let change = change.key("sk", S("EVT#0000000002".to_owned()));
    let change = change.update_expression("SET #t = :t");
    let change = change.expression_attribute_names("#t", "Type");
    let change = change.expression_attribute_values(":t", S("lost".to_owned()));
    change.send().await.unwrap();
    let error = Event::query("o1").all(&db).await.unwrap_err();
    assert!(matches!(error, Error::Decode { .. }), "{error:?}");
    assert!(!error.to_string().contains("lost"), "{error}");
    let page = Event::query("o1").skip_unreadable();
    let page = page.send(&db).await.unwrap();
    assert_eq!(page.items.len(), events.len() - 1);
    assert_eq!(page.skipped.unreadable.len(), 1);
}
