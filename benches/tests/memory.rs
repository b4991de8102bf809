//! Streams and parallel scans hold the pages in flight, whatever the table holds; and ten thousand requests at once.
//!
//! The server makes its pages when it is asked for them, so that nothing but the pages in flight has to be in memory. `DYNA_MEMORY=1000000` reads
//! so many items; the figures are printed as a table.

use allocation_counter::measure;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region, RuntimeComponents};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use dyna_benches::shapes::{Chat, LastRead};
use dyna_runtime::{ItemStream, Table};
use futures_core::Stream;
use serde_json::Value;
use std::fmt::Write as _;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::Barrier;

/// Items of a page.
const PAGE: u64 = 1_000;
/// Segments of a parallel scan.
const SEGMENTS: u16 = 16;
/// Requests at the same time.
const AT_ONCE: usize = 10_000;

/// A table of so many items, which no one stores.
#[derive(Debug, Clone)]
struct Synthetic {
    items: u64,
    /// Where the responses of gets wait for each other.
    gate: Arc<Barrier>,
}

impl Synthetic {
    fn table(items: u64) -> Table<Chat> {
        let config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("eu-central-1"))
            .credentials_provider(Credentials::new("id", "secret", None, None, "memory"))
            .http_client(Self {
                items,
                gate: Arc::new(Barrier::new(AT_ONCE)),
            });
        Table::open(Client::from_conf(config.build()))
    }

    /// The page after the key that a request starts at.
    fn page(&self, asked: &Value) -> String {
        let segments = asked["TotalSegments"].as_u64().unwrap_or(1);
        let segment = asked["Segment"].as_u64().unwrap_or(0);
        let last = asked["ExclusiveStartKey"]["sk"]["S"].as_str();
        let last = last.and_then(|sk| sk.strip_prefix("READ#c")?.parse().ok());
        let start = last.map_or(segment * self.items / segments, |last: u64| last + 1);
        let end = (segment + 1) * self.items / segments;
        let stop = (start + PAGE).min(end);
        let mut body = String::with_capacity(200 * 1024);
        let count = stop.saturating_sub(start);
        let _ = write!(
            body,
            r#"{{"Count":{count},"ScannedCount":{count},"Items":["#
        );
        for n in start..stop {
            body.push_str(if n == start { "" } else { "," });
            let _ = write!(body, "{}", item(n));
        }
        body.push(']');
        if stop < end {
            let _ = write!(
                body,
                r#","LastEvaluatedKey":{{"pk":{{"S":"USER#ann"}},"sk":{{"S":"READ#c{:09}"}}}}"#,
                stop - 1
            );
        }
        body.push('}');
        body
    }
}

fn item(n: u64) -> String {
    format!(
        r#"{{"pk":{{"S":"USER#ann"}},"sk":{{"S":"READ#c{n:09}"}},"entity_type":{{"S":"LastRead"}},"user_id":{{"S":"ann"}},"channel_id":{{"S":"c{n:09}"}},"message_id":{{"S":"01J{n:022}"}}}}"#
    )
}

fn response(body: String) -> HttpResponse {
    let mut response = HttpResponse::new(200.try_into().expect("a status"), SdkBody::from(body));
    let headers = response.headers_mut();
    headers.insert("content-type", "application/x-amz-json-1.0");
    response
}

impl HttpConnector for Synthetic {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let body = request.body().bytes().unwrap_or_default();
        let asked: Value = serde_json::from_slice(body).expect("the SDK writes JSON");
        let Some(key) = asked["Key"]["sk"]["S"].as_str() else {
            return HttpConnectorFuture::ready(Ok(response(self.page(&asked))));
        };
        let number = key.trim_start_matches("READ#c").parse();
        let body = format!(r#"{{"Item":{}}}"#, item(number.expect("a number")));
        let gate = Arc::clone(&self.gate);
        HttpConnectorFuture::new(async move {
            gate.wait().await;
            Ok(response(body))
        })
    }
}

impl HttpClient for Synthetic {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

fn wait<F: Future>(future: F) -> F::Output {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().build();
    runtime.expect("a runtime without threads").block_on(future)
}

/// The most bytes that a read of so many items holds at a time.
fn peak(items: u64, read: impl AsyncFn(&Table<Chat>) -> u64) -> u64 {
    let db = Synthetic::table(items);
    // What is made once, and stays.
    let _ = wait(LastRead::query("ann").page_size(1).send(&db));
    let counted = measure(|| assert_eq!(wait(read(&db)), items));
    counted.bytes_max
}

async fn stream(db: &Table<Chat>) -> u64 {
    count(LastRead::query("ann").stream(db)).await
}

async fn parallel_scan(db: &Table<Chat>) -> u64 {
    count(LastRead::scan().segments(SEGMENTS).stream(db)).await
}

/// Takes the items one by one.
async fn count(mut items: ItemStream<LastRead>) -> u64 {
    let mut count = 0;
    while let Some(item) = poll_fn(|context| Pin::new(&mut items).poll_next(context)).await {
        assert!(item.expect("an item").channel_id.starts_with('c'));
        count += 1;
    }
    count
}

fn many() -> u64 {
    let given = std::env::var("DYNA_MEMORY").ok();
    given.and_then(|n| n.parse().ok()).unwrap_or(100_000)
}

/// Bytes of a page.
fn page_bytes() -> u64 {
    PAGE * u64::try_from(item(1).len()).expect("a length")
}

#[test]
fn stream_holds_one_page_whatever_the_table_holds() {
    let few = peak(10_000, stream);
    let most = peak(many(), stream);
    println!(
        "| stream | 10,000 | {few} |\n| stream | {} | {most} |",
        many()
    );
    assert!(most.abs_diff(few) <= page_bytes(), "{few} and {most} bytes");
    assert!(most <= 8 * page_bytes(), "{most} bytes");
}

#[test]
fn parallel_scan_holds_one_page_of_each_segment() {
    let segments = u64::from(SEGMENTS);
    let few = peak(64_000, parallel_scan);
    let most = peak(many().max(128_000), parallel_scan);
    println!(
        "| scan, {SEGMENTS} segments | 64,000 | {few} |\n| scan, {SEGMENTS} segments | {} | {most} |",
        many().max(128_000)
    );
    assert!(
        most.abs_diff(few) <= segments * page_bytes(),
        "{few} and {most} bytes"
    );
    assert!(most <= 4 * segments * page_bytes(), "{most} bytes");
}

#[test]
fn ten_thousand_gets_are_in_flight_at_once() {
    let db = Synthetic::table(0);
    let counted = measure(|| {
        wait(async {
            let mut gets = tokio::task::JoinSet::new();
            for n in 0..AT_ONCE {
                let db = db.clone();
                gets.spawn(async move {
                    let found = LastRead::get("ann", format!("c{n:09}")).send(&db).await;
                    let found = found.expect("an answer").expect("an item");
                    assert_eq!(found.channel_id, format!("c{n:09}"));
                });
            }
            let mut done = 0;
            while let Some(get) = gets.join_next().await {
                get.expect("no panic");
                done += 1;
            }
            assert_eq!(done, AT_ONCE);
        });
    });
    let each = counted.bytes_max / 10_000;
    println!("| get, 10,000 at once | 10,000 | {} |", counted.bytes_max);
    assert!(each <= 64 * 1024, "{each} bytes for each");
}
