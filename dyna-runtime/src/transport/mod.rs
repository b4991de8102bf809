//! Between the SDK and its bytes: items are read from responses and written into requests without the SDK's maps.
//!
//! Only public hooks of the SDK are used. Signing, retries, endpoints, credentials, timeouts and errors stay its own, and so does every
//! response that is not what was expected. What a hook needs and does not find in the SDK is done with the SDK's maps instead, and so is
//! everything if the client has interceptors, which would see empty items ([`ItemFormat`]).
//!
//! Every response with HTTP status 200 is checked before it is read: it has a body, the body matches `x-amz-crc32` if there is such a
//! header, and it is one JSON object, to its end. The operation decides what a failure is:
//!
//! | request | a response that cannot be read |
//! |---|---|
//! | `GetItem`, `Query`, `Scan`, `BatchGetItem`, `TransactGetItems` | the SDK asks again, as it does when the connection breaks; `Error::Service` if that does not help, or if what is wrong shows only when the items are read |
//! | `PutItem`, `UpdateItem`, `DeleteItem`, whether they return an item or not | not repeated: `Error::OutcomeUnknown` |
//! | `TransactWriteItems` | repeated with the same token, which is harmless; `Error::OutcomeUnknown` if that does not help |
//! | `BatchWriteItem` | not repeated: `Error::OutcomeUnknown`; without a body, nothing is taken for written |
//!
//! A write that got no response, or an error of the server, may have been applied. The SDK repeats it; the [`attempts`] that it made are
//! observed, and whatever the last of them says, the outcome is unknown if an earlier one was lost, unless the refusal proves that no attempt
//! was or will be applied: a version that is over. A connection that never was loses nothing, if the connector says so.

pub(crate) mod attempts;
pub(crate) mod backoff;
pub(crate) mod capacity;
mod capture;
mod check;
pub(crate) mod concurrent;
mod hook;
mod inject;
pub(crate) mod limiter;
pub(crate) mod limits;
pub(crate) mod meter;
mod raw_item;
#[cfg(feature = "tracing")]
pub(crate) mod span;

pub(crate) use capture::{CallFailed, CapturedResponse, DecodedItems};
#[cfg(feature = "tracing")]
pub(crate) use check::BadResponse;
pub(crate) use inject::ItemBodies;
pub(crate) use inject::{ItemBody, ItemSpan};
pub(crate) use raw_item::{Decode, RawItem};

use crate::error::Result;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The response to a request, when it is awaited.
///
/// It is a type with a name, and no `async fn` with the bounds of the request: a bound that is not met is then one error instead of three.
pub type ResponseFuture<'t, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 't>>;

/// Adds the last, typed step to an untyped response.
pub(crate) fn finish<'t, I: 't, O: 't>(
    answer: ResponseFuture<'t, I>,
    finish: fn(I) -> Result<O>,
) -> ResponseFuture<'t, O> {
    Box::pin(Finishing { answer, finish })
}

struct Finishing<'t, I, O> {
    answer: ResponseFuture<'t, I>,
    finish: fn(I) -> Result<O>,
}

impl<I, O> Future for Finishing<'_, I, O> {
    type Output = Result<O>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<O>> {
        match self.answer.as_mut().poll(context) {
            Poll::Ready(Ok(answer)) => Poll::Ready((self.finish)(answer)),
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => Poll::Pending,
        }
    }
}

/// In which form items go through the SDK.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemFormat {
    /// As bytes: interceptors of the client see empty items in requests and none in responses.
    Bytes,
    /// As the SDK's maps, which interceptors of the client see and may change.
    Maps,
}
