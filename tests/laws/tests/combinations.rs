//! Features in combination: what is stored, expires and is said of a write that was made.

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "review",
    pk = "pk",
    sk = "sk",
    tag = "kind",
    ttl = "ttl",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(gsi2, pk = "gsi2pk")
)]
enum Review {
    Flat(Flat),
    Deep(Deep),
    Hand(Hand),
    Keyed(Keyed),
    Twice(Twice),
    Patch(Patch),
    Maybe(Maybe),
    Lease(Lease),
    Count(Count),
    Doc(Doc),
    Nest(Nest),
}

type Item = HashMap<String, AttributeValue>;

async fn raw(db: &Table<Review>, pk: &str) -> Item {
    let scan = db.client().scan().table_name(db.name().unwrap());
    let items = scan.send().await.unwrap().items.unwrap();
    let mut items = items.into_iter();
    items
        .find(|item| item["pk"].as_s().unwrap() == pk)
        .unwrap_or_default()
}

async fn store(db: &Table<Review>, item: &[(&str, AttributeValue)]) {
    let item = item.iter().map(|(k, v)| ((*k).to_owned(), v.clone()));
    let put = db.client().put_item().table_name(db.name().unwrap());
    put.set_item(Some(item.collect())).send().await.unwrap();
}

fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn n(number: i64) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

/// What is written is what is read, or it is not written.
macro_rules! round_trip {
    ($db:expr, $entity:expr, $get:expr) => {{
        let entity = $entity;
        match entity.put().send($db).await {
            Err(error) => assert!(matches!(error, dyna_runtime::Error::Encode { .. })),
            Ok(()) => assert_eq!($get.send($db).await.unwrap(), Some(entity)),
        }
    }};
}

/// The error of what is not written.
fn refused<T>(answer: dyna_runtime::Result<T>) -> String {
    let Err(error) = answer else {
        panic!("it is written")
    };
    let text = error.to_string();
    let is_encode = matches!(error, dyna_runtime::Error::Encode { .. });
    assert!(is_encode, "{text}");
    text
}

// --- an enum whose variant holds `None`, in a flattened field

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Limit {
    Cents(Option<u32>),
    Plan(String),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Review, pk = "FLAT#<id>", sk = "FLAT")]
struct Flat {
    id: String,
    #[serde(flatten)]
    limit: Limit,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Review, pk = "DEEP#<id>", sk = "DEEP")]
struct Deep {
    id: String,
    inner: Vec<Inner>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Inner {
    a: u32,
    #[serde(flatten)]
    limit: Limit,
}

// --- a map whose `Serialize` is written by hand

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(transparent)]
struct Labels(BTreeMap<String, Option<u32>>);

impl Serialize for Labels {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = to.serialize_map(None)?;
        for (name, value) in &self.0 {
            map.serialize_entry(name.as_str(), value)?;
        }
        map.end()
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Review, pk = "HAND#<id>", sk = "HAND")]
struct Hand {
    id: String,
    labels: Labels,
}

// --- the time of expiry is in the primary key

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Review, pk = "KEYED#<id>", sk = "<ends:010>")]
struct Keyed {
    id: String,
    #[dyna(ttl)]
    ends: u64,
    hits: u32,
}

#[tokio::test]
async fn an_upsert_of_an_item_that_expires_by_its_key() {
    let db = Review::embedded().await.unwrap();
    let keyed = Keyed {
        id: "put".to_owned(),
        ends: 5_000,
        hits: 1,
    };
    keyed.put().send(&db).await.unwrap();
    assert_eq!(raw(&db, "KEYED#put").await.get("ttl"), Some(&n(5_000)));
    let upsert = Keyed::upsert("ups", 5_000).add(Keyed::HITS, 1);
    upsert.send(&db).await.unwrap();
    assert_eq!(raw(&db, "KEYED#ups").await.get("ttl"), Some(&n(5_000)));
}

// --- two kinds of nothing

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Marker;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Review, pk = "TWICE#<id>", sk = "TWICE")]
struct Twice {
    id: String,
    #[allow(clippy::option_option, reason = "the shape under test")]
    option: Option<Option<u32>>,
    unit: Option<()>,
    marker: Option<Marker>,
}

/// An option of an option, in the form that is usual where absent and NULL differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Review, pk = "PATCH#<id>", sk = "PATCH", nulls = "store")]
struct Patch {
    id: String,
    #[allow(clippy::option_option, reason = "the shape under test")]
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    option: Option<Option<u32>>,
}

#[allow(clippy::option_option, reason = "the shape under test")]
fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Option<u32>>, D::Error> {
    Option::deserialize(from).map(Some)
}

// --- a flattened option

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Place {
    city: Option<String>,
    zip: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Review, pk = "MAYBE#<id>", sk = "MAYBE")]
struct Maybe {
    id: String,
    #[serde(flatten)]
    place: Option<Place>,
}

// --- the time of expiry has a default

