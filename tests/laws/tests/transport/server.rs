//! The engine behind a server that does what the engine never does.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryPartition;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaTable, Table};
use serde_json::{Value, json};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// What the server does with a request.
#[derive(Debug, Clone)]
pub(super) enum Does {
    /// Hands it to the engine.
    Pass,
    /// Hands it to the engine, and spoils the response.
    Spoil(Spoiled),
    /// Responds itself.
    Respond(u16, Value),
}

/// How a response is spoiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spoiled {
    Checksum,
    Empty,
    /// No body, and no header that says what it would be.
    Bare,
    CutOff,
    /// A whole JSON object that DynamoDB would not send.
    Malformed,
}

pub(super) const SPOILED: [Spoiled; 5] = [
    Spoiled::Checksum,
    Spoiled::Empty,
    Spoiled::Bare,
    Spoiled::CutOff,
    Spoiled::Malformed,
];

/// An error as DynamoDB sends it.
pub(super) fn error(code: &str) -> Does {
    let code = format!("com.amazonaws.dynamodb.v20120810#{code}");
    Does::Respond(
        400,
        json!({ "__type": code, "message": "said by the server" }),
    )
}

type Script = dyn Fn(usize, &str, &Value) -> Does + Send + Sync;

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// An engine whose requests go through a script, which is told how many of the operation there were before.
#[derive(Clone)]
pub(super) struct Server {
    engine: Embedded,
    asked: Arc<Mutex<Vec<(String, Value)>>>,
    script: Arc<Script>,
}

impl Server {
    pub(super) async fn table<T: DynaTable>(
        script: impl Fn(usize, &str, &Value) -> Does + Send + Sync + 'static,
    ) -> (Self, Table<T>) {
        let (server, client) = Self::client::<T>(script).await;
        (server, Table::open(client))
    }

    pub(super) async fn client<T: DynaTable>(
        script: impl Fn(usize, &str, &Value) -> Does + Send + Sync + 'static,
    ) -> (Self, Client) {
        let engine = Embedded::in_memory().unwrap();
        Table::<T>::embedded_in(&engine).await.unwrap();
        let server = Self {
            engine: engine.clone(),
            asked: Arc::default(),
            script: Arc::new(script),
        };
        // One for each: the SDK stops retrying when too many of one partition have failed.
        let partition = format!("server {}", COUNT.fetch_add(1, Ordering::Relaxed));
        let config = engine.config().http_client(server.clone());
        let config = config.retry_partition(RetryPartition::new(partition));
        (server, Client::from_conf(config.build()))
    }

    /// A handle whose requests go to the engine as they are.
    pub(super) fn direct<T: DynaTable>(&self) -> Table<T> {
        Table::open(self.engine.client())
    }

    /// The bodies of the requests of an operation.
    pub(super) fn asked(&self, operation: &str) -> Vec<Value> {
        let asked = self.asked.lock().unwrap();
        let asked = asked.iter().filter(|(asked, _)| asked == operation);
        asked.map(|(_, body)| body.clone()).collect()
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Server")
    }
}

fn response(status: u16, body: impl Into<SdkBody>) -> HttpResponse {
    let mut response = HttpResponse::new(status.try_into().unwrap(), body.into());
    let headers = response.headers_mut();
    headers.insert("content-type", "application/x-amz-json-1.0");
    response
}

fn spoil(made: &HttpResponse, how: Spoiled) -> HttpResponse {
    assert!(made.status().is_success());
    let body = made.body().bytes().unwrap();
    match how {
        Spoiled::Checksum => {
            let mut response = response(200, body.to_vec());
            let sum = crc32fast::hash(body) ^ 1;
            response
                .headers_mut()
                .insert("x-amz-crc32", sum.to_string());
            response
        }
        Spoiled::Empty => response(200, ""),
        Spoiled::Bare => HttpResponse::new(200.try_into().unwrap(), SdkBody::empty()),
        Spoiled::CutOff => response(200, body[..body.len() - 1].to_vec()),
        Spoiled::Malformed => response(
            200,
            r#"{"Item":7,"Items":7,"Attributes":7,"Responses":7,"UnprocessedItems":7,"ItemCollectionMetrics":7}"#,
        ),
    }
}

impl HttpConnector for Server {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
        let body: Value = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let before = self.asked(&operation).len();
        let does = (self.script)(before, &operation, &body);
        self.asked.lock().unwrap().push((operation, body));
        match does {
            Does::Pass => self.engine.call(request),
            Does::Respond(status, body) => {
                HttpConnectorFuture::ready(Ok(response(status, body.to_string())))
            }
            Does::Spoil(how) => {
                let made = self.engine.call(request);
                HttpConnectorFuture::new(async move { Ok(spoil(&made.await?, how)) })
            }
        }
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

/// No server at all.
#[derive(Debug, Clone)]
pub(super) struct Nobody;

impl HttpConnector for Nobody {
    fn call(&self, _: HttpRequest) -> HttpConnectorFuture {
        HttpConnectorFuture::ready(Err(ConnectorError::io("nobody is there".into())))
    }
}

impl HttpClient for Nobody {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}
