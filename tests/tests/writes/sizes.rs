//! Sizes as DynamoDB counts them, of every kind of attribute, and of what an update sets.

use super::{Order, Shop, User, user};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::error::SizeLimit;
use dyna_runtime::serde::{binary_set, number_set, string_set};
use dyna_runtime::{Condition, DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Every kind of attribute that there is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "kinds", pk = "pk", sk = number("sk")), pk = "KIND#<id>", sk = "<sk>")]
struct Kinds {
    id: String,
    sk: i64,
    large: i128,
    float: f64,
    flag: bool,
    #[dyna(nulls = "store")]
    nothing: Option<u8>,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    list: Vec<Vec<i16>>,
    map: BTreeMap<String, Option<bool>>,
    #[serde(with = "string_set")]
    words: BTreeSet<String>,
    #[serde(with = "number_set")]
    numbers: BTreeSet<i32>,
    #[serde(with = "binary_set")]
    blobs: BTreeSet<Vec<u8>>,
    pad: String,
}

/// By hand: names, then values. `pk` and `KIND#k`, `id` and `k`, `sk` and -42 (3), `large` and 38 digits (20), `float` and -1.5 (4),
/// `flag` (1), `nothing` (1), `bytes` and 5, `list` and 3 + 2 + (3 + 2 + 2 + 3) + 3, `map` and 3 + 2 + 2 + 1 + 1 + 1, `words` and 5,
/// `numbers` and 2 + 3, `blobs` and 3, and `pad`.
const WITHOUT_PAD: usize = (2 + 6)
    + (2 + 1)
    + (2 + 3)
    + (5 + 20)
    + (5 + 4)
    + (4 + 1)
    + (7 + 1)
    + (5 + 5)
    + (4 + 18)
    + (3 + 10)
    + (5 + 5)
    + (7 + 5)
    + (5 + 3)
    + 3;

fn kinds(bytes: usize) -> Kinds {
    let entry = |name: &str, value| (name.to_owned(), value);
    Kinds {
        id: "k".to_owned(),
        sk: -42,
        large: 12_345_678_901_234_567_890_123_456_789_012_345_678,
        float: -1.5,
        flag: true,
        nothing: None,
        bytes: vec![0; 5],
        list: vec![vec![7, -300], vec![]],
        map: BTreeMap::from([entry("é", Some(true)), entry("n", None)]),
        words: BTreeSet::from(["ab".to_owned(), "é!".to_owned()]),
        numbers: BTreeSet::from([10, -7]),
        blobs: BTreeSet::from([vec![1], vec![2, 3]]),
        pad: "x".repeat(bytes - WITHOUT_PAD),
    }
}

const ITEM: usize = 400 * 1024;

#[tokio::test]
async fn every_kind_of_attribute_is_counted_as_the_engine_counts_it() {
    let db = Kinds::embedded().await.unwrap();
    kinds(ITEM).put().send(&db).await.unwrap();
    let stored = Kinds::get("k", -42).send(&db).await.unwrap().unwrap();
    assert_eq!(stored, kinds(ITEM));
    let large = kinds(ITEM + 1);
    let error = large.put().send(&db).await.unwrap_err();
    let told = "Kinds: the item is 409601 bytes; DynamoDB allows 409600";
    assert_eq!(error.to_string(), told);
    // The engine does not take it either.
    let put = db.client().put_item().table_name(db.name().unwrap());
    let refused = put.set_item(Some(large.to_item().unwrap())).send().await;
    let error = Error::from(aws_sdk_dynamodb::Error::from(refused.unwrap_err()));
    assert!(error.to_string().contains("Item size"), "{error}");
}

async fn shop() -> (Embedded, Table<Shop>) {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::<Shop>::embedded_in(&engine).await.unwrap();
    (engine, db)
}

#[tokio::test]
async fn an_update_that_sets_too_much_is_refused() {
    let (engine, db) = shop().await;
    user("ann", 7).put().send(&db).await.unwrap();
    // pk + `USER#ann` + sk + `PROFILE` + kind + `User` + id + `ann` + age and 2 bytes of it, and the name.
    let others = 2 + 8 + 2 + 7 + 4 + 4 + 2 + 3 + 3 + 2 + 4;
    let rename = |bytes: usize| User::update("ann").set(User::NAME, "x".repeat(bytes));
    rename(ITEM - others).send(&db).await.unwrap();
    let before = engine.requests();
    // What is known of the item: its key and its name.
    let known = 2 + 8 + 2 + 7 + 4;
    let error = rename(ITEM - known + 1).send(&db).await.unwrap_err();
    let told = "User: the item is 409601 bytes; DynamoDB allows 409600";
    assert_eq!(error.to_string(), told);
    let error = db.transact().update(rename(ITEM)).send().await.unwrap_err();
    let is_item = |error: &Error| {
        matches!(
            error,
            Error::TooLarge {
                limit: SizeLimit::Item,
                ..
            }
        )
    };
    assert!(is_item(&error));
    let upsert = User::upsert("bob")
        .set(User::AGE, 1)
        .set(User::NAME, "x".repeat(ITEM));
    assert!(is_item(&upsert.send(&db).await.unwrap_err()));
    assert_eq!(engine.requests(), before);
    // What is not known before, DynamoDB tells.
    let error = rename(ITEM - others + 1).send(&db).await.unwrap_err();
    assert!(error.to_string().contains("Item size"), "{error}");
}