fn hour() -> Duration {
    Duration::from_hours(1)
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Review, pk = "LEASE#<id>", sk = "LEASE")]
struct Lease {
    id: String,
    #[serde(default = "hour")]
    #[dyna(ttl)]
    lasts: Duration,
    hits: u32,
}

#[tokio::test]
async fn an_upsert_of_an_item_that_expires_by_default() {
    let db = Review::embedded().await.unwrap();
    let upsert = Lease::upsert("a").add(Lease::HITS, 1);
    if upsert.send(&db).await.is_ok() {
        let lease = Lease::get("a").send(&db).await.unwrap().unwrap();
        assert_eq!(lease.lasts, hour());
        assert!(
            raw(&db, "LEASE#a").await.contains_key("ttl"),
            "it says that it lasts an hour, and never expires"
        );
    }
}

// --- a write whose item cannot be read is made all the same

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Review, pk = "COUNT#<id>", sk = "COUNT")]
struct Count {
    id: String,
    hits: u32,
    color: String,
}

async fn unreadable() -> Table<Review> {
    let db = Review::embedded().await.unwrap();
    let item = [
        ("pk", s("COUNT#a")),
        ("sk", s("COUNT")),
        ("kind", s("Count")),
        ("id", s("a")),
        ("hits", n(1)),
        ("color", n(7)),
    ];
    store(&db, &item).await;
    db
}

#[tokio::test]
async fn applied_update_with_unreadable_item_is_reported_as_applied() {
    let db = unreadable().await;
    let update = Count::update("a").add(Count::HITS, 1).returning_new();
    let error = update.send(&db).await.unwrap_err();
    let made = raw(&db, "COUNT#a").await["hits"] == n(2);
    assert!(
        !made || error.returned_item().is_some(),
        "the write was made, and the error is: {error}"
    );
}

#[tokio::test]
async fn applied_put_with_unreadable_item_is_reported_as_applied() {
    let db = unreadable().await;
    let count = Count {
        id: "a".to_owned(),
        hits: 5,
        color: "red".to_owned(),
    };
    let error = count.put().returning_old().send(&db).await.unwrap_err();
    let made = raw(&db, "COUNT#a").await["hits"] == n(5);
    assert!(
        !made || error.returned_item().is_some(),
        "the write was made, and the error is: {error}"
    );
}

#[tokio::test]
async fn applied_delete_with_unreadable_item_returns_it() {
    let db = unreadable().await;
    let error = Count::delete("a")
        .returning_old()
        .send(&db)
        .await
        .unwrap_err();
    let made = raw(&db, "COUNT#a").await.is_empty();
    assert!(
        !made || error.returned_item().is_some(),
        "the item is gone, and the error is: {error}"
    );
}

// --- an item whose version is stored as zero, by a program before the field was a version

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Review, pk = "DOC#<id>", sk = "DOC")]
struct Doc {
    id: String,
    text: String,
    #[dyna(version)]
    version: u32,
}

#[tokio::test]
async fn an_item_with_version_zero_can_be_written() {
    let db = Review::embedded().await.unwrap();
    let old = [
        ("pk", s("DOC#a")),
        ("sk", s("DOC")),
        ("kind", s("Doc")),
        ("id", s("a")),
        ("text", s("x")),
        ("version", n(0)),
    ];
    store(&db, &old).await;
    let doc = Doc::get("a").send(&db).await.unwrap().unwrap();
    Doc::update_loaded(&doc)
        .set(Doc::TEXT, "y")
        .send(&db)
        .await
        .unwrap();
}

// --- a flattened struct with a flattened struct, beside a flattened map

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Geo {
    lat: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Spot {
    zip: Option<String>,
    #[serde(flatten)]
    geo: Geo,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Review, pk = "NEST#<id>", sk = "NEST")]
struct Nest {
    id: String,
    #[serde(flatten)]
    spot: Spot,
    #[serde(flatten)]
    extra: BTreeMap<String, String>,
}

#[tokio::test]
async fn a_flattened_map_does_not_pose_as_a_field_of_a_flattened_struct_in_another() {
    let db = Review::embedded().await.unwrap();
    let nest = Nest {
        id: "a".to_owned(),
        spot: Spot {
            zip: None,
            geo: Geo { lat: None },
        },
        extra: BTreeMap::from([("zip".to_owned(), "eve".to_owned())]),
    };
    round_trip!(&db, nest, Nest::get("a"));
}

