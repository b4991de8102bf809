//! The one error of the crate.

use crate::codec::{DecodeError, EncodeError};
use crate::key::KeyError;
use std::fmt;

/// What went wrong with a request.
///
/// `Debug` and `Display` say what happened and where, never the values of keys or attributes.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A value cannot stand in a key. No request was made.
    #[error(transparent)]
    Key(#[from] Box<KeyError>),

    /// The entity cannot be written as an item. No request was made.
    #[error("{entity}: {source}")]
    Encode {
        /// The entity.
        entity: &'static str,
        /// Where in it, and why.
        source: EncodeError,
    },

    /// A stored item cannot be read as the entity.
    #[error("{entity}: {source}")]
    Decode {
        /// The entity.
        entity: &'static str,
        /// Where in it, and why.
        source: DecodeError,
    },

    /// The condition of the write does not hold: for `create`, the item is there already.
    #[error("{entity}: the condition of the write does not hold")]
    ConditionFailed {
        /// The entity.
        entity: &'static str,
        /// DynamoDB's answer.
        source: Box<aws_sdk_dynamodb::Error>,
    },

    /// There are several items where the caller asked for one.
    #[error("{entity}: the query has more than one item")]
    NotOne {
        /// The entity.
        entity: &'static str,
    },

    /// The cursor comes from another query. No request was made.
    #[error("{entity}: the cursor comes from another query")]
    ForeignCursor {
        /// The entity.
        entity: &'static str,
    },

    /// The name of the table has a variable without a value, or was given one that it does not have. No request was made.
    #[error("table `{name}`: {problem}")]
    TableName {
        /// The name as it is declared.
        name: &'static str,
        /// What is wrong, and what to write.
        problem: String,
    },

    /// DynamoDB, or the way to it, failed.
    #[error("DynamoDB: {}", service_code(source).unwrap_or("the request failed"))]
    Service {
        /// What the client says.
        #[from]
        source: Box<aws_sdk_dynamodb::Error>,
    },

    /// The embedded engine could not be started.
    #[cfg(feature = "embedded")]
    #[error(transparent)]
    Embedded(#[from] crate::embedded::EmbeddedError),
}

/// The result of a request.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// The condition of a write does not hold.
    pub fn is_condition_failed(&self) -> bool {
        matches!(self, Self::ConditionFailed { .. })
    }

    /// A value cannot stand in a key.
    pub fn is_invalid_key(&self) -> bool {
        matches!(self, Self::Key(_))
    }

    /// DynamoDB asks to slow down.
    pub fn is_throttled(&self) -> bool {
        matches!(
            self.code(),
            Some(
                "ThrottlingException"
                    | "ProvisionedThroughputExceededException"
                    | "RequestLimitExceeded"
            )
        )
    }

    /// The table, or an index of it, is not there.
    pub fn is_not_found(&self) -> bool {
        self.code() == Some("ResourceNotFoundException")
    }

    /// DynamoDB's error code, if it answered with one.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Service { source } | Self::ConditionFailed { source, .. } => service_code(source),
            _ => None,
        }
    }
}

fn service_code(error: &aws_sdk_dynamodb::Error) -> Option<&str> {
    use aws_sdk_dynamodb::error::ProvideErrorMetadata;
    error.code()
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

/// Tells a failed condition from all other answers.
pub(crate) fn of_write(entity: &'static str, error: impl Into<aws_sdk_dynamodb::Error>) -> Error {
    let source = Box::new(error.into());
    match *source {
        aws_sdk_dynamodb::Error::ConditionalCheckFailedException(_) => {
            Error::ConditionFailed { entity, source }
        }
        _ => Error::Service { source },
    }
}

/// An answer that is no failed condition.
pub(crate) fn of_service(error: impl Into<aws_sdk_dynamodb::Error>) -> Error {
    Error::Service {
        source: Box::new(error.into()),
    }
}