#[tokio::test]
async fn an_expression_has_300_operators() {
    let (engine, db) = shop().await;
    // n comparisons, and n - 1 times `OR`.
    let any = |n: u32| Condition::any((0..n).map(|total| Order::TOTAL.lt(total)));
    let delete = |condition| Order::delete("ann", 1).when(condition);
    let explained = |condition| delete(condition).explain().get("Error").map(str::to_owned);
    assert_eq!(explained(any(150)), None);
    let told = "301 operators in one expression; DynamoDB allows 300";
    assert_eq!(explained(any(151)).as_deref(), Some(told));
    // NOT, size and BETWEEN are three, and so are a function, IN and AND.
    let more = || Order::TOTAL.size().between(1, 2).not();
    let and = || Order::USER.contains("x").and(Order::TOTAL.is_in([1]));
    assert_eq!(explained(any(148).or(more())).as_deref(), None);
    assert_eq!(explained(any(149).or(more())).as_deref(), Some(told));
    assert_eq!(explained(any(149).or(and())).as_deref(), Some(told));
    let before = engine.requests();
    let error = delete(any(151)).send(&db).await.unwrap_err();
    assert!(matches!(
        error,
        Error::TooMany {
            found: 301,
            max: 300,
            ..
        }
    ));
    let filtered = Order::query("ann").filter(any(151)).all(&db).await;
    assert_eq!(filtered.unwrap_err().to_string(), told);
    assert_eq!(engine.requests(), before);
}

/// Fields that are keys of indexes themselves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "natives", pk = "id", index(by_city, pk = "city", sk = "street")),
    pk = "<id>",
    by_city(as = by_city, pk = "<city>", sk = "<street>"),
)]
struct Native {
    id: String,
    city: Option<String>,
    street: Option<String>,
}

#[tokio::test]
async fn a_field_that_is_a_key_itself_has_the_bytes_of_a_key() {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::<Native>::embedded_in(&engine).await.unwrap();
    let native = |id: usize, city: usize, street: usize| Native {
        id: "i".repeat(id),
        city: Some("c".repeat(city)),
        street: Some("s".repeat(street)),
    };
    native(2048, 2048, 1024).put().send(&db).await.unwrap();
    native(1, 1, 1).put().send(&db).await.unwrap();
    let city = |n: usize| {
        Native::update("i")
            .set(Native::CITY, "c".repeat(n))
            .send(&db)
    };
    let street = |n: usize| {
        let set = Native::update("i").set_if_missing(Native::STREET, "s".repeat(n));
        set.send(&db)
    };
    city(2048).await.unwrap();
    street(1024).await.unwrap();
    let before = engine.requests();
    for (id, city, street) in [
        (2049, 1, 1),
        (1, 2049, 1),
        (1, 1, 1025),
        (0, 1, 1),
        (1, 0, 1),
    ] {
        let error = native(id, city, street).put().send(&db).await.unwrap_err();
        assert!(error.is_invalid_key());
    }
    for error in [
        city(2049).await,
        street(1025).await,
        city(0).await,
        street(0).await,
    ] {
        assert!(error.unwrap_err().is_invalid_key());
    }
    assert_eq!(engine.requests(), before);
}

/// Bytes that are the key of an index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "files", pk = "id", index(by_hash, pk = binary("hash"))),
    pk = "<id>",
    by_hash(as = by_hash, pk = "<hash>"),
)]
struct File {
    id: String,
    #[serde(with = "serde_bytes")]
    hash: Vec<u8>,
}

#[tokio::test]
async fn bytes_that_are_a_key_have_the_bytes_of_a_key() {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::<File>::embedded_in(&engine).await.unwrap();
    let id = "f".to_owned();
    File { id, hash: vec![1] }.put().send(&db).await.unwrap();
    let set = |n: usize| File::update("f").set(File::HASH, vec![7; n]).send(&db);
    set(2048).await.unwrap();
    let before = engine.requests();
    for n in [0, 2049] {
        assert!(set(n).await.unwrap_err().is_invalid_key());
    }
    assert_eq!(engine.requests(), before);
    let found = File::by_hash(vec![7; 2048]).count(&db).await.unwrap();
    assert_eq!(found, 1);
}

#[tokio::test]
async fn index_key_set_to_none_is_removed() {
    let db = Native::embedded().await.unwrap();
    let native = Native {
        id: "i".to_owned(),
        city: None,
        street: None,
    };
    native.put().send(&db).await.unwrap();
    let update = Native::update("i").set_if_missing(Native::CITY, None::<String>);
    assert_eq!(update.explain().get("UpdateExpression"), None);
    update
        .set(Native::STREET, None::<String>)
        .send(&db)
        .await
        .unwrap();
    let key = AttributeValue::S("i".to_owned());
    let get = db.client().get_item().table_name(db.name().unwrap());
    let item = get.key("id", key).send().await.unwrap().item.unwrap();
    assert_eq!(item.len(), 1);
}
