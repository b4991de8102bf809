//! The SDK's public hook into its own parsers: one that puts another parser before them.

use super::body::NewItems;
#[cfg(feature = "tracing")]
use aws_sdk_dynamodb::config::interceptors::BeforeSerializationInterceptorContextRef;
use aws_sdk_dynamodb::config::interceptors::{
    BeforeSerializationInterceptorContextMut, BeforeTransmitInterceptorContextMut,
};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_smithy_runtime_api::client::interceptors::context::{Error, Output};
use aws_smithy_runtime_api::client::orchestrator::{HttpResponse, OrchestratorError};
use aws_smithy_runtime_api::client::ser_de::{DeserializeResponse, SharedResponseDeserializer};
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use http_body::Body;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// What a parser makes of a response.
pub(super) type Parsed = Result<Output, OrchestratorError<Error>>;

/// Keeps the body of an answer for the caller, and gives the SDK an answer that says nothing. Errors, and what is not DynamoDB's
/// JSON, go on to the SDK's own parser.
#[derive(Clone)]
pub(super) struct Hook(Arc<Slot>);

struct Slot {
    /// The items of the request.
    items: NewItems,
    body: Mutex<Option<Bytes>>,
    empty: fn() -> Output,
    sdk: fn(&HttpResponse, &ConfigBag) -> Parsed,
}

impl Hook {
    pub(super) fn new(
        items: NewItems,
        empty: fn() -> Output,
        sdk: fn(&HttpResponse, &ConfigBag) -> Parsed,
    ) -> Self {
        Self(Arc::new(Slot {
            items,
            body: Mutex::new(None),
            empty,
            sdk,
        }))
    }

    /// The body, unless the SDK has read it.
    pub(super) fn take(&self) -> Option<Bytes> {
        self.lock().take()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Bytes>> {
        // Nothing panics while it is locked.
        self.0.body.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Without the body, which is data.
impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hook")
    }
}

impl Intercept for Hook {
    fn name(&self) -> &'static str {
        "dyna: read and write items"
    }

    #[cfg(feature = "tracing")]
    fn read_before_execution(
        &self,
        context: &BeforeSerializationInterceptorContextRef<'_>,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.0.items.read_before_execution(context, config)
    }

    fn modify_before_serialization(
        &self,
        _: &mut BeforeSerializationInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        // Found before the operation's own, for every attempt.
        let parser = SharedResponseDeserializer::new(self.clone());
        config.interceptor_state().store_put(parser);
        Ok(())
    }

    fn modify_before_retry_loop(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        components: &RuntimeComponents,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let items = &self.0.items;
        items.modify_before_retry_loop(context, components, config)
    }
}

impl DeserializeResponse for Hook {
    fn deserialize_nonstreaming_with_config(
        &self,
        response: &HttpResponse,
        config: &ConfigBag,
    ) -> Parsed {
        self.take();
        let headers = response.headers();
        let json = headers.get("content-type") == Some("application/x-amz-json-1.0")
            && headers.get("content-encoding").is_none();
        let (true, true, Some(bytes)) = (
            response.status().is_success(),
            json,
            response.body().bytes(),
        ) else {
            return (self.0.sdk)(response, config);
        };
        let sum = headers.get("x-amz-crc32").and_then(|sum| sum.parse().ok());
        if sum.is_some_and(|sum: u32| sum != crc32fast::hash(bytes)) {
            // The SDK tries again.
            let problem = "the answer was damaged on its way: x-amz-crc32 is another";
            return Err(OrchestratorError::response(problem.into()));
        }
        let Some(body) = in_memory(response.body()) else {
            return (self.0.sdk)(response, config);
        };
        *self.lock() = Some(body);
        Ok((self.0.empty)())
    }
}

/// A body that is in memory, without a copy of it.
fn in_memory(body: &SdkBody) -> Option<Bytes> {
    let mut body = body.try_clone()?;
    let mut context = Context::from_waker(Waker::noop());
    let Poll::Ready(Some(Ok(frame))) = Pin::new(&mut body).poll_frame(&mut context) else {
        return None;
    };
    frame.into_data().ok()
}
