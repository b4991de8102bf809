//! Reads of many items: streams, counts, scans, batches and transactions.

mod collections;
mod optional;
mod projections;
mod scans;
mod unprocessed;
mod vanished;

use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaEntity, DynaTable, Error, Table};
use futures_core::Stream;
use serde::{Deserialize, Serialize};
use std::pin::pin;

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(name = "reads", pk = "pk", sk = "sk", tag = "kind")]
enum Shop {
    User(User),
    Order(Order),
    Line(Line),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<id>", sk = "PROFILE")]
struct User {
    id: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<user>", sk = "ORDER#<n:05>")]
struct Order {
    user: String,
    n: u32,
    text: String,
}

/// Listed below its order: a query of orders meets lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<user>", sk = "ORDER#<order:05>#LINE#<n:05>")]
struct Line {
    user: String,
    order: u32,
    n: u32,
}

fn order(user: &str, n: u32) -> Order {
    Order {
        user: user.to_owned(),
        n,
        text: "x".repeat(500),
    }
}

async fn shop() -> (Embedded, Table<Shop>) {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::embedded_in(&engine).await.unwrap();
    for user in ["ann", "bob"] {
        let id = user.to_owned();
        User { id }.create().send(&db).await.unwrap();
        for n in 0..40 {
            order(user, n).create().send(&db).await.unwrap();
            let user = user.to_owned();
            let line = Line {
                user,
                order: n,
                n: 1,
            };
            line.create().send(&db).await.unwrap();
        }
    }
    (engine, db)
}

async fn collected<E>(stream: impl Stream<Item = dyna_runtime::Result<E>>) -> Vec<E> {
    let mut stream = pin!(stream);
    let mut items = Vec::new();
    while let Some(item) = std::future::poll_fn(|context| stream.as_mut().poll_next(context)).await
    {
        items.push(item.unwrap());
    }
    items
}

#[tokio::test]
async fn stream_equals_all() {
    let (_, db) = shop().await;
    let orders: Vec<Order> = (0..40).map(|n| order("ann", n)).collect();
    for size in [1, 7, 1000] {
        let query = Order::query("ann").page_size(size);
        assert_eq!(query.clone().all(&db).await.unwrap(), orders);
        assert_eq!(collected(query.stream(&db)).await, orders);
    }
    let some = Order::query("ann").descending().limit(5).page_size(2);
    let last: Vec<Order> = orders.iter().rev().take(5).cloned().collect();
    assert_eq!(collected(some.stream(&db)).await, last);
}

#[tokio::test]
async fn stream_sends_requests_when_polled() {
    let (engine, db) = shop().await;
    let before = engine.requests();
    let mut stream = pin!(Line::query("ann").page_size(2).stream(&db));
    assert_eq!(engine.requests(), before);
    for _ in 0..2 {
        std::future::poll_fn(|context| stream.as_mut().poll_next(context))
            .await
            .unwrap()
            .unwrap();
    }
    // Two lines lie between three orders: DynamoDB looks at two items per answer.
    assert!(
        engine.requests() - before <= 4,
        "{}",
        engine.requests() - before
    );
}

#[tokio::test]
async fn streams_of_invalid_keys_yield_the_error_and_end() {
    let (engine, db) = shop().await;
    let before = engine.requests();
    let mut stream = pin!(Order::query("ann#bob").stream(&db));
    let first = std::future::poll_fn(|context| stream.as_mut().poll_next(context)).await;
    assert!(first.unwrap().unwrap_err().is_invalid_key());
    let second = std::future::poll_fn(|context| stream.as_mut().poll_next(context)).await;
    assert!(second.is_none());
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn counts_are_of_own_items() {
    let (_, db) = shop().await;
    assert_eq!(Order::query("ann").count(&db).await.unwrap(), 40);
    assert_eq!(
        Order::query("ann")
            .n_range(..10)
            .page_size(3)
            .count(&db)
            .await
            .unwrap(),
        10
    );
    assert_eq!(Order::query("ann").limit(7).count(&db).await.unwrap(), 7);
    assert_eq!(
        Line::query("ann")
            .order(3)
            .page_size(1)
            .count(&db)
            .await
            .unwrap(),
        1
    );
    assert_eq!(Order::query("nobody").count(&db).await.unwrap(), 0);
}

#[tokio::test]
async fn batches_keep_the_order_of_their_keys() {
    let (engine, db) = shop().await;
    // Backwards, twice, with gaps, and more than one request holds.
    let numbers: Vec<u32> = (0..150).rev().chain(0..5).collect();
    let before = engine.requests();
    let batch = db
        .batch_get(numbers.iter().map(|n| Order::key("ann", *n)))
        .await
        .unwrap();
    assert_eq!(engine.requests() - before, 2);
    let expected: Vec<_> = numbers
        .iter()
        .map(|n| (*n < 40).then(|| order("ann", *n)))
        .collect();
    assert_eq!(batch.items, expected);
    assert!(batch.unprocessed.is_empty());
}

#[tokio::test]
async fn empty_batch_sends_no_request() {
    let (engine, db) = shop().await;
    let before = engine.requests();
    let batch = db
        .batch_get(Vec::<dyna_runtime::Key<User>>::new())
        .consistent()
        .await
        .unwrap();
    assert!(batch.items.is_empty());
    let error = db
        .batch_get([User::key("ann"), User::key("")])
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "User: key field `id` is empty");
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn transactions_read_items_of_several_entities() {
    let (engine, db) = shop().await;
    let keys = (
        User::key("ann"),
        Order::key("bob", 7),
        Order::key("bob", 99),
    );
    let (user, seven, none) = db.transact_get(keys).await.unwrap();
    assert_eq!(user.unwrap().id, "ann");
    assert_eq!(seven, Some(order("bob", 7)));
    assert_eq!(none, None);

    let before = engine.requests();
    let keys: Vec<_> = (0..101).map(|n| Order::key("bob", n)).collect();
    let error = db.transact_get(keys).await.unwrap_err();
    assert!(
        matches!(
            error,
            Error::TooMany {
                found: 101,
                max: 100,
                ..
            }
        ),
        "{error}"
    );
    let error = db.transact_get((User::key("a#b"),)).await.unwrap_err();
    assert!(error.is_invalid_key());
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn cursor_of_another_range_is_refused() {
    let (engine, db) = shop().await;
    let cursor = Order::query("ann")
        .n_range(..20)
        .limit(2)
        .send(&db)
        .await
        .unwrap()
        .next;
    let before = engine.requests();
    let error = Order::query("ann")
        .n_range(30..)
        .after(cursor.clone())
        .send(&db)
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Cursor { .. }), "{error}");
    assert_eq!(engine.requests(), before);
    let page = Order::query("ann")
        .n_range(..20)
        .limit(2)
        .after(cursor)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(page.items, [order("ann", 2), order("ann", 3)]);
}

#[tokio::test]
async fn explicit_limits_are_respected() {
    let (_, db) = shop().await;
    assert_eq!(
        Order::query("ann").limit(1).one(&db).await.unwrap(),
        Some(order("ann", 0))
    );
    let error = Order::query("ann").one(&db).await.unwrap_err();
    assert!(
        matches!(error, Error::MoreThanOne { entity: "Order" }),
        "{error}"
    );
    assert_eq!(Order::query("ann").limit(0).all(&db).await.unwrap(), []);
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "blobs", pk = "owner", sk = binary("hash")),
    pk = "<owner>",
    sk = "<hash>"
)]
struct Blob {
    owner: String,
    #[serde(with = "serde_bytes")]
    hash: Vec<u8>,
}

