//! The SDK's error, without the items that it may carry.

use aws_sdk_dynamodb::Error;
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use std::fmt;
use std::ops::Deref;

/// The SDK's error. It dereferences to [`aws_sdk_dynamodb::Error`]; items that DynamoDB sent with it were taken out.
///
/// `Debug` shows its code.
// Not an error itself: so `source()` of ours is the SDK's error, which can be downcast, and not this.
pub struct SdkError(Box<Error>);

impl SdkError {
    pub(crate) fn new(mut error: Error) -> Self {
        match &mut error {
            Error::ConditionalCheckFailedException(failed) => failed.item = None,
            Error::TransactionCanceledException(cancelled) => {
                let reasons = cancelled.cancellation_reasons.iter_mut().flatten();
                reasons.for_each(|reason| reason.item = None);
            }
            _ => {}
        }
        Self(Box::new(error))
    }
}

impl Deref for SdkError {
    type Target = Error;

    fn deref(&self) -> &Error {
        &self.0
    }
}

impl fmt::Debug for SdkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SdkError({})", self.code().unwrap_or("no code"))
    }
}
