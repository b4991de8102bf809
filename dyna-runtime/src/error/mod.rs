//! The error type of every request, and what it carries.

mod batch;
mod limit;
mod methods;
mod request;
mod sdk;
mod transaction;
mod unknown;
mod unmet;
mod variants;

pub use crate::cursor::CursorError;
pub use crate::key::{KeyError, KeyErrorKind};
pub use batch::BatchProgress;
pub use limit::SizeLimit;
pub(crate) use limit::{MAX_ITEM, MAX_OPERATORS, MAX_TRANSACTION};
pub(crate) use methods::service_error;
pub use request::FailedRequest;
pub(crate) use request::RequestContext;
pub use sdk::SdkError;
pub use transaction::{Failure, FailureReason};
pub(crate) use unknown::OTHER_CONTENT;
pub use unknown::RefusedWrite;
pub use unmet::Unmet;
pub use variants::{Error, Misfit};

/// The result of a request.
pub type Result<T, E = Error> = std::result::Result<T, E>;
