//! The SDK's requests over plain HTTP, for servers on the same machine. Dyna's build of the SDK brings no HTTP client of its own.

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use std::error::Error;
use std::time::Duration;
use ureq::Agent;
use ureq::http::Request;

type BoxError = Box<dyn Error + Send + Sync>;

/// DynamoDB answers with 16 MB of items at most; in JSON they are longer.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// Asks over plain HTTP. Each request has a thread for itself while it waits.
#[derive(Debug, Clone)]
pub(crate) struct PlainHttp(Agent);

impl PlainHttp {
    pub(crate) fn new() -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .timeout_global(Some(Duration::from_secs(30)));
        Self(config.build().into())
    }

    fn ask(&self, request: &HttpRequest) -> Result<HttpResponse, BoxError> {
        let body = request.body().bytes();
        let body = body.ok_or("streamed requests are not taken")?;
        let mut asked = Request::builder()
            .method(request.method())
            .uri(request.uri());
        for (name, value) in request.headers() {
            asked = asked.header(name, value);
        }
        let mut answer = self.0.run(asked.body(body)?)?;
        let status = StatusCode::try_from(answer.status().as_u16())?;
        let read = answer.body_mut().with_config().limit(MOST_BYTES);
        let mut response = HttpResponse::new(status, SdkBody::from(read.read_to_vec()?));
        for (name, value) in answer.headers() {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            response.headers_mut().try_append(name.to_string(), value)?;
        }
        Ok(response)
    }
}

impl HttpConnector for PlainHttp {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let client = self.clone();
        HttpConnectorFuture::new(async move {
            let answer = tokio::task::spawn_blocking(move || client.ask(&request)).await;
            match answer {
                Ok(answer) => answer.map_err(ConnectorError::io),
                Err(stopped) => Err(ConnectorError::other(stopped.into(), None)),
            }
        })
    }
}

impl HttpClient for PlainHttp {
    fn http_connector(
        &self,
        _settings: &HttpConnectorSettings,
        _components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}
