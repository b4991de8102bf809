//! Consumed capacity: a meter of all requests, and limits on what requests consume per second. Time is virtual.

#![expect(clippy::float_cmp, reason = "these figures are sums of halves")]

use super::interceptors::collected;
use aws_sdk_dynamodb::Client;
use aws_smithy_async::time::TimeSource;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{CapacityMeter, DynaEntity, DynaTable, Table, rcu, wcu};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "notes", pk = "pk", sk = "sk", index(brief, pk = "bpk", sk = "bsk", projection = "keys_only")),
    pk = "USER#<user>",
    sk = "<n:04>",
    brief(as = by_topic, pk = "TOPIC#<topic>", sk = "<n:04>"),
)]
struct Note {
    user: String,
    n: u32,
    topic: String,
    text: String,
}

fn note(n: u32) -> Note {
    Note {
        user: "ann".to_owned(),
        n,
        topic: "all".to_owned(),
        text: "x".repeat(3000),
    }
}

/// The time of tokio, which tests stop.
#[derive(Debug)]
struct Virtual(Instant);

impl TimeSource for Virtual {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_hours(500_000) + self.0.elapsed()
    }
}

/// The engine, which throttles so many of the next attempts.
#[derive(Debug, Clone)]
struct Throttling {
    engine: Embedded,
    left: Arc<AtomicUsize>,
}

impl HttpConnector for Throttling {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let less = |left: usize| left.checked_sub(1);
        let order = Ordering::Relaxed;
        if self.left.fetch_update(order, order, less).is_ok() {
            let code = "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException";
            let body = format!(r#"{{"__type":"{code}","message":"slow down"}}"#);
            let mut response = HttpResponse::new(400.try_into().unwrap(), body.into());
            let headers = response.headers_mut();
            headers.insert("content-type", "application/x-amz-json-1.0");
            return HttpConnectorFuture::ready(Ok(response));
        }
        HttpConnector::call(&self.engine, request)
    }
}