#[tokio::test]
async fn a_variant_without_a_value_in_a_flattened_field_is_refused() {
    let db = Review::embedded().await.unwrap();
    let flat = |limit| Flat {
        id: "a".to_owned(),
        limit,
    };
    round_trip!(&db, flat(Limit::Plan("x".to_owned())), Flat::get("a"));
    round_trip!(&db, flat(Limit::Cents(Some(1))), Flat::get("a"));
    let none = flat(Limit::Cents(None));
    let error = refused(none.put().send(&db).await);
    assert!(
        error.starts_with("Flat: cents: could not be read back"),
        "{error}"
    );
    refused(none.create().send(&db).await);
    refused(db.batch_write().put(&none).send().await);
    refused(db.transact().put(&none).send().await);

    let inner = |cents| {
        vec![Inner {
            a: 1,
            limit: Limit::Cents(cents),
        }]
    };
    let deep = |cents| Deep {
        id: "a".to_owned(),
        inner: inner(cents),
    };
    round_trip!(&db, deep(Some(1)), Deep::get("a"));
    let error = refused(deep(None).put().send(&db).await);
    assert!(error.starts_with("Deep: inner[0]: "), "{error}");
    let set = Deep::update("a").set(Deep::INNER, inner(None));
    let error = refused(set.send(&db).await);
    assert!(error.starts_with("Deep: inner[0]: "), "{error}");
}

#[tokio::test]
async fn a_map_that_is_written_by_hand_keeps_its_entries() {
    let db = Review::embedded().await.unwrap();
    let hand = |value| Hand {
        id: "a".to_owned(),
        labels: Labels(BTreeMap::from([("a".to_owned(), value)])),
    };
    round_trip!(&db, hand(Some(1)), Hand::get("a"));
    let error = refused(hand(None).put().send(&db).await);
    assert!(error.starts_with("Hand: labels.*: is `None`"), "{error}");
}

fn twice() -> Twice {
    Twice {
        id: "a".to_owned(),
        option: None,
        unit: None,
        marker: None,
    }
}

#[tokio::test]
async fn some_without_a_value_is_refused() {
    let db = Review::embedded().await.unwrap();
    round_trip!(&db, twice(), Twice::get("a"));
    let seven = Twice {
        option: Some(Some(7)),
        ..twice()
    };
    round_trip!(&db, seven, Twice::get("a"));
    let option = Twice {
        option: Some(None),
        ..twice()
    };
    let unit = Twice {
        unit: Some(()),
        ..twice()
    };
    let marker = Twice {
        marker: Some(Marker),
        ..twice()
    };
    for (name, some) in [("option", option), ("unit", unit), ("marker", marker)] {
        let expected = format!("Twice: {name}: is a `Some` without a value");
        let error = refused(some.put().send(&db).await);
        assert!(error.starts_with(&expected), "{error}");
        let error = refused(db.batch_write().put(&some).send().await);
        assert!(error.starts_with(&expected), "{error}");
    }
    let set = Twice::update("a").set(Twice::OPTION, Some(None));
    let error = refused(set.send(&db).await);
    assert!(error.starts_with("Twice: option: "), "{error}");
    let set = Twice::update("a").set(Twice::UNIT, Some(()));
    let error = refused(set.send(&db).await);
    assert!(error.starts_with("Twice: unit: "), "{error}");
    let set = Twice::update("a").set(Twice::OPTION, Some(Some(8)));
    set.send(&db).await.unwrap();
}

/// The form of serde's that tells absent from NULL, where NULL is stored.
#[tokio::test]
async fn some_none_round_trips_where_null_is_stored() {
    let db = Review::embedded().await.unwrap();
    for option in [None, Some(None), Some(Some(7))] {
        let patch = Patch {
            id: "a".to_owned(),
            option,
        };
        patch.put().send(&db).await.unwrap();
        assert_eq!(Patch::get("a").send(&db).await.unwrap(), Some(patch));
    }
    let set = Patch::update("a").set(Patch::OPTION, Some(None));
    set.send(&db).await.unwrap();
    let patch = Patch::get("a").send(&db).await.unwrap().unwrap();
    assert_eq!(patch.option, Some(None));
}

/// serde reads the fields of a flattened struct, whether one of them is there or not.
#[tokio::test]
async fn a_flattened_option_comes_back_as_it_was_or_is_refused() {
    let db = Review::embedded().await.unwrap();
    let maybe = |place| Maybe {
        id: "a".to_owned(),
        place,
    };
    let place = |city: Option<&str>| Place {
        city: city.map(str::to_owned),
        zip: None,
    };
    for city in [None, Some("Rome")] {
        let maybe = maybe(Some(place(city)));
        maybe.put().send(&db).await.unwrap();
        assert_eq!(Maybe::get("a").send(&db).await.unwrap(), Some(maybe));
    }
    let error = refused(maybe(None).put().send(&db).await);
    assert!(error.starts_with("Maybe: city: is not written"), "{error}");
}

#[tokio::test]
async fn a_flattened_struct_in_another_is_not_in_the_map_beside_it() {
    let db = Review::embedded().await.unwrap();
    let nest = |zip: Option<&str>| Nest {
        id: "a".to_owned(),
        spot: Spot {
            zip: zip.map(str::to_owned),
            geo: Geo { lat: None },
        },
        extra: BTreeMap::new(),
    };
    round_trip!(&db, nest(None), Nest::get("a"));
    let error = refused(nest(Some("1")).put().send(&db).await);
    assert!(
        error.starts_with("Nest: zip: would be read into two"),
        "{error}"
    );
}
