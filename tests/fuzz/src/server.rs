//! A server that gives the response that it is told to, and keeps the last request.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region, RuntimeComponents};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use dyna_runtime::{DynaTable, Table};
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::runtime::{Builder, Runtime};

/// A response that has nothing in it.
const NOTHING: &[u8] = br#"{"Count":0,"Items":[],"ScannedCount":0}"#;

#[derive(Debug, Default)]
struct Exchange {
    /// The next response; after it, all are empty.
    response: Option<Bytes>,
    requests: Vec<Bytes>,
}

/// A server in this process.
#[derive(Debug, Clone, Default)]
pub(crate) struct Server(Arc<Mutex<Exchange>>);

impl Server {
    fn lock(&self) -> MutexGuard<'_, Exchange> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives this as its next response.
    pub(crate) fn respond(&self, body: &[u8]) {
        let mut exchange = self.lock();
        exchange.response = Some(Bytes::copy_from_slice(body));
        exchange.requests.clear();
    }

    /// The body of the first request since.
    pub(crate) fn request(&self) -> Option<Value> {
        let exchange = self.lock();
        let body = exchange.requests.first()?;
        Some(serde_json::from_slice(body).expect("the body of a request is JSON"))
    }
}

impl HttpConnector for Server {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let mut exchange = self.lock();
        let body = request.body().bytes().unwrap_or_default();
        exchange.requests.push(Bytes::copy_from_slice(body));
        let body = exchange.response.take();
        let body = SdkBody::from(body.unwrap_or(Bytes::from_static(NOTHING)));
        let mut response = HttpResponse::new(200.try_into().expect("a status"), body);
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

/// A client of such a server, on a runtime whose time does not pass.
pub(crate) struct Caller {
    pub(crate) server: Server,
    pub(crate) client: Client,
    runtime: Runtime,
}

impl Caller {
    pub(crate) fn new() -> Self {
        let server = Server::default();
        let config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("eu-central-1"))
            .credentials_provider(Credentials::new("id", "secret", None, None, "fuzz"))
            .retry_config(RetryConfig::disabled())
            .http_client(server.clone());
        let mut runtime = Builder::new_current_thread();
        Self {
            server,
            client: Client::from_conf(config.build()),
            runtime: runtime
                .enable_time()
                .start_paused(true)
                .build()
                .expect("a runtime without threads"),
        }
    }

    pub(crate) fn table<T: DynaTable>(&self) -> Table<T> {
        Table::open(self.client.clone())
    }

    /// What a future yields.
    pub(crate) fn wait<F: Future>(&self, future: F) -> F::Output {
        self.runtime.block_on(future)
    }
}