#[tokio::test]
async fn binary_sort_keys_are_queried_as_bytes() {
    let db = Blob::embedded().await.unwrap();
    for hash in [[1_u8, 2], [3, 4]] {
        let blob = Blob {
            owner: "o".to_owned(),
            hash: hash.to_vec(),
        };
        blob.create().send(&db).await.unwrap();
    }
    let found = Blob::query("o")
        .hash(&[3_u8, 4][..])
        .all(&db)
        .await
        .unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].hash, [3, 4]);
    assert_eq!(Blob::query("o").all(&db).await.unwrap().len(), 2);
    assert!(
        Blob::get("o", vec![1_u8, 2])
            .send(&db)
            .await
            .unwrap()
            .is_some()
    );
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "visits", pk = "pk", sk = "sk"),
    pk = "SITE#<site>",
    sk = "DAY#<at:%Y-%m-%d>#<n:03>"
)]
struct Visit {
    site: String,
    at: jiff::Timestamp,
    n: u32,
}

/// A day holds all its instants: a range that cuts through a day yields the whole of it.
#[tokio::test]
async fn ranges_over_a_layout_are_complete() {
    let db = Visit::embedded().await.unwrap();
    let at = |text: &str| text.parse::<jiff::Timestamp>().unwrap();
    let visit = |at, n| Visit {
        site: "s".to_owned(),
        at,
        n,
    };
    let morning = visit(at("2025-03-01T08:00:00Z"), 1);
    let noon = visit(at("2025-03-01T12:00:00Z"), 2);
    let later = visit(at("2025-03-02T00:00:00Z"), 3);
    for visit in [&morning, &noon, &later] {
        visit.create().send(&db).await.unwrap();
    }
    let within = Visit::query("s").at_range(at("2025-03-01T09:00:00Z")..at("2025-03-01T17:00:00Z"));
    assert_eq!(
        within.all(&db).await.unwrap(),
        [morning.clone(), noon.clone()]
    );
    // Ends at midnight are exact.
    let day = Visit::query("s").at_range(at("2025-03-01T00:00:00Z")..at("2025-03-02T00:00:00Z"));
    assert_eq!(day.all(&db).await.unwrap(), [morning, noon]);
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "ticks", pk = "pk", sk = "sk"),
    pk = "CLOCK#<clock>",
    sk = "<at>"
)]
struct Tick {
    clock: String,
    #[dyna(key_only)]
    at: jiff::Timestamp,
}

/// A key holds milliseconds: what lies below them would be gone when the item is read.
#[tokio::test]
async fn field_that_its_key_does_not_hold_is_refused() {
    let engine = Embedded::in_memory().unwrap();
    let db: Table<Tick> = Table::embedded_in(&engine).await.unwrap();
    let tick = |at: &str| Tick {
        clock: "c".to_owned(),
        at: at.parse().unwrap(),
    };
    let whole = tick("2025-03-01T08:00:00.123Z");
    whole.create().send(&db).await.unwrap();
    assert_eq!(Tick::query("c").one(&db).await.unwrap(), Some(whole));

    let before = engine.requests();
    let error = tick("2025-03-01T08:00:00.123456Z")
        .put()
        .send(&db)
        .await
        .unwrap_err();
    let expected = "Tick: at: is stored only in a key, which cannot represent this value";
    assert_eq!(error.to_string(), expected);
    assert_eq!(engine.requests(), before);
}
