//! The error of a write that may have been applied.

use super::FailedRequest;
use super::SdkError;
use super::request::Summary;
use crate::codec::Item;
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use std::fmt;

/// The failed condition of a write's last attempt, after an earlier one got no response: [`Error::current_item`] and
/// [`Error::is_stored_as_written`] tell it.
///
/// `Debug` shows nothing of the item.
///
/// [`Error::current_item`]: crate::Error::current_item
/// [`Error::is_stored_as_written`]: crate::Error::is_stored_as_written
pub struct RefusedWrite {
    pub(crate) entity: &'static str,
    /// The item that was found, if there was one.
    pub(crate) item: Option<Item>,
    /// Whether what was found is what the write makes.
    pub(crate) is_as_written: bool,
}

impl fmt::Debug for RefusedWrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RefusedWrite({})", self.entity)
    }
}

/// The code of a transaction whose token came with other content before.
pub(crate) const OTHER_CONTENT: &str = "IdempotentParameterMismatchException";

impl FailedRequest {
    /// Why it is not known whether a write was applied.
    pub(crate) fn doubt(&self, source: &SdkError) -> String {
        let last = Summary(self, source);
        if source.code() == Some(OTHER_CONTENT) {
            return format!(
                "DynamoDB knows its token from a request with other content, which it may have applied: the token was given to another \
                 transaction, or an interceptor writes other bytes each time, such as one that encrypts ({OTHER_CONTENT})"
            );
        }
        if self.is_refused() {
            format!("an earlier attempt got no response, and the last attempt failed: {last}")
        } else {
            last.to_string()
        }
    }
}
