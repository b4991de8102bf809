//! What is written to a table, and that it is read back as it was.

#![allow(clippy::struct_field_names, reason = "the names that real models have")]

use super::{engine, n, names, only, s, scan};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaEntity, DynaTable, KeyPart, Ordered};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ulid::Ulid;

/// A table with an index of each kind.
#[derive(DynaTable)]
#[dyna(
    name = "shop",
    pk = "pk",
    sk = "sk",
    tag = "type",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(inverted, pk = "sk", sk = "pk"),
    index(by_type, name = "by-type", pk = "type", sk = "at"),
    local_index(lsi1, sk = "total")
)]
enum Shop {
    Order(Order),
    Item(Item),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Shop,
    pk = "CUSTOMER#<customer>",
    sk = "ORDER#<order_id>",
    tag = "order",
    gsi1(as = by_courier, pk = "COURIER#<courier>", sk = "<due:013>"),
    inverted(as = by_order, pk = "ORDER#<order_id>", sk = "CUSTOMER#<customer>"),
    by_type(as = everything, pk = "order", sk = "<at>"),
    lsi1(as = by_total, pk = "CUSTOMER#<customer>", sk = "<total:06>"),
)]
struct Order {
    customer: String,
    order_id: Ulid,
    courier: Option<String>,
    due: Option<u64>,
    at: String,
    #[serde(rename = "amount")]
    total: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "ORDER#<order_id>", sk = "ITEM#<n:03>")]
struct Item {
    #[dyna(key_only)]
    order_id: Ulid,
    #[dyna(key_only)]
    n: u16,
    name: String,
}

fn order(id: u128, courier: Option<&str>, due: Option<u64>) -> Order {
    Order {
        customer: "ann".to_owned(),
        order_id: Ulid(id),
        courier: courier.map(str::to_owned),
        due,
        at: format!("2025-01-{id:02}"),
        total: 100 - u32::try_from(id).unwrap(),
    }
}

#[tokio::test]
async fn create_get_put_and_delete() {
    let (_, db) = engine::<Shop>().await;
    let mut it = order(1, None, None);
    assert_eq!(
        Order::get("ann", it.order_id).send(&db).await.unwrap(),
        None
    );
    it.create().send(&db).await.unwrap();
    assert_eq!(
        Order::get("ann", it.order_id)
            .consistent()
            .send(&db)
            .await
            .unwrap(),
        Some(it.clone())
    );

    let again = it.create().send(&db).await.unwrap_err();
    assert!(again.is_condition_failed());
    assert_eq!(
        again.to_string(),
        "Order: create failed: an item with this key already exists"
    );
    it.total = 7;
    it.courier = Some("carl".to_owned());
    it.put().send(&db).await.unwrap();
    assert_eq!(
        Order::get("ann", it.order_id).send(&db).await.unwrap(),
        Some(it.clone())
    );

    Order::delete("ann", it.order_id).send(&db).await.unwrap();
    assert_eq!(
        Order::get("ann", it.order_id).send(&db).await.unwrap(),
        None
    );
    Order::delete("ann", it.order_id).send(&db).await.unwrap();
}

