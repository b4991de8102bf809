//! The SDK's public hook into its own parsers: one that puts another parser before them.

use aws_sdk_dynamodb::config::interceptors::BeforeSerializationInterceptorContextMut;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_smithy_runtime_api::client::interceptors::context::{Error, Output};
use aws_smithy_runtime_api::client::orchestrator::{HttpResponse, OrchestratorError};
use aws_smithy_runtime_api::client::ser_de::{DeserializeResponse, SharedResponseDeserializer};
use aws_smithy_types::body::SdkBody;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a parser makes of a response.
pub(super) type Parsed = Result<Output, OrchestratorError<Error>>;

/// Keeps the body of an answer for the caller, and gives the SDK an answer that says nothing. Errors, and what is not DynamoDB's
/// JSON, go on to the SDK's own parser.
#[derive(Clone)]
pub(super) struct Hook(Arc<Slot>);

struct Slot {
    body: Mutex<Option<SdkBody>>,
    empty: fn() -> Output,
    sdk: fn(&HttpResponse, &ConfigBag) -> Parsed,
}

impl Hook {
    pub(super) fn new(empty: fn() -> Output, sdk: fn(&HttpResponse, &ConfigBag) -> Parsed) -> Self {
        Self(Arc::new(Slot {
            body: Mutex::new(None),
            empty,
            sdk,
        }))
    }

    /// The body, unless the SDK has read it.
    pub(super) fn take(&self) -> Option<SdkBody> {
        self.lock().take()
    }

    fn lock(&self) -> MutexGuard<'_, Option<SdkBody>> {
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
        "dyna: read items"
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
        let Some(body) = response.body().try_clone() else {
            return (self.0.sdk)(response, config);
        };
        *self.lock() = Some(body);
        Ok((self.0.empty)())
    }
}
