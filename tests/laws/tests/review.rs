//! Combinations that a reviewer tried.

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, SystemTime};

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
    Untagged(Untagged),
    Task(Task),
    Lock(Lock),
    Maybe(Maybe),
    Lease(Lease),
    Count(Count),
    Line(Line),
    Doc(Doc),
    Nest(Nest),
    Claim(Claim),
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

#[tokio::test]
async fn a_variant_without_a_value_in_a_flattened_field() {
    let db = Review::embedded().await.unwrap();
    let flat = |limit| Flat {
        id: "a".to_owned(),
        limit,
    };
    round_trip!(&db, flat(Limit::Plan("x".to_owned())), Flat::get("a"));
    round_trip!(&db, flat(Limit::Cents(Some(1))), Flat::get("a"));
    round_trip!(&db, flat(Limit::Cents(None)), Flat::get("a"));
}

#[tokio::test]
async fn a_variant_without_a_value_in_a_flattened_field_of_a_list() {
    let db = Review::embedded().await.unwrap();
    let inner = vec![Inner {
        a: 1,
        limit: Limit::Cents(None),
    }];
    let deep = Deep {
        id: "a".to_owned(),
        inner,
    };
    round_trip!(&db, deep, Deep::get("a"));
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

#[tokio::test]
async fn a_map_that_is_written_by_hand_keeps_its_entries() {
    let db = Review::embedded().await.unwrap();
    let labels = Labels(BTreeMap::from([("a".to_owned(), None)]));
    let hand = Hand {
        id: "a".to_owned(),
        labels,
    };
    round_trip!(&db, hand, Hand::get("a"));
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
    twice: Option<Option<u32>>,
    unit: Option<()>,
    marker: Option<Marker>,
}

fn twice() -> Twice {
    Twice {
        id: "a".to_owned(),
        twice: None,
        unit: None,
        marker: None,
    }
}

#[tokio::test]
async fn some_none_is_not_none() {
    let db = Review::embedded().await.unwrap();
    let twice = Twice {
        twice: Some(None),
        ..twice()
    };
    round_trip!(&db, twice, Twice::get("a"));
}

#[tokio::test]
async fn some_marker_is_not_none() {
    let db = Review::embedded().await.unwrap();
    let twice = Twice {
        marker: Some(Marker),
        ..twice()
    };
    round_trip!(&db, twice, Twice::get("a"));
}

// --- an absent field tells the variants of an untagged enum apart

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Short {
    y: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Long {
    y: u32,
    x: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Either {
    Short(Short),
    Long(Long),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Review, pk = "UNTAGGED#<id>", sk = "UNTAGGED")]
struct Untagged {
    id: String,
    either: Either,
}

#[tokio::test]
async fn an_untagged_variant_whose_field_is_absent() {
    let db = Review::embedded().await.unwrap();
    let untagged = Untagged {
        id: "a".to_owned(),
        either: Either::Long(Long { y: 1, x: None }),
    };
    let json = serde_json::to_string(&untagged).unwrap();
    assert_eq!(serde_json::from_str::<Untagged>(&json).unwrap(), untagged);
    round_trip!(&db, untagged, Untagged::get("a"));
}

// --- a field with a default that older items do not have

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Review,
    pk = "TASK#<id>",
    sk = "TASK",
    gsi1(as = by_owner, pk = "OWNER#<owner>", sk = "<rank:05>"),
    gsi2(as = by_group, pk = "GROUP#<group>"),
)]
struct Task {
    id: String,
    owner: String,
    #[serde(default)]
    rank: u32,
    group: Option<String>,
}

#[tokio::test]
async fn an_older_item_without_a_defaulted_index_field_can_be_updated() {
    let db = Review::embedded().await.unwrap();
    let old = [
        ("pk", s("TASK#a")),
        ("sk", s("TASK")),
        ("kind", s("Task")),
        ("id", s("a")),
        ("owner", s("ann")),
    ];
    store(&db, &old).await;
    let task = Task::get("a").send(&db).await.unwrap().unwrap();
    let update = Task::update_of(&task).set(Task::OWNER, "bob");
    update.send(&db).await.unwrap();
}

// --- a lock that was taken over

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Review, pk = "LOCK#<id>", sk = "LOCK")]
struct Lock {
    id: String,
    owner: String,
    #[dyna(ttl)]
    lasts: Duration,
    #[dyna(version)]
    version: u64,
}