#[tokio::test]
async fn an_item_has_its_keys_its_tag_and_its_fields() {
    let (_, db) = engine::<Shop>().await;
    order(1, Some("carl"), Some(5))
        .put()
        .send(&db)
        .await
        .unwrap();
    let id = "00000000000000000000000001";
    let expected = [
        ("pk", s("CUSTOMER#ann")),
        ("sk", s(&format!("ORDER#{id}"))),
        ("type", s("order")),
        ("gsi1pk", s("COURIER#carl")),
        ("gsi1sk", s("0000000000005")),
        ("total", s("000099")),
        ("customer", s("ann")),
        ("orderId", s(id)),
        ("courier", s("carl")),
        ("due", n("5")),
        ("at", s("2025-01-01")),
        ("amount", n("99")),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(only(&db).await, super::Item::from(expected));
}

#[tokio::test]
async fn every_index_finds_its_items_in_its_order() {
    let (_, db) = engine::<Shop>().await;
    let orders = [
        order(1, Some("carl"), Some(30)),
        order(2, Some("carl"), Some(20)),
        order(3, Some("dora"), Some(10)),
    ];
    for it in &orders {
        it.create().send(&db).await.unwrap();
    }
    let [first, second, third] = orders;
    let pair = [second.clone(), first.clone()];
    assert_eq!(Order::by_courier("carl").all(&db).await.unwrap(), pair);
    assert_eq!(
        Order::by_courier("carl")
            .due_range(25..)
            .all(&db)
            .await
            .unwrap(),
        pair[1..]
    );
    assert_eq!(
        Order::by_courier("dora").one(&db).await.unwrap(),
        Some(third.clone())
    );
    assert_eq!(Order::by_courier("emil").one(&db).await.unwrap(), None);
    assert_eq!(
        Order::by_order(Ulid(2)).all(&db).await.unwrap(),
        [second.clone()].as_slice()
    );
    assert_eq!(
        Order::by_order(Ulid(2))
            .customer("bob")
            .all(&db)
            .await
            .unwrap(),
        []
    );
    let all = [first.clone(), second.clone(), third.clone()];
    assert_eq!(Order::everything().all(&db).await.unwrap(), all);
    assert_eq!(
        Order::everything()
            .at_starts_with("2025-01-02")
            .all(&db)
            .await
            .unwrap(),
        [second.clone()].as_slice()
    );
    let by_total = Order::by_total("ann").consistent();
    assert_eq!(by_total.all(&db).await.unwrap(), [third, second, first]);
}

/// An order without a courier, or without a time, is not in the index of couriers, and has neither of its attributes.
#[tokio::test]
async fn a_missing_value_leaves_the_item_out_of_the_index() {
    let (_, db) = engine::<Shop>().await;
    for it in [
        order(1, None, None),
        order(2, Some("carl"), None),
        order(3, None, Some(7)),
    ] {
        it.put().send(&db).await.unwrap();
        assert_eq!(
            Order::get("ann", it.order_id).send(&db).await.unwrap(),
            Some(it)
        );
    }
    assert_eq!(scan(&db, Some("gsi1")).await, []);
    for item in scan(&db, None).await {
        let keys: Vec<_> = names(&item)
            .into_iter()
            .filter(|name| name.starts_with("gsi1"))
            .collect();
        assert!(keys.is_empty(), "{keys:?}");
    }
    order(1, Some("carl"), Some(1))
        .put()
        .send(&db)
        .await
        .unwrap();
    assert_eq!(scan(&db, Some("gsi1")).await.len(), 1);
    order(1, None, Some(1)).put().send(&db).await.unwrap();
    assert_eq!(scan(&db, Some("gsi1")).await, []);
}

#[tokio::test]
async fn fields_that_live_in_the_key_are_stored_there_alone() {
    let (_, db) = engine::<Shop>().await;
    let it = Item {
        order_id: Ulid(7),
        n: 42,
        name: "lamp".to_owned(),
    };
    it.create().send(&db).await.unwrap();
    assert_eq!(names(&only(&db).await), ["name", "pk", "sk", "type"]);
    assert_eq!(
        Item::get(Ulid(7), 42_u16).send(&db).await.unwrap(),
        Some(it.clone())
    );
    assert_eq!(Item::query(Ulid(7)).all(&db).await.unwrap(), [it]);
}

/// Native keys: the attributes are the key, and nothing is stored twice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table(
        name = "cards",
        pk = "ecosystemId",
        sk = number("cardNo"),
        index(holders, pk = "holder", sk = number("since")),
    ),
    pk = "<ecosystem_id>",
    sk = "<card_no>",
    holders(as = by_holder, pk = "<holder>", sk = "<since>"),
)]
struct Card {
    ecosystem_id: String,
    card_no: i64,
    holder: Option<HolderId>,
    since: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, KeyPart)]
struct HolderId(String);

fn card(card_no: i64, holder: Option<&str>, since: Option<u64>) -> Card {
    let holder = holder.map(|id| HolderId(id.to_owned()));
    Card {
        ecosystem_id: "eco".to_owned(),
        card_no,
        holder,
        since,
    }
}

