//! Requests under way: a server that takes its time, and counts them.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Region};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use dyna_runtime::{DynaEntity, DynaTable, Table};
use futures_core::Stream;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long the server takes for an answer.
const ANSWER: Duration = Duration::from_secs(10);
/// Answers of a partition or a segment, of two items each.
const ANSWERS: u64 = 4;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "slow", pk = "pk", sk = "sk"),
    pk = "P#<p>",
    sk = "<n:04>"
)]
struct Note {
    p: String,
    n: u64,
}

#[derive(Debug, Clone, Default)]
struct Slow {
    asked: Arc<AtomicUsize>,
    in_flight: Arc<AtomicUsize>,
    /// The most that were under way at once.
    most: Arc<AtomicUsize>,
}

impl HttpConnector for Slow {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let body: Value = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let server = self.clone();
        server.asked.fetch_add(1, Ordering::Relaxed);
        let now = server.in_flight.fetch_add(1, Ordering::Relaxed) + 1;
        server.most.fetch_max(now, Ordering::Relaxed);
        HttpConnectorFuture::new(async move {
            sleep(ANSWER).await;
            server.in_flight.fetch_sub(1, Ordering::Relaxed);
            let status = 200.try_into().unwrap();
            let answer = answer(&body).to_string();
            Ok(HttpResponse::new(status, SdkBody::from(answer)))
        })
    }
}

/// The two items after the start key: numbers that leave room for those of other partitions.
fn answer(request: &Value) -> Value {
    let p = match &request["ExpressionAttributeValues"][":p"]["S"] {
        Value::String(pk) => pk.trim_start_matches("P#").to_owned(),
        _ => request["Segment"].to_string(),
    };
    let start = request["ExclusiveStartKey"]["sk"]["S"].as_str();
    let start = start.map_or(0, |sk| sk.parse::<u64>().unwrap() + 1);
    let item = |n: u64| {
        let (pk, sk) = (format!("P#{p}"), format!("{n:04}"));
        json!({"pk": {"S": pk}, "sk": {"S": sk}, "p": {"S": p}, "n": {"N": n.to_string()}})
    };
    let last = start + 1;
    let mut answer = json!({"Items": [item(start), item(last)], "Count": 2, "ScannedCount": 2});
    if last + 1 < 2 * ANSWERS {
        let (pk, sk) = (format!("P#{p}"), format!("{last:04}"));
        answer["LastEvaluatedKey"] = json!({"pk": {"S": pk}, "sk": {"S": sk}});
    }
    answer
}

impl HttpClient for Slow {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

fn slow() -> (Slow, Table<Note>) {
    let server = Slow::default();
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("local"))
        .endpoint_url("http://localhost")
        .allow_no_auth()
        .http_client(server.clone());
    (server, Note::open(Client::from_conf(config.build())))
}

impl Slow {
    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    fn most(&self) -> usize {
        self.most.load(Ordering::Relaxed)
    }
}

async fn next<E>(stream: &mut Pin<&mut impl Stream<Item = dyna_runtime::Result<E>>>) -> Option<E> {
    let item = std::future::poll_fn(|context| stream.as_mut().poll_next(context)).await;
    item.transpose().unwrap()
}

/// Reads all, taking as long for each item as half an answer takes.
async fn consume(stream: impl Stream<Item = dyna_runtime::Result<Note>>) -> (usize, Duration) {
    let (mut stream, start) = (pin!(stream), Instant::now());
    let mut items = 0;
    while next(&mut stream).await.is_some() {
        items += 1;
        sleep(ANSWER / 2).await;
    }
    (items, start.elapsed())
}

#[tokio::test(start_paused = true)]
async fn next_page_is_prefetched_while_items_are_used() {
    let (server, db) = slow();
    let (items, time) = consume(Note::query("a").stream(&db)).await;
    // Each answer is waited for, and then its two items are used.
    assert_eq!((items, time.as_secs()), (8, 8 * ANSWER.as_secs()));
    assert_eq!((server.asked(), server.most()), (4, 1));

    let (server, db) = slow();
    let (items, time) = consume(Note::query("a").prefetch(1).stream(&db)).await;
    // Only the first answer is waited for.
    assert_eq!((items, time.as_secs()), (8, 5 * ANSWER.as_secs()));
    assert_eq!((server.asked(), server.most()), (4, 1));

    let (_, db) = slow();
    let (items, time) = consume(Note::scan().prefetch(1).stream(&db)).await;
    assert_eq!((items, time.as_secs()), (8, 5 * ANSWER.as_secs()));
}

#[tokio::test(start_paused = true)]
async fn prefetch_bounds_buffered_pages() {
    for prefetch in 0..3 {
        let (server, db) = slow();
        let mut stream = pin!(Note::query("a").prefetch(prefetch).stream(&db));
        next(&mut stream).await.unwrap();
        // Polled for the second item of the first answer only after all that it may ask for has come.
        sleep(9 * ANSWER).await;
        next(&mut stream).await.unwrap();
        sleep(9 * ANSWER).await;
        assert_eq!(server.asked(), 1 + prefetch, "{prefetch}");
    }
}

#[tokio::test(start_paused = true)]
async fn limit_bounds_prefetch() {
    let (server, db) = slow();
    let items = Note::query("a")
        .prefetch(9)
        .limit(3)
        .all(&db)
        .await
        .unwrap();
    assert_eq!(items.len(), 3);
    assert_eq!(server.asked(), 2);
}

#[tokio::test(start_paused = true)]
async fn partitions_are_read_with_bounded_concurrency() {
    let partitions = || (0..20_u8).map(|p| p.to_string());
    for (concurrency, expected) in [(None, 8), (Some(3), 3), (Some(0), 1), (Some(99), 20)] {
        let (server, db) = slow();
        let mut query = Note::query_many(partitions());
        if let Some(concurrency) = concurrency {
            query = query.concurrency(concurrency);
        }
        let items = query.clone().all(&db).await.unwrap();
        assert_eq!(items.len(), 20 * 8);
        assert!(items.is_sorted_by_key(|it| it.n));
        assert_eq!(server.most(), expected);

        let (server, db) = slow();
        assert_eq!(query.clone().prefetch(1).all(&db).await.unwrap(), items);
        assert_eq!(server.most(), expected);

        let (server, db) = slow();
        assert_eq!(query.count(&db).await.unwrap(), 20 * 8);
        assert_eq!(server.most(), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn first_item_needs_one_response_per_partition() {
    let (server, db) = slow();
    let mut stream = pin!(Note::query_many(["a", "b", "c"]).stream(&db));
    let start = Instant::now();
    for (p, n) in [("a", 0), ("b", 0), ("c", 0), ("a", 1), ("b", 1)] {
        let note = next(&mut stream).await.unwrap();
        assert_eq!((note.p.as_str(), note.n), (p, n));
    }
    // Whether `a` has another with 1 is only known from its next answer.
    assert!(server.asked() <= 5);
    assert!(start.elapsed() <= 3 * ANSWER);
    let page = Note::query_many(["a", "b"]).send(&db).await.unwrap();
    let found: Vec<_> = page.items.iter().map(|it| (it.p.as_str(), it.n)).collect();
    assert_eq!(found, [("a", 0), ("b", 0), ("a", 1)]);
}
