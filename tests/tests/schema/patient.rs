//! A table that is not there at once, and a client whose configuration names no clock.

use aws_sdk_dynamodb::Client;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::Instant;

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "slow", pk = "pk"), pk = "SLOW#<id>")]
struct Slow {
    id: String,
}

/// The engine, but that it says of its table that it is being created until a time.
#[derive(Debug, Clone)]
struct Server {
    engine: Embedded,
    ready: Instant,
    created: Arc<AtomicBool>,
    asked: Arc<AtomicBool>,
}

const CREATING: &str = r#"{"Table":{"TableName":"slow","TableStatus":"CREATING"}}"#;

impl HttpConnector for Server {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        if target.ends_with(".CreateTable") {
            self.created.store(true, Ordering::Relaxed);
        }
        let is_slow = self.created.load(Ordering::Relaxed) && Instant::now() < self.ready;
        if !target.ends_with(".DescribeTable") || !is_slow {
            return self.engine.call(request);
        }
        self.asked.store(true, Ordering::Relaxed);
        let mut response = HttpResponse::new(200.try_into().unwrap(), SdkBody::from(CREATING));
        let headers = response.headers_mut();
        headers.insert("content-type", "application/x-amz-json-1.0");
        HttpConnectorFuture::ready(Ok(response))
    }
}

impl HttpClient for Server {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

#[tokio::test(start_paused = true)]
async fn a_new_table_is_waited_for_by_a_client_that_was_given_no_clock() {
    let engine = Embedded::in_memory().unwrap();
    let start = Instant::now();
    let server = Server {
        engine: engine.clone(),
        ready: start + Duration::from_secs(7),
        created: Arc::default(),
        asked: Arc::default(),
    };
    let config = engine.config().http_client(server.clone()).build();
    assert!(config.sleep_impl().is_none());
    let db = Slow::open(Client::from_conf(config));
    db.create_table().await.unwrap();
    assert!(server.asked.load(Ordering::Relaxed));
    let waited = start.elapsed();
    assert!((7..9).contains(&waited.as_secs()), "{waited:?}");
}
