//! The SDK's public hooks into a call: one puts another parser before its own, one writes items into the request.

use crate::transport::ItemFormat;
use crate::transport::attempts::Observer;
use crate::transport::capacity;
use crate::transport::check::{BadResponse, check};
use crate::transport::inject::ItemBodies;
use aws_sdk_dynamodb::config::interceptors::{
    BeforeSerializationInterceptorContextMut, BeforeTransmitInterceptorContextMut,
    BeforeTransmitInterceptorContextRef, FinalizerInterceptorContextRef,
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

/// The result of a parser.
pub(crate) type ParseResult = Result<Output, OrchestratorError<Error>>;

/// Goes with one call: writes its items into the request, checks the response, and keeps its body for the caller, while the SDK gets
/// a response that says nothing. Errors, and what is not DynamoDB's JSON, go on to the SDK's own parser.
#[derive(Clone)]
pub(crate) struct ResponseHook(Arc<HookState>);

struct HookState {
    /// The items of the request.
    items: ItemBodies,
    /// Observes the attempts of the call and the client's `AsyncSleep`.
    observer: Option<Observer>,
    /// An empty output, if the body is kept from the SDK.
    empty: Option<fn() -> Output>,
    /// A write must not be repeated because its response cannot be read.
    is_write: bool,
    /// The SDK's own parser.
    sdk: Option<&'static SharedResponseDeserializer>,
    state: Mutex<CallState>,
}

/// The state of a call.
#[derive(Default)]
struct CallState {
    body: Option<Response>,
    unreadable: Option<BadResponse>,
    /// The SDK wrote a request without the places that the items go to.
    unfilled: bool,
}

/// The body of a response, kept from the SDK.
pub(crate) struct Response {
    pub(crate) body: Bytes,
    #[cfg(feature = "tracing")]
    span: Option<crate::transport::span::Current>,
}

impl Response {
    /// Notes that the body could not be read.
    #[cfg_attr(
        not(feature = "tracing"),
        expect(clippy::unused_self, reason = "there is no span to mark")
    )]
    pub(crate) fn is_unreadable(&self) {
        #[cfg(feature = "tracing")]
        if let Some(span) = &self.span {
            span.is_unreadable();
        }
    }
}

impl ResponseHook {
    pub(crate) fn new(
        items: ItemBodies,
        observer: Option<Observer>,
        empty: Option<fn() -> Output>,
        is_write: bool,
        sdk: Option<&'static SharedResponseDeserializer>,
    ) -> Self {
        Self(Arc::new(HookState {
            items,
            observer,
            empty,
            is_write,
            sdk,
            state: Mutex::default(),
        }))
    }

    /// The body, unless the SDK has read it.
    pub(crate) fn take(&self) -> Option<Response> {
        self.lock().body.take()
    }

    /// The problem of the last response.
    pub(crate) fn unreadable(&self) -> Option<BadResponse> {
        self.lock().unreadable
    }

    /// Whether an attempt of the request was sent and got no response that says what became of it.
    pub(crate) fn may_be_applied(&self) -> bool {
        let observer = self.0.observer.as_ref();
        observer.is_some_and(|observer| observer.attempts.may_be_applied())
    }

    /// Whether nothing was sent, because the items had no place in the request.
    pub(crate) fn is_unfilled(&self) -> bool {
        self.lock().unfilled
    }

