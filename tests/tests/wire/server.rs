//! A server that answers as told, and keeps what it was asked.

use aws_runtime::invocation_id::{InvocationId, InvocationIdGenerator};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_smithy_async::time::StaticTimeSource;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use http_body::{Body, Frame};
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

#[derive(Debug, Clone)]
pub(super) struct Answer {
    status: u16,
    body: String,
    headers: BTreeMap<&'static str, String>,
    piece: Option<usize>,
}

impl Answer {
    pub(super) fn new(status: u16, body: impl Into<String>) -> Self {
        let body = body.into();
        let sum = crc32fast::hash(body.as_bytes()).to_string();
        let headers = BTreeMap::from([
            ("content-type", "application/x-amz-json-1.0".to_owned()),
            ("x-amz-crc32", sum),
        ]);
        Self {
            status,
            body,
            headers,
            piece: None,
        }
    }

    /// The same with another header.
    pub(super) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.insert(name, value.to_owned());
        self
    }

    /// The same in pieces of so many bytes, as they come from a network.
    pub(super) fn in_pieces(mut self, bytes: usize) -> Self {
        self.piece = Some(bytes);
        self
    }

    fn response(self) -> HttpResponse {
        let body = match self.piece {
            None => SdkBody::from(self.body),
            Some(bytes) => {
                let pieces = self.body.as_bytes().chunks(bytes);
                let pieces = pieces.map(Bytes::copy_from_slice).collect();
                SdkBody::from_body_1_x(Pieces(pieces))
            }
        };
        let mut response = HttpResponse::new(self.status.try_into().unwrap(), body);
        for (name, value) in self.headers {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

/// A body that comes in pieces.
struct Pieces(VecDeque<Bytes>);

impl Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.pop_front().map(|piece| Ok(Frame::data(piece))))
    }
}

type Headers = BTreeMap<String, String>;

/// Gives its answers one after the other; the last one again and again.
#[derive(Debug, Clone)]
pub(super) struct Server {
    answers: Arc<Mutex<VecDeque<Answer>>>,
    asked: Arc<Mutex<Vec<(String, Headers)>>>,
}

impl Server {
    pub(super) fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self {
            answers: Arc::new(Mutex::new(answers.into_iter().collect())),
            asked: Arc::default(),
        }
    }

    /// A client that signs, at a time that stands still and with ids that are left out, so that equal requests are signed alike.
    pub(super) fn client(&self) -> Client {
        let config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("local"))
            .endpoint_url("http://localhost")
            .credentials_provider(Credentials::new("id", "secret", None, None, "test"))
            .time_source(StaticTimeSource::from_secs(1_772_000_000))
            .invocation_id_generator(NoId)
            .http_client(self.clone());
        Client::from_conf(config.build())
    }

    /// The bodies of the requests.
    pub(super) fn asked(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        asked.iter().map(|(body, _)| body.clone()).collect()
    }

    /// The headers of the requests.
    pub(super) fn headers(&self) -> Vec<Headers> {
        let asked = self.asked.lock().unwrap();
        asked.iter().map(|(_, headers)| headers.clone()).collect()
    }
}

#[derive(Debug)]
struct NoId;

impl InvocationIdGenerator for NoId {
    fn generate(&self) -> Result<Option<InvocationId>, BoxError> {
        Ok(None)
    }
}

impl HttpConnector for Server {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let body = String::from_utf8(request.body().bytes().unwrap().to_vec()).unwrap();
        let headers = request.headers().iter();
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
        self.asked.lock().unwrap().push((body, headers.collect()));
        let mut answers = self.answers.lock().unwrap();
        let answer = match answers.len() {
            1 => answers[0].clone(),
            _ => answers.pop_front().unwrap(),
        };
        HttpConnectorFuture::ready(Ok(answer.response()))
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

/// The members of a request, in one order.
pub(super) fn members(body: &str) -> serde_json::Value {
    serde_json::from_str(body).unwrap()
}
