//! The embedded engine behind a connector that may say something else, and that counts each second of waiting.

use aws_sdk_dynamodb::Client;
use aws_smithy_async::rt::sleep::{AsyncSleep, Sleep};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use dyna_runtime::embedded::Embedded;
use serde_json::Value;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What to do with a request: the name of its operation, and how many of that operation came before.
pub(super) type Script = dyn Fn(&str, usize) -> Reply + Send + Sync;

pub(super) enum Reply {
    /// The response of the engine.
    Engine,
    /// The response of the engine, changed.
    Changed(fn(&mut Value)),
    /// The engine applies it, after something else has happened there.
    After(Box<dyn FnOnce(&Embedded) + Send>),
}

#[derive(Clone)]
pub(super) struct Server {
    engine: Embedded,
    script: Arc<Script>,
    log: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(super) fn new(
        engine: &Embedded,
        script: impl Fn(&str, usize) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self {
            engine: engine.clone(),
            script: Arc::new(script),
            log: Arc::default(),
        }
    }

    pub(super) fn client(&self) -> Client {
        let config = self.engine.config().http_client(self.clone());
        Client::from_conf(config.sleep_impl(self.clone()).build())
    }

    /// The operations, and `wait` for each second of waiting.
    pub(super) fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    pub(super) fn waits(&self) -> usize {
        self.log().iter().filter(|logged| *logged == "wait").count()
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Server")
    }
}

impl AsyncSleep for Server {
    fn sleep(&self, duration: Duration) -> Sleep {
        // The SDK's own timeouts never come.
        if duration.subsec_nanos() != 0 {
            return Sleep::new(std::future::pending());
        }
        self.log.lock().unwrap().push("wait".to_owned());
        Sleep::new(std::future::ready(()))
    }
}

impl HttpConnector for Server {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap().to_owned();
        let before = {
            let mut log = self.log.lock().unwrap();
            let before = log.iter().filter(|logged| **logged == operation).count();
            log.push(operation.clone());
            before
        };
        match (self.script)(&operation, before) {
            Reply::Engine => self.engine.call(request),
            Reply::After(happens) => {
                happens(&self.engine);
                self.engine.call(request)
            }
            Reply::Changed(change) => {
                let response = self.engine.call(request);
                HttpConnectorFuture::new(async move {
                    let mut response = response.await?;
                    let mut body =
                        serde_json::from_slice(response.body().bytes().unwrap()).unwrap();
                    change(&mut body);
                    *response.body_mut() = SdkBody::from(body.to_string());
                    Ok::<HttpResponse, _>(response)
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