#[tokio::test]
async fn native_keys_are_stored_once() {
    let (_, db) = engine::<Card>().await;
    let it = card(-7, Some("hana"), Some(u64::MAX));
    it.create().send(&db).await.unwrap();
    let expected = [
        ("ecosystemId".to_owned(), s("eco")),
        ("cardNo".to_owned(), n("-7")),
        ("holder".to_owned(), s("hana")),
        ("since".to_owned(), n("18446744073709551615")),
    ];
    assert_eq!(only(&db).await, super::Item::from(expected));
    assert_eq!(
        Card::get("eco", -7_i64).send(&db).await.unwrap(),
        Some(it.clone())
    );
    let hana = HolderId("hana".to_owned());
    assert_eq!(
        Card::by_holder(hana.clone()).all(&db).await.unwrap(),
        std::slice::from_ref(&it)
    );
    assert_eq!(
        Card::by_holder(hana)
            .since(u64::MAX)
            .one(&db)
            .await
            .unwrap(),
        Some(it)
    );
    assert_eq!(
        Card::parse_key("eco", "-7").unwrap(),
        ("eco".to_owned(), -7)
    );
}

/// A native key that is missing is missing, and never NULL, which no index takes.
#[tokio::test]
async fn native_keys_of_a_sparse_index_are_never_null() {
    let (_, db) = engine::<Card>().await;
    for it in [
        card(1, None, None),
        card(2, Some("h"), None),
        card(3, None, Some(1)),
    ] {
        it.create().send(&db).await.unwrap();
        assert_eq!(
            Card::get("eco", it.card_no).send(&db).await.unwrap(),
            Some(it)
        );
    }
    let items = scan(&db, None).await;
    assert!(
        items
            .iter()
            .flat_map(|item| item.values())
            .all(|value| !value.is_null())
    );
    assert_eq!(scan(&db, Some("holders")).await, []);
}

/// Binary keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "blobs", pk = "name", sk = binary("hash")), pk = "<name>", sk = "<digest>")]
struct Blob {
    name: String,
    digest: Vec<u8>,
}

#[tokio::test]
async fn binary_keys_are_bytes() {
    let (engine, db) = engine::<Blob>().await;
    let it = Blob {
        name: "a".to_owned(),
        digest: vec![0, 255],
    };
    it.create().send(&db).await.unwrap();
    assert_eq!(
        only(&db).await["hash"],
        AttributeValue::B(aws_sdk_dynamodb::primitives::Blob::new([0, 255]))
    );
    assert_eq!(
        Blob::get("a", [0, 255].as_slice()).send(&db).await.unwrap(),
        Some(it)
    );
    assert_eq!(
        Blob::get("a", [0].as_slice()).send(&db).await.unwrap(),
        None
    );
    let before = engine.requests();
    let error = Blob::get("a", [].as_slice()).send(&db).await.unwrap_err();
    assert_eq!(error.to_string(), "Blob: key field `digest` is empty");
    assert_eq!(engine.requests(), before);
}

/// Entities that see what they do not know.
#[derive(DynaTable)]
#[dyna(
    name = "loose",
    pk = "pk",
    sk = "sk",
    tag = "kind",
    index(gsi1, pk = "gsi1pk"),
    index(gsi2, pk = "gsi2pk")
)]
enum Loose {
    Extra(Extra),
    Strict(Strict),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Loose, pk = "EXTRA#<id>", sk = "<rank>", gsi1(as = by_rank, pk = "RANK#<shown>"))]
struct Extra {
    #[dyna(key_only)]
    id: String,
    rank: Ordered<i32>,
    shown: Option<Ordered<i32>>,
    #[serde(flatten)]
    more: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(deny_unknown_fields)]
#[dyna(table = Loose, pk = "STRICT#<id>", sk = "STRICT", gsi1(as = by_name, pk = "NAME#<name>"))]
struct Strict {
    id: String,
    name: Option<String>,
}

