//! What is stored of a value that is `None`.

use super::{map, n, names, null, raw, s, store};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaEntity, DynaFields, DynaTable};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, DynaFields)]
struct Address {
    city: String,
    zip: Option<u32>,
    lines: Vec<Option<String>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Choice {
    Some(Option<u8>),
    Pair(Option<u8>, Option<u8>),
    Named { a: Option<u8>, b: u8 },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "value")]
enum Adjacent {
    One(Option<u8>),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Internal {
    One { a: Option<u8>, b: u8 },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
    note: Option<String>,
    address: Address,
    moved_to: Option<Address>,
    by_name: BTreeMap<String, Option<u8>>,
    unit: (),
    json: serde_json::Value,
    newtype: Wrapped,
    choices: Vec<Choice>,
    adjacent: Adjacent,
    internal: Internal,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Wrapped(Option<u8>);

fn user() -> User {
    User {
        id: "ann".to_owned(),
        note: None,
        address: Address {
            city: "Rome".to_owned(),
            zip: None,
            lines: vec![None, Some("a".to_owned())],
        },
        moved_to: None,
        by_name: BTreeMap::from([("x".to_owned(), None), ("y".to_owned(), Some(1))]),
        unit: (),
        json: serde_json::json!({ "a": null }),
        newtype: Wrapped(None),
        choices: vec![
            Choice::Some(None),
            Choice::Pair(None, Some(1)),
            Choice::Named { a: None, b: 1 },
        ],
        adjacent: Adjacent::One(None),
        internal: Internal::One { a: None, b: 1 },
    }
}

#[tokio::test]
async fn none_in_a_struct_field_is_not_stored_at_any_depth() {
    let db = User::embedded().await.unwrap();
    let user = user();
    user.create().send(&db).await.unwrap();
    let item = raw(&db, "USER#ann").await;
    assert_eq!(
        names(&item),
        [
            "address", "adjacent", "by_name", "choices", "id", "internal", "json", "pk", "unit"
        ]
    );
    let lines = AttributeValue::L(vec![null(), s("a")]);
    assert_eq!(
        item["address"],
        map([("city", s("Rome")), ("lines", lines)])
    );
    assert_eq!(item["adjacent"], map([("type", s("One"))]));
    assert_eq!(item["internal"], map([("type", s("One")), ("b", n(1))]));
    // What would be another value without it is NULL.
    assert_eq!(item["by_name"], map([("x", null()), ("y", n(1))]));
    let choices = AttributeValue::L(vec![
        map([("Some", null())]),
        map([("Pair", AttributeValue::L(vec![null(), n(1)]))]),
        map([("Named", map([("b", n(1))]))]),
    ]);
    assert_eq!(item["choices"], choices);
    // These are no absent values.
    assert_eq!(item["unit"], null());
    assert_eq!(item["json"], map([("a", null())]));

    let read = User::get("ann").send(&db).await.unwrap();
    assert_eq!(read.as_ref(), Some(&user));
}

#[tokio::test]
async fn set_to_none_removes_the_attribute() {
    let db = User::embedded().await.unwrap();
    let mut user = user();
    user.note = Some("x".to_owned());
    user.address.zip = Some(7);
    user.put().send(&db).await.unwrap();
    User::update("ann")
        .set(User::NOTE, None)
        .set(User::ADDRESS.field(Address::ZIP), None)
        .set(User::ADDRESS.field(Address::LINES).index(1), None)
        .set(User::BY_NAME.entry("y"), None)
        .send(&db)
        .await
        .unwrap();
    let item = raw(&db, "USER#ann").await;
    assert!(!item.contains_key("note"));
    // An element of a list and an entry of a map stay, and are NULL.
    let lines = AttributeValue::L(vec![null(), null()]);
    assert_eq!(
        item["address"],
        map([("city", s("Rome")), ("lines", lines)])
    );
    assert_eq!(item["by_name"], map([("x", null()), ("y", null())]));

    user.note = None;
    user.address.zip = None;
    user.address.lines = vec![None, None];
    user.by_name = BTreeMap::from([("x".to_owned(), None), ("y".to_owned(), None)]);
    assert_eq!(
        User::get("ann").send(&db).await.unwrap(),
        Some(user.clone())
    );

    // A value that is set as a whole is stored as `put` stores it, and a unit is no absent value.
    User::update("ann")
        .set(User::MOVED_TO, user.address.clone())
        .set(User::JSON, serde_json::Value::Null)
        .set(User::UNIT, ())
        .send(&db)
        .await
        .unwrap();
    let item = raw(&db, "USER#ann").await;
    assert_eq!(item["moved_to"], item["address"]);
    assert_eq!((&item["json"], &item["unit"]), (&null(), &null()));
}

#[tokio::test]
async fn null_and_absent_are_read_alike() {
    let db = User::embedded().await.unwrap();
    user().put().send(&db).await.unwrap();
    let mut item = raw(&db, "USER#ann").await;
    item.insert("note".to_owned(), null());
    item.insert("moved_to".to_owned(), null());
    if let Some(AttributeValue::M(address)) = item.get_mut("address") {
        address.insert("zip".to_owned(), null());
    }
    store(&db, item.iter().map(|(k, v)| (k.as_str(), v.clone()))).await;
    assert_eq!(User::get("ann").send(&db).await.unwrap(), Some(user()));
}
