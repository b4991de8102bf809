//! A server that always gives the same answer, and remembers what it was asked last if it is told to.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region, RuntimeComponents};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};

/// A server that always gives the same answer.
#[derive(Debug, Clone)]
pub struct Canned(Arc<State>);

#[derive(Debug)]
struct State {
    answer: Bytes,
    sum: String,
    asked: Mutex<Asked>,
}

#[derive(Debug, Default)]
enum Asked {
    /// What it is asked is not looked at, so that it costs nothing.
    #[default]
    Unheard,
    Heard(Vec<Value>),
}

impl Canned {
    /// A server with this answer.
    pub fn new(answer: impl Into<Vec<u8>>) -> Self {
        let answer = Bytes::from(answer.into());
        Self(Arc::new(State {
            sum: crc32fast::hash(&answer).to_string(),
            answer,
            asked: Mutex::default(),
        }))
    }

    /// A client of the SDK that signs its requests, as it does for DynamoDB.
    pub fn client(&self) -> Client {
        let config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("eu-central-1"))
            .credentials_provider(Credentials::new("id", "secret", None, None, "bench"))
            .http_client(self.clone());
        Client::from_conf(config.build())
    }

    /// The bodies of the requests that are made meanwhile.
    pub fn listen(&self, meanwhile: impl FnOnce()) -> Vec<Value> {
        let asked = || self.0.asked.lock().unwrap_or_else(PoisonError::into_inner);
        *asked() = Asked::Heard(Vec::new());
        meanwhile();
        match std::mem::take(&mut *asked()) {
            Asked::Heard(bodies) => bodies,
            Asked::Unheard => Vec::new(),
        }
    }

    fn response(&self) -> HttpResponse {
        let body = SdkBody::from(self.0.answer.clone());
        let status = StatusCode::try_from(200).expect("200 is a status");
        let mut response = HttpResponse::new(status, body);
        let headers = response.headers_mut();
        headers.insert("content-type", "application/x-amz-json-1.0");
        headers.insert(
            "x-amzn-requestid",
            "BENCH0000000000000000000000000000000000000000000000",
        );
        headers.insert("x-amz-crc32", self.0.sum.clone());
        response
    }
}

impl HttpConnector for Canned {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let mut asked = self.0.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Asked::Heard(bodies) = &mut *asked {
            let body = request.body().bytes().unwrap_or_default();
            bodies.push(serde_json::from_slice(body).expect("the SDK writes JSON"));
        }
        HttpConnectorFuture::ready(Ok(self.response()))
    }
}

impl HttpClient for Canned {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}
