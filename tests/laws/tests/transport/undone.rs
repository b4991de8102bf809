//! What an adaptive limit makes of batches that DynamoDB leaves undone. Time is virtual.

#![expect(
    clippy::float_cmp,
    reason = "a rate is what was asked for, or a half of it"
)]

use super::{Note, Notes, note};
use aws_sdk_dynamodb::Client;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{Table, rcu, wcu};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The engine, which leaves so many of the next batches undone.
#[derive(Debug, Clone)]
struct Undone {
    engine: Embedded,
    left: Arc<AtomicUsize>,
    /// Bytes of an item that it returns beside what it leaves undone.
    beside: usize,
}

impl HttpConnector for Undone {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let order = Ordering::Relaxed;
        let less = |left: usize| left.checked_sub(1);
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let is_write = target.ends_with("BatchWriteItem");
        let is_batch = is_write || target.ends_with("BatchGetItem");
        if !is_batch || self.left.fetch_update(order, order, less).is_err() {
            return HttpConnector::call(&self.engine, request);
        }
        let asked: Value = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let items = &asked["RequestItems"];
        let item = json!({
            "pk": { "S": "USER#ann" }, "sk": { "S": "NOTE#0001" }, "kind": { "S": "Note" },
            "user": { "S": "ann" }, "n": { "N": "1" }, "topic": { "S": "x" }, "count": { "N": "0" },
            "secret": { "S": "x".repeat(self.beside) },
        });
        let body = if is_write {
            json!({ "UnprocessedItems": items })
        } else {
            json!({ "Responses": { "notes": [item] }, "UnprocessedKeys": items })
        };
        let mut response = HttpResponse::new(200.try_into().unwrap(), body.to_string().into());
        let headers = response.headers_mut();
        headers.insert("content-type", "application/x-amz-json-1.0");
        HttpConnectorFuture::ready(Ok(response))
    }
}

impl HttpClient for Undone {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

async fn table(left: usize, beside: usize) -> Table<Notes> {
    let engine = Embedded::in_memory().unwrap();
    let plain = Table::<Notes>::embedded_in(&engine).await.unwrap();
    note(1).put().send(&plain).await.unwrap();
    let config = engine.config().http_client(Undone {
        engine: engine.clone(),
        left: Arc::new(AtomicUsize::new(left)),
        beside,
    });
    Table::open(Client::from_conf(config.build()))
}

#[tokio::test(start_paused = true)]
async fn adaptive_write_limit_falls_when_writes_are_left_undone() {
    let limit = wcu(40).adaptive();
    let db = table(1, 0).await;
    let notes = [note(1), note(2)];
    let batch = db.batch_write().put_all(&notes).at_most(limit.clone());
    assert!(batch.send().await.unwrap().is_empty());
    assert!(limit.units_per_second() < 30.0, "{limit:?}");

    let fixed = wcu(40);
    let db = table(1, 0).await;
    let batch = db.batch_write().put_all(&notes).at_most(fixed.clone());
    assert!(batch.send().await.unwrap().is_empty());
    assert_eq!(fixed.units_per_second(), 40.0);
}

#[tokio::test(start_paused = true)]
async fn adaptive_read_limit_falls_when_keys_are_left_undone() {
    let limit = rcu(40).adaptive();
    let db = table(1, 0).await;
    let found = db
        .batch_get([Note::key("ann", 1)])
        .at_most(limit.clone())
        .await
        .unwrap();
    assert!(found.items[0].is_some());
    assert!(limit.units_per_second() < 30.0, "{limit:?}");
}

/// A response has 16 MB: then keys are left, and nothing was throttled.
#[tokio::test(start_paused = true)]
async fn adaptive_read_limit_stays_when_the_response_was_full() {
    let limit = rcu(40).adaptive();
    let db = table(1, 16 * 1024 * 1024).await;
    let found = db
        .batch_get([Note::key("ann", 1)])
        .at_most(limit.clone())
        .await
        .unwrap();
    assert!(found.items[0].is_some());
    assert_eq!(limit.units_per_second(), 40.0);
}