#[tokio::test]
async fn added_attributes_are_hidden_from_the_entity() {
    let (_, db) = engine::<Loose>().await;
    let more = BTreeMap::from([
        ("colour".to_owned(), "red".to_owned()),
        ("x".to_owned(), String::new()),
    ]);
    let extra = Extra {
        id: "a".to_owned(),
        rank: Ordered(-3),
        shown: Some(Ordered(-3)),
        more,
    };
    extra.create().send(&db).await.unwrap();
    assert_eq!(
        names(&only(&db).await),
        ["colour", "gsi1pk", "kind", "pk", "rank", "shown", "sk", "x"]
    );
    assert_eq!(
        Extra::get("a", Ordered(-3)).send(&db).await.unwrap(),
        Some(extra.clone())
    );
    assert_eq!(
        Extra::by_rank(Ordered(-3)).one(&db).await.unwrap(),
        Some(extra)
    );
    for name in [None, Some("n".to_owned())] {
        let strict = Strict {
            id: "a".to_owned(),
            name,
        };
        strict.put().send(&db).await.unwrap();
        assert_eq!(Strict::get("a").send(&db).await.unwrap(), Some(strict));
    }
    assert!(Strict::by_name("n").one(&db).await.unwrap().is_some());
}

/// A flattened map, which may come from anyone, writes no key: not of the table, not of an index that the item is left
/// out of, not of one that the entity knows nothing of, and not the tag.
#[tokio::test]
async fn a_flattened_map_does_not_reach_the_keys() {
    let (_, db) = engine::<Loose>().await;
    for name in ["pk", "sk", "kind", "gsi1pk", "gsi2pk"] {
        let more = BTreeMap::from([(name.to_owned(), "FORGED".to_owned())]);
        let extra = Extra {
            id: "a".to_owned(),
            rank: Ordered(0),
            shown: None,
            more,
        };
        match extra.put().send(&db).await {
            Err(error) => assert!(
                error.to_string().starts_with(&format!("Extra: {name}: ")),
                "{error}"
            ),
            Ok(()) => assert_ne!(
                only(&db).await.get(name),
                Some(&s("FORGED")),
                "{name} is forged"
            ),
        }
    }
}

#[tokio::test]
async fn one_is_an_error_where_there_are_two() {
    let (_, db) = engine::<Shop>().await;
    for id in [1, 2] {
        order(id, Some("carl"), Some(1))
            .put()
            .send(&db)
            .await
            .unwrap();
    }
    let error = Order::by_courier("carl").one(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "Order: the query matched more than one item"
    );
    assert!(matches!(
        error,
        dyna_runtime::Error::MoreThanOne {
            entity: "Order",
            ..
        }
    ));
    assert_eq!(
        Order::by_courier("carl")
            .first(&db)
            .await
            .unwrap()
            .unwrap()
            .order_id,
        Ulid(1)
    );
}

/// A key is a part of the item that the field would have been: their texts must be the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "visits", pk = "id", sk = "at"), pk = "<id>", sk = "<at>")]
struct Visit {
    id: String,
    at: jiff::Timestamp,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "calls", pk = "id", sk = "at"), pk = "<id>", sk = "<at>")]
struct Call {
    id: String,
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    at: jiff::Timestamp,
}

#[tokio::test]
async fn a_native_key_is_never_read_as_another_value() {
    let at = "2025-01-01T00:00:00.123456Z".parse().unwrap();
    let (engine, db) = engine::<Visit>().await;
    let before = engine.requests();
    let error = Visit {
        id: "a".to_owned(),
        at,
    }
    .put()
    .send(&db)
    .await
    .unwrap_err();
    assert!(error.to_string().starts_with("Visit: at: "), "{error}");
    assert_eq!(engine.requests(), before);

    // Where both write milliseconds, what is written is read.
    let db = Call::embedded().await.unwrap();
    let call = Call {
        id: "a".to_owned(),
        at: "2025-01-01T00:00:00.123Z".parse().unwrap(),
    };
    call.put().send(&db).await.unwrap();
    assert_eq!(Call::query("a").one(&db).await.unwrap(), Some(call));
}
