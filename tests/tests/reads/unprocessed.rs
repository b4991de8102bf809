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
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Leaves the key undone in its first answers, and then reads it.
#[derive(Debug, Clone)]
struct Reluctant {
    asked: Arc<AtomicUsize>,
    patience: usize,
}

const UNDONE: &str = r#"{"Responses":{"reads":[]},"UnprocessedKeys":{"reads":{"Keys":[{"pk":{"S":"USER#ann"},"sk":{"S":"PROFILE"}}]}}}"#;
const DONE: &str = r#"{"Responses":{"reads":[{"pk":{"S":"USER#ann"},"sk":{"S":"PROFILE"},"kind":{"S":"User"},"id":{"S":"ann"}}]},"UnprocessedKeys":{}}"#;

impl HttpConnector for Reluctant {
    fn call(&self, _: HttpRequest) -> HttpConnectorFuture {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        let body = if asked < self.patience { UNDONE } else { DONE };
        let status = 200.try_into().unwrap();
        let mut response = HttpResponse::new(status, SdkBody::from(body));
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

fn server(patience: usize) -> (Arc<AtomicUsize>, Client) {
    let asked = Arc::new(AtomicUsize::new(0));
    let server = Reluctant {
        asked: asked.clone(),
        patience,
    };
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("local"))
        .endpoint_url("http://localhost")
        .allow_no_auth()
        .http_client(server);
    (asked, Client::from_conf(config.build()))
}

#[tokio::test(start_paused = true)]
async fn keys_that_are_left_undone_are_asked_for_again() {
    let (asked, client) = server(3);
    let db = Shop::open(client);
    let batch = db.batch_get([User::key("ann")]).await.unwrap();
    assert_eq!(
        batch.items,
        [Some(User {
            id: "ann".to_owned()
        })]
    );
    assert!(batch.unprocessed.is_empty());
    assert_eq!(asked.load(Ordering::Relaxed), 4);
}

#[tokio::test(start_paused = true)]
async fn keys_that_stay_undone_are_returned() {
    let (asked, client) = server(usize::MAX);
    let db = Shop::open(client);
    let batch = db.batch_get([User::key("ann")]).await.unwrap();
    assert_eq!(batch.items, [None]);
    assert_eq!(batch.unprocessed, [User::key("ann")]);
    assert_eq!(asked.load(Ordering::Relaxed), 11);
}