#[tokio::test]
async fn who_lost_an_expired_lock_cannot_write_over_the_next() {
    let db = Review::embedded().await.unwrap();
    let lock = |owner: &str| Lock {
        id: "a".to_owned(),
        owner: owner.to_owned(),
        lasts: Duration::from_secs(60),
        version: 0,
    };
    let ann = lock("ann");
    let ann = ann.create().returning_new().send(&db).await.unwrap();
    let later = db.with_clock(|| SystemTime::now() + Duration::from_secs(61));
    let bob = lock("bob");
    bob.create().or_expired().send(&later).await.unwrap();
    let late = Lock::update_of(&ann).set(Lock::OWNER, "ann").send(&later);
    assert!(late.await.is_err(), "ann writes over the lock of bob");
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

#[tokio::test]
async fn a_flattened_option_of_absent_fields() {
    let db = Review::embedded().await.unwrap();
    let maybe = Maybe {
        id: "a".to_owned(),
        place: None,
    };
    round_trip!(&db, maybe, Maybe::get("a"));
}

// --- the time of expiry has a default

fn hour() -> Duration {
    Duration::from_secs(3_600)
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
        assert!(raw(&db, "LEASE#a").await.contains_key("ttl"), "it says that it lasts an hour, and never expires");
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
async fn an_update_that_was_made_does_not_look_as_if_it_was_not() {
    let db = unreadable().await;
    let update = Count::update("a").add(Count::HITS, 1).returning_new();
    let error = update.send(&db).await.unwrap_err();
    let made = raw(&db, "COUNT#a").await["hits"] == n(2);
    assert!(!made || error.is_outcome_unknown(), "the write was made, and the error is: {error}");
}

#[tokio::test]
async fn a_put_that_was_made_does_not_look_as_if_it_was_not() {
    let db = unreadable().await;
    let count = Count {
        id: "a".to_owned(),
        hits: 5,
        color: "red".to_owned(),
    };
    let error = count.put().returning_old().send(&db).await.unwrap_err();
    let made = raw(&db, "COUNT#a").await["hits"] == n(5);
    assert!(!made || error.is_outcome_unknown(), "the write was made, and the error is: {error}");
}

#[tokio::test]
async fn a_delete_that_was_made_does_not_lose_the_item() {
    let db = unreadable().await;
    let error = Count::delete("a").returning_old().send(&db).await.unwrap_err();
    let made = raw(&db, "COUNT#a").await.is_empty();
    assert!(!made || error.is_outcome_unknown(), "the item is gone, and the error is: {error}");
}

// --- misfits, limits and counts

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Review, pk = "LINE#<log>", sk = "<at:04>")]
struct Line {
    log: String,
    at: u16,
    text: String,
}

async fn lines() -> Table<Review> {
    let db = Review::embedded().await.unwrap();
    for at in 1..=4 {
        let line = Line {
            log: "a".to_owned(),
            at,
            text: "x".to_owned(),
        };
        line.put().send(&db).await.unwrap();
    }
    let misfit = [
        ("pk", s("LINE#a")),
        ("sk", s("00001")),
        ("kind", s("Line")),
        ("log", s("a")),
        ("at", n(1)),
        ("text", s("x")),
    ];
    store(&db, &misfit).await;
    db
}

#[tokio::test]
async fn a_count_up_to_a_limit_without_misfits() {
    let db = lines().await;
    let count = Line::query("a").limit(3).skip_unreadable().count(&db);
    assert_eq!(count.await.unwrap(), 3, "there are four");
}

#[tokio::test]
async fn a_limit_is_of_items_whether_there_is_a_filter_or_not() {
    let db = lines().await;
    let all = Line::query("a").limit(3).skip_unreadable().all(&db).await.unwrap();
    let filtered = Line::query("a").filter(Line::TEXT.eq("x")).limit(3);
    let filtered = filtered.skip_unreadable().all(&db).await.unwrap();
    assert_eq!(all.items, filtered.items);
}

// --- a response that is lost on the way

mod lost {
    use super::*;
    use aws_sdk_dynamodb::Client;
    use aws_sdk_dynamodb::config::retry::RetryConfig;
    use aws_smithy_runtime_api::client::http::{
        HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
    };
    use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
    use aws_smithy_runtime_api::client::result::ConnectorError;
    use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
    use dyna_runtime::embedded::Embedded;

    /// Hands every request to the engine, and loses the response.
    #[derive(Debug, Clone)]
    struct Lost(Embedded);

    impl HttpConnector for Lost {
        fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
            let made = self.0.call(request);
            HttpConnectorFuture::new(async move {
                made.await?;
                Err(ConnectorError::io("connection reset".into()))
            })
        }
    }

    impl HttpClient for Lost {
        fn http_connector(
            &self,
            _: &HttpConnectorSettings,
            _: &RuntimeComponents,
        ) -> SharedHttpConnector {
            SharedHttpConnector::new(self.clone())
        }
    }

    #[tokio::test]
    async fn a_write_whose_response_is_lost_may_have_been_made() {
        let engine = Embedded::in_memory().unwrap();
        let direct = Table::<Review>::embedded_in(&engine).await.unwrap();
        let config = engine.config().http_client(Lost(engine.clone()));
        let config = config.retry_config(RetryConfig::disabled());
        let db = Table::<Review>::open(Client::from_conf(config.build()));
        let count = Count {
            id: "a".to_owned(),
            hits: 5,
            color: "red".to_owned(),
        };
        let error = count.create().send(&db).await.unwrap_err();
        assert!(!raw(&direct, "COUNT#a").await.is_empty(), "it was made");
        assert!(error.is_outcome_unknown(), "{error}");
    }
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
    Doc::update_of(&doc).set(Doc::TEXT, "y").send(&db).await.unwrap();
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
async fn a_flattened_struct_in_another_is_not_in_the_map_beside_it() {
    let db = Review::embedded().await.unwrap();
    let nest = Nest {
        id: "a".to_owned(),
        spot: Spot {
            zip: Some("1".to_owned()),
            geo: Geo { lat: None },
        },
        extra: BTreeMap::new(),
    };
    round_trip!(&db, nest, Nest::get("a"));
}

// --- a unique field with a default that older items do not have

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Review, pk = "CLAIM#<id>", sk = "CLAIM")]
struct Claim {
    id: String,
    #[serde(default = "unnamed")]
    #[dyna(unique)]
    name: String,
}

fn unnamed() -> String {
    "unnamed".to_owned()
}

#[tokio::test]
async fn an_older_item_without_a_defaulted_unique_field_can_be_deleted() {
    let db = Review::embedded().await.unwrap();
    let old = [
        ("pk", s("CLAIM#a")),
        ("sk", s("CLAIM")),
        ("kind", s("Claim")),
        ("id", s("a")),
    ];
    store(&db, &old).await;
    let claim = Claim::get("a").send(&db).await.unwrap().unwrap();
    Claim::delete_of(&claim).send(&db).await.unwrap();
}