impl HttpClient for Throttling {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

async fn table(notes: u32) -> (Arc<AtomicUsize>, Table<Note>, CapacityMeter) {
    let engine = Embedded::in_memory().unwrap();
    let plain = Table::<Note>::embedded_in(&engine).await.unwrap();
    let all: Vec<Note> = (0..notes).map(note).collect();
    let left = plain.batch_write().put_all(&all).send().await.unwrap();
    assert!(left.is_empty());
    let throttled = Arc::new(AtomicUsize::new(0));
    let config = engine.config().http_client(Throttling {
        engine: engine.clone(),
        left: Arc::clone(&throttled),
    });
    let config = config.time_source(Virtual(Instant::now()));
    let db = Table::<Note>::open(Client::from_conf(config.build()));
    let (db, meter) = db.metered();
    (throttled, db, meter)
}

#[tokio::test]
async fn meter_counts_every_kind_of_request() {
    let (_, db, meter) = table(40).await;
    let reads = [
        ("get", Note::get("ann", 1).send(&db).await.map(drop)),
        ("query", Note::query("ann").all(&db).await.map(drop)),
        ("scan", Note::scan().all(&db).await.map(drop)),
    ];
    for (name, read) in reads {
        read.expect(name);
    }
    let all = meter.take();
    assert!(all.read > 0.0 && all.write == 0.0, "{all:?}");
    let keys = || (0..40).map(|n| Note::key("ann", n));
    db.batch_get(keys()).await.unwrap();
    let batch = meter.take();
    assert!(batch.read >= 20.0 && batch.write == 0.0, "{batch:?}");
    db.transact_get(keys().collect::<Vec<_>>()).await.unwrap();
    let transaction = meter.take();
    assert!(transaction.read > batch.read, "{transaction:?}");

    let page = Note::query("ann")
        .return_consumed_capacity()
        .send(&db)
        .await;
    let consumed = page.unwrap().consumed_capacity.unwrap();
    assert_eq!(meter.take().read, consumed);
    let found = Note::by_topic("all").hydrate().all(&db).await.unwrap();
    assert_eq!(found.len(), 40);
    assert!(meter.take().read > consumed);

    note(1).put().send(&db).await.unwrap();
    let put = meter.take();
    assert!(put.write >= 3.0 && put.read == 0.0, "{put:?}");
    let update = Note::update("ann", 1).set(Note::TEXT, "short");
    update.send(&db).await.unwrap();
    assert!(meter.take().write >= 1.0);
    note(2).put().once().send(&db).await.unwrap();
    assert!(meter.take().write >= put.write);
    Note::delete("ann", 1).send(&db).await.unwrap();
    assert!(meter.take().write >= 1.0);
    let notes = [note(50), note(51)];
    let left = db.batch_write().put_all(&notes).send().await.unwrap();
    assert!(left.is_empty());
    assert!(meter.take().write >= 6.0);
    db.transact().create(&note(52)).send().await.unwrap();
    assert!(meter.consumed().write >= 6.0);
}

#[tokio::test]
async fn handle_that_is_not_metered_counts_nothing() {
    let db = Note::embedded().await.unwrap();
    let (_, meter) = db.metered();
    note(1).put().send(&db).await.unwrap();
    assert_eq!(meter.consumed().write, 0.0);
}

/// So many units took so long: the rate holds, and no time is wasted.
#[track_caller]
fn assert_rate(units: f64, elapsed: Duration, rate: f64, one_call: f64, calls: f64) {
    let seconds = elapsed.as_secs_f64();
    // A second's worth at the start, and what calls that are under way consume beyond what is expected.
    let most = rate * (seconds + 1.0) + one_call * calls;
    assert!(
        units <= most,
        "{units} units in {seconds} s, at most {most}"
    );
    let longest = units / rate + 2.0 + one_call * calls / rate;
    assert!(
        seconds <= longest,
        "{units} units in {seconds} s, at most {longest}"
    );
}

#[tokio::test(start_paused = true)]
async fn parallel_scan_holds_its_rate() {
    let (_, db, meter) = table(200).await;
    let start = Instant::now();
    let scan = Note::scan().consistent().segments(4).page_size(4);
    let found = scan.at_most(rcu(10)).all(&db).await.unwrap();
    assert_eq!(found.len(), 200);
    let units = meter.consumed().read;
    assert!(units > 100.0, "{units}");
    assert_rate(units, start.elapsed(), 10.0, 3.0, 4.0);
}

#[tokio::test(start_paused = true)]
async fn queries_that_share_a_limit_hold_it_together() {
    let (_, db, meter) = table(100).await;
    let start = Instant::now();
    let limit = rcu(8);
    let query = || Note::query("ann").page_size(4).at_most(limit.clone());
    let (one, other) = tokio::join!(query().all(&db), query().all(&db));
    assert_eq!(one.unwrap().len() + other.unwrap().len(), 200);
    assert_rate(meter.consumed().read, start.elapsed(), 8.0, 1.5, 2.0);
}

#[tokio::test(start_paused = true)]
async fn streams_hold_their_rates() {
    let (_, db, meter) = table(100).await;
    let start = Instant::now();
    let query = Note::query("ann").page_size(4).at_most(rcu(5));
    let found = collected(query.stream(&db)).await;
    assert_eq!(found.len(), 100);
    assert_rate(meter.consumed().read, start.elapsed(), 5.0, 1.5, 1.0);
    let (start, before) = (Instant::now(), meter.consumed().read);
    let scan = Note::scan().segments(2).page_size(4).at_most(rcu(5));
    let found = collected(scan.stream(&db)).await;
    assert_eq!(found.len(), 100);
    let units = meter.consumed().read - before;
    assert_rate(units, start.elapsed(), 5.0, 1.5, 2.0);
}

#[tokio::test(start_paused = true)]
async fn hydrated_items_are_limited_too() {
    let (_, db, meter) = table(60).await;
    let start = Instant::now();
    let query = Note::by_topic("all").page_size(10).hydrate();
    let found = query.at_most(rcu(5)).all(&db).await.unwrap();
    assert_eq!(found.len(), 60);
    assert_rate(meter.consumed().read, start.elapsed(), 5.0, 6.0, 1.0);
}

#[tokio::test(start_paused = true)]
async fn batches_hold_their_rates() {
    let (_, db, meter) = table(300).await;
    let start = Instant::now();
    let keys = (0..300).map(|n| Note::key("ann", n));
    let found = db.batch_get(keys).at_most(rcu(20)).await.unwrap();
    assert!(found.items.iter().all(Option::is_some));
    assert_rate(meter.take().read, start.elapsed(), 20.0, 50.0, 3.0);
    assert!(
        start.elapsed() > Duration::from_secs(2),
        "{:?}",
        start.elapsed()
    );

    let start = Instant::now();
    let notes: Vec<Note> = (0..100).map(note).collect();
    let batch = db.batch_write().put_all(&notes).at_most(wcu(30));
    assert!(batch.send().await.unwrap().is_empty());
    let units = meter.take().write;
    assert!(units >= 300.0, "{units}");
    assert_rate(units, start.elapsed(), 30.0, 125.0, 1.0);
    assert!(
        start.elapsed() > Duration::from_secs(4),
        "{:?}",
        start.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn adaptive_limit_falls_when_throttled_and_recovers() {
    let (throttled, db, _) = table(60).await;
    let limit = rcu(50).adaptive();
    let scan = || Note::scan().page_size(4).at_most(limit.clone());
    scan().all(&db).await.unwrap();
    assert_eq!(limit.units_per_second(), 50.0);
    throttled.store(1, Ordering::Relaxed);
    scan().limit(4).all(&db).await.unwrap();
    let once = limit.units_per_second();
    assert!((24.0..40.0).contains(&once), "{once}");
    for _ in 0..4 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        throttled.store(1, Ordering::Relaxed);
        scan().limit(4).all(&db).await.unwrap();
    }
    let low = limit.units_per_second();
    assert!(low < once / 2.0, "{low}");
    tokio::time::sleep(Duration::from_secs(31)).await;
    scan().limit(4).all(&db).await.unwrap();
    assert_eq!(limit.units_per_second(), 50.0);
}

#[tokio::test(start_paused = true)]
async fn fixed_limit_stays_what_it_is_when_throttled() {
    let (throttled, db, _) = table(8).await;
    let limit = rcu(50);
    throttled.store(1, Ordering::Relaxed);
    let scan = Note::scan().page_size(4).at_most(limit.clone());
    assert_eq!(scan.all(&db).await.unwrap().len(), 8);
    assert_eq!(limit.units_per_second(), 50.0);
}
