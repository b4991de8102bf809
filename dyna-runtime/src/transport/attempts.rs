//! What became of the attempts of one request. The SDK repeats a request inside of one call and returns the last response only; a write
//! may have been applied by an attempt before it.

use crate::transport::backoff::SleepProbe;
use crate::transport::limiter::Limiter;
use aws_smithy_runtime_api::client::interceptors::context::{Error, Output};
use aws_smithy_runtime_api::client::orchestrator::{HttpResponse, OrchestratorError};
use aws_smithy_runtime_api::client::result::ConnectorError;
use std::error::Error as StdError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Goes with all calls of one request: learns the clock by which to wait between them, and notes what became of their attempts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Observer {
    pub(crate) clock: SleepProbe,
    pub(crate) attempts: Attempts,
    /// What their responses are counted against.
    pub(crate) limiter: Option<Limiter>,
}

impl Observer {
    /// Counts the responses against a limit, if there is one.
    pub(crate) fn limited(limiter: Option<&Limiter>) -> Self {
        Self {
            clock: limiter.map(Limiter::clock).unwrap_or_default(),
            attempts: Attempts::default(),
            limiter: limiter.cloned(),
        }
    }
}

/// Whether an attempt of a request was sent and got no response that says what became of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attempts(Arc<Fates>);

#[derive(Debug, Default)]
struct Fates {
    is_under_way: AtomicBool,
    is_one_lost: AtomicBool,
}

impl Attempts {
    /// An attempt is about to be sent.
    pub(crate) fn send(&self) {
        // When an attempt takes too long, the SDK drops it without a word.
        if self.0.is_under_way.swap(true, Ordering::Relaxed) {
            self.0.is_one_lost.store(true, Ordering::Relaxed);
        }
    }

    /// The attempt is over, with this response.
    pub(crate) fn end(
        &self,
        response: Option<&HttpResponse>,
        result: Option<Result<&Output, &OrchestratorError<Error>>>,
    ) {
        if self.0.is_under_way.swap(false, Ordering::Relaxed) && is_lost(response, result) {
            self.0.is_one_lost.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a write may have been applied although no response says so.
    pub(crate) fn may_be_applied(&self) -> bool {
        self.0.is_under_way.load(Ordering::Relaxed) || self.0.is_one_lost.load(Ordering::Relaxed)
    }
}

/// Whether the request may have been applied, as far as this response tells.
fn is_lost(
    response: Option<&HttpResponse>,
    result: Option<Result<&Output, &OrchestratorError<Error>>>,
) -> bool {
    match (response, result) {
        (_, Some(Ok(_))) => false,
        (Some(response), _) => match response.status().as_u16() {
            // Something between here and DynamoDB waited in vain.
            408 => true,
            400..500 => is_in_progress(response),
            _ => true,
        },
        (None, Some(Err(error))) => !error.as_connector_error().is_some_and(was_never_connected),
        (None, None) => true,
    }
}

/// Whether another attempt with the same token is being made.
fn is_in_progress(response: &HttpResponse) -> bool {
    let code = b"TransactionInProgressException";
    // A body that is not in memory could say so: the outcome is unknown then.
    let body = response.body().bytes();
    body.is_none_or(|body| body.windows(code.len()).any(|part| part == code))
}

/// Whether nothing can have been sent, because there was no connection. Only what says so counts: a socket that was connected reports an
/// unreachable host too, when packets are lost after the request was sent.
fn was_never_connected(error: &ConnectorError) -> bool {
    // The connector knows, and tells it to `Debug` alone, at the end.
    if format!("{error:?}").ends_with("connection: NeverConnected }") {
        return true;
    }
    let first: &(dyn StdError + 'static) = error;
    let mut chain = std::iter::successors(Some(first), |error| (*error).source());
    // The text of hyper's error, whose type is none of the SDK's interface.
    chain.any(|error| error.to_string() == "client error (Connect)")
}