    /// Parses a response with the SDK's own parser.
    pub(crate) fn parse(&self, response: &HttpResponse, config: &ConfigBag) -> ParseResult {
        match self.0.sdk {
            Some(parser) => parser.deserialize_nonstreaming_with_config(response, config),
            None => Err(OrchestratorError::other(BadResponse::Malformed)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, CallState> {
        // Nothing panics while it is locked.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what is wrong with a response. Only a read is tried again.
    fn refuse(&self, problem: BadResponse) -> ParseResult {
        self.lock().unreadable = Some(problem);
        Err(if self.0.is_write {
            OrchestratorError::other(problem)
        } else {
            OrchestratorError::response(problem.into())
        })
    }
}

/// Without the body, which is data.
impl fmt::Debug for ResponseHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hook")
    }
}

impl Intercept for ResponseHook {
    fn name(&self) -> &'static str {
        "dyna: read and write items"
    }

    #[cfg(feature = "tracing")]
    fn read_before_execution(
        &self,
        _: &aws_sdk_dynamodb::config::interceptors::BeforeSerializationInterceptorContextRef<'_>,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        config.interceptor_state().store_put(self.0.items.clone());
        Ok(())
    }

    fn modify_before_serialization(
        &self,
        context: &mut BeforeSerializationInterceptorContextMut<'_>,
        components: &RuntimeComponents,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if let Some(observer) = &self.0.observer {
            observer.clock.learn(components);
            if observer.limiter.is_some() {
                capacity::ask(context.input_mut());
            }
        }
        // Where the SDK's own is not found, or not taken from here, this one stays away: the SDK reads the response as it always does.
        if self.0.sdk.is_some() && config.load::<SharedResponseDeserializer>().is_some() {
            // Found before the operation's own, for every attempt.
            let parser = SharedResponseDeserializer::new(self.clone());
            config.interceptor_state().store_put(parser);
        }
        Ok(())
    }

    /// Once for all attempts, and before any of them is signed.
    fn modify_before_retry_loop(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if self.0.items.format() == ItemFormat::Maps || self.0.items.is_empty() {
            return Ok(());
        }
        let request = context.request_mut();
        let body = request.body().bytes();
        let Some(body) = body.and_then(|body| self.0.items.fill(body)) else {
            self.lock().unfilled = true;
            return Err("internal: the SDK serialized a request without the empty item that Dyna replaces; please report this".into());
        };
        let length = itoa::Buffer::new().format(body.len()).to_owned();
        request.headers_mut().insert("content-length", length);
        *request.body_mut() = SdkBody::from(body);
        Ok(())
    }

    fn read_before_transmit(
        &self,
        _: &BeforeTransmitInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if let Some(observer) = &self.0.observer {
            observer.attempts.send();
        }
        Ok(())
    }

    fn read_after_attempt(
        &self,
        context: &FinalizerInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if let Some(observer) = &self.0.observer {
            let result = context.output_or_error();
            observer.attempts.end(context.response(), result);
            if let (Some(limiter), Some(response)) = (&observer.limiter, context.response()) {
                limiter.attempted(response);
            }
        }
        Ok(())
    }
}

impl DeserializeResponse for ResponseHook {
    fn deserialize_nonstreaming_with_config(
        &self,
        response: &HttpResponse,
        config: &ConfigBag,
    ) -> ParseResult {
        *self.lock() = CallState::default();
        if !response.status().is_success() {
            return self.parse(response, config);
        }
        if let Err(problem) = check(response) {
            return self.refuse(problem);
        }
        let headers = response.headers();
        let json = headers.get("content-type") == Some("application/x-amz-json-1.0")
            && headers.get("content-encoding").is_none();
        if let (true, Some(empty)) = (json, self.0.empty)
            && let Some(body) = in_memory(response.body())
        {
            self.lock().body = Some(Response {
                body,
                #[cfg(feature = "tracing")]
                span: config.load::<crate::transport::span::Current>().cloned(),
            });
            return Ok(empty());
        }
        let parsed = self.parse(response, config);
        if parsed.is_err() && self.0.is_write {
            return self.refuse(BadResponse::Malformed);
        }
        parsed
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

#[cfg(all(test, feature = "embedded"))]
mod tests {
    use super::{ItemBodies, ItemFormat, Output, ResponseHook};
    use crate::embedded::Embedded;
    use aws_sdk_dynamodb::operation::get_item::GetItemOutput;
    use aws_sdk_dynamodb::operation::list_tables::ListTablesOutput;

    /// An SDK that keeps its parser elsewhere reads the response itself.
    #[tokio::test]
    async fn without_the_sdks_parser_the_sdk_reads_the_response() {
        let empty: fn() -> Output = || Output::erase(GetItemOutput::builder().build());
        let hook = ResponseHook::new(
            ItemBodies::new(ItemFormat::Bytes),
            None,
            Some(empty),
            false,
            None,
        );
        let client = Embedded::in_memory().unwrap().client();
        let request = client.list_tables().customize();
        let sent = request.interceptor(hook.clone()).send().await;
        // With another output in its place, this would fail.
        let output: ListTablesOutput = sent.unwrap();
        assert!(output.table_names().is_empty());
        assert!(hook.take().is_none());
    }

    /// The other way round: today's SDK has it where it is looked for, for every operation, or this would cost speed without a word.
    #[test]
    fn the_sdks_parser_is_found() {
        use crate::transport::capture::ItemResponse;
        use aws_sdk_dynamodb::operation as op;
        assert!(op::get_item::GetItemOutput::parser().is_some());
        assert!(op::query::QueryOutput::parser().is_some());
        assert!(op::put_item::PutItemOutput::parser().is_some());
        assert!(op::batch_write_item::BatchWriteItemOutput::parser().is_some());
    }
}
