//! What DynamoDB leaves undone: the embedded engine never does, so a server that answers as told stands in for it.

use super::{Shop, User};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Region};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use dyna_runtime::Table;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Leaves all keys undone in its first answers, and then reads some in each: never those of Eve.
#[derive(Debug, Clone)]
struct Reluctant {
    asked: Arc<AtomicUsize>,
    patience: usize,
    portion: usize,
}

impl Reluctant {
    fn answer(&self, body: &Value) -> Value {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        let portion = if asked < self.patience {
            0
        } else {
            self.portion
        };
        let id = |key: &Value| key["pk"]["S"].as_str().unwrap()["USER#".len()..].to_owned();
        let (mut items, mut undone) = (Vec::new(), Vec::new());
        let keys = body["RequestItems"]["reads"]["Keys"].as_array().unwrap();
        assert!(keys.len() <= 100);
        for key in keys {
            if items.len() < portion && id(key) != "eve" {
                let (mut item, id) = (key.clone(), id(key));
                item["id"] = json!({"S": id});
                items.push(item);
            } else {
                undone.push(key.clone());
            }
        }
        // In no order.
        items.reverse();
        json!({"Responses": {"reads": items}, "UnprocessedKeys": {"reads": {"Keys": undone}}})
    }
}

impl HttpConnector for Reluctant {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let body = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let body = SdkBody::from(self.answer(&body).to_string());
        let mut response = HttpResponse::new(200.try_into().unwrap(), body);
        let headers = response.headers_mut();
        headers.insert("content-type", "application/x-amz-json-1.0");
        HttpConnectorFuture::ready(Ok(response))
    }
}

impl HttpClient for Reluctant {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

fn server(patience: usize, portion: usize) -> (Arc<AtomicUsize>, Table<Shop>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let server = Reluctant {
        asked: asked.clone(),
        patience,
        portion,
    };
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("local"))
        .endpoint_url("http://localhost")
        .allow_no_auth()
        .http_client(server);
    (asked, Shop::open(Client::from_conf(config.build())))
}

fn user(id: &str) -> User {
    let id = id.to_owned();
    User { id }
}

#[tokio::test(start_paused = true)]
async fn unprocessed_keys_are_requested_again() {
    let (asked, db) = server(3, 100);
    let batch = db.batch_get([User::key("ann")]).await.unwrap();
    assert_eq!(batch.items, [Some(user("ann"))]);
    assert!(batch.unprocessed.is_empty());
    assert_eq!(asked.load(Ordering::Relaxed), 4);
}

#[tokio::test(start_paused = true)]
async fn keys_that_stay_undone_are_returned() {
    let (asked, db) = server(usize::MAX, 0);
    let batch = db.batch_get([User::key("ann")]).await.unwrap();
    assert_eq!(batch.items, [None]);
    assert_eq!(batch.unprocessed, [User::key("ann")]);
    assert_eq!(asked.load(Ordering::Relaxed), 11);
}

/// However little comes at a time and in which order, each key has its item, also one that is given twice.
#[tokio::test(start_paused = true)]
async fn batch_get_restores_order_of_partial_responses() {
    let (asked, db) = server(0, 30);
    let mut ids: Vec<String> = (0..250).rev().map(|n| n.to_string()).collect();
    ids.insert(120, "eve".to_owned());
    ids.extend(["7".to_owned(), "eve".to_owned(), "7".to_owned()]);
    let keys: Vec<_> = ids.iter().map(User::key).collect();
    let batch = db.batch_get(keys).await.unwrap();
    let expected = ids.iter().map(|id| (id != "eve").then(|| user(id)));
    assert_eq!(batch.items, expected.collect::<Vec<_>>());
    assert_eq!(batch.unprocessed, [User::key("eve"), User::key("eve")]);
    // 100, 100 and 51 keys: four requests, as many as there are tries for Eve, and two.
    assert_eq!(asked.load(Ordering::Relaxed), 4 + 11 + 2);
}
