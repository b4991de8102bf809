//! The engine behind a server that does what the engine never does: it throttles, conflicts and leaves writes undone.

use aws_sdk_dynamodb::Client;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaTable, Table};
use serde_json::{Value, json};
use std::fmt;
use std::sync::{Arc, Mutex};

/// What the server does with a request.
pub(super) enum Does {
    /// Hands it to the engine as it is.
    Pass,
    /// Hands on what is left of it, if anything, and says that this was left undone.
    LeaveUndone(Value),
    /// Fails with this error.
    Fail(Value),
}

type Script = dyn Fn(usize, &mut Value) -> Does + Send + Sync;

/// An engine that gets the requests which a script lets through.
#[derive(Clone)]
pub(super) struct Server {
    engine: Embedded,
    operation: &'static str,
    /// The bodies of the requests that the script was asked about.
    asked: Arc<Mutex<Vec<Value>>>,
    script: Arc<Script>,
}

impl Server {
    /// A table whose requests of one operation go through a script, which is told how many there were before.
    pub(super) async fn table<T: DynaTable>(
        operation: &'static str,
        script: impl Fn(usize, &mut Value) -> Does + Send + Sync + 'static,
    ) -> (Self, Table<T>) {
        let engine = Embedded::in_memory().unwrap();
        Table::<T>::embedded_in(&engine).await.unwrap();
        let server = Self {
            engine: engine.clone(),
            operation,
            asked: Arc::default(),
            script: Arc::new(script),
        };
        let client = Client::from_conf(engine.config().http_client(server.clone()).build());
        (server, Table::open(client))
    }

    /// The bodies of the requests of that operation.
    pub(super) fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }

    fn does(&self, body: &mut Value) -> Does {
        let mut asked = self.asked.lock().unwrap();
        asked.push(body.clone());
        (self.script)(asked.len() - 1, body)
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Server")
    }
}

fn answer(status: u16, body: &Value) -> HttpConnectorFuture {
    let status = status.try_into().unwrap();
    let mut response = HttpResponse::new(status, SdkBody::from(body.to_string()));
    let headers = response.headers_mut();
    headers.insert("content-type", "application/x-amz-json-1.0");
    HttpConnectorFuture::ready(Ok(response))
}

impl HttpConnector for Server {
    fn call(&self, mut request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        if !target.ends_with(&format!(".{}", self.operation)) {
            return self.engine.call(request);
        }
        let mut body: Value = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        match self.does(&mut body) {
            Does::Pass => self.engine.call(request),
            Does::Fail(error) => answer(400, &error),
            Does::LeaveUndone(undone) => {
                let all_undone = body["RequestItems"].as_object().unwrap().is_empty();
                let said = json!({ "UnprocessedItems": undone });
                if all_undone {
                    return answer(200, &said);
                }
                *request.body_mut() = SdkBody::from(body.to_string());
                let made = self.engine.call(request);
                HttpConnectorFuture::new(async move {
                    assert!(made.await?.status().is_success());
                    answer(200, &said).await
                })
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
