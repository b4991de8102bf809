//! The one error of the crate.

use crate::codec::{DecodeError, EncodeError, Item};
use crate::cursor::CursorError;
use crate::entity::DynaEntity;
use crate::key::{KeyError, StoredKey};
use crate::request::{Failure, Limit, Listed, Reason};
use std::fmt;

/// What went wrong with a request.
///
/// `Debug` and `Display` say what happened and where, never the values of keys or attributes; what DynamoDB itself says is
/// passed on as it is.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A value cannot stand in a key. No request was made.
    #[error(transparent)]
    Key(#[from] Box<KeyError>),

    /// The entity cannot be written as an item, or a value of a condition as an attribute. No request was made.
    #[error("{entity}: {source}")]
    Encode {
        /// The entity.
        entity: &'static str,
        /// Where in it, and why.
        source: EncodeError,
    },

    /// A stored item cannot be read as the entity. The message names the templates of the item's key; [`Error::key`] has its values.
    #[error("{}: {source}", Whose(entity, key))]
    Decode {
        /// The entity, or the projection.
        entity: &'static str,
        /// The key of the item, unless it was not read.
        key: Option<Box<StoredKey>>,
        /// Where in it, and why.
        source: DecodeError,
    },

    /// A stored item is of none of the table's entities. [`Error::key`] has the values of its key.
    #[error("{table}: the item has neither the tag nor the key of an entity of this table")]
    UnknownItem {
        /// The table.
        table: &'static str,
        /// The key of the item, if it has one.
        key: Option<Box<StoredKey>>,
    },

    /// The condition of the write does not hold: for `create`, the item is there already.
    #[error("{entity}: the condition of the write does not hold")]
    ConditionFailed {
        /// The entity.
        entity: &'static str,
        /// The item that does not meet it, if there is one: [`Error::item`] reads it.
        item: Option<Item>,
        /// DynamoDB's answer.
        source: Box<aws_sdk_dynamodb::Error>,
    },

    /// The item has another version than the one that the write replaces: someone else was faster. [`Error::item`] reads it.
    #[error("{entity}: the item has changed since it was loaded")]
    VersionConflict {
        /// The entity.
        entity: &'static str,
        /// The item as it is now, if there still is one.
        item: Option<Item>,
        /// DynamoDB's answer.
        source: Box<aws_sdk_dynamodb::Error>,
    },

    /// An update in place cannot find the field that it changes: the item stores it under an alias, or as NULL. Nothing was written.
    #[error("{entity}: {problem}")]
    StoredOtherwise {
        /// The entity.
        entity: &'static str,
        /// Which field, and what to do.
        problem: EncodeError,
        /// DynamoDB's answer.
        source: Box<aws_sdk_dynamodb::Error>,
    },

    /// Another item has the value of a unique field.
    #[error("{entity}: another item has the same `{field}`")]
    NotUnique {
        /// The entity.
        entity: &'static str,
        /// The attribute of the field.
        field: &'static str,
        /// DynamoDB's answer.
        source: Box<aws_sdk_dynamodb::Error>,
    },

    /// The old or new item was asked for of a write that changes unique fields. No request was made.
    #[error(
        "{entity}: a change of unique fields is a transaction, which returns no items: read it before or after"
    )]
    ReturnsNothing {
        /// The entity.
        entity: &'static str,
    },

    /// The transaction was cancelled and wrote nothing: [`Error::failures`] says which operations were in the way.
    #[error("the transaction was cancelled{}", Listed(failures))]
    Cancelled {
        /// The operations that failed, in the order of the call.
        failures: Vec<Failure>,
        /// DynamoDB's answer.
        source: Box<aws_sdk_dynamodb::Error>,
    },

    /// There are several items where the caller asked for one.
    #[error("{entity}: the query has more than one item")]
    MoreThanOne {
        /// The entity.
        entity: &'static str,
    },

    /// The cursor cannot be used with this query, or none could be made. No request was made in the first case.
    #[error("{entity}: {source}")]
    Cursor {
        /// The entity.
        entity: &'static str,
        /// Why.
        source: CursorError,
    },

    /// The name of the table has a variable without a value, or was given one that it does not have. No request was made.
    #[error("table `{name}`: {problem}")]
    TableName {
        /// The name as it is declared.
        name: &'static str,
        /// What is wrong, and what to write.
        problem: String,
    },

    /// The table in DynamoDB is not as it is declared.
    #[error("{differences}")]
    Differs {
        /// Each difference.
        differences: crate::schema::Differences,
    },

    /// The table is not ready after ten minutes, is being deleted or archived, or the client has no clock to wait with.
    #[error("table `{table}` is not ready")]
    NotActive {
        /// The name of the table.
        table: String,
    },

    /// DynamoDB, or the way to it, failed.
    #[error("DynamoDB: {}", Summary(source))]
    Service {
        /// What the client says.
        source: Box<aws_sdk_dynamodb::Error>,
    },

    /// The request has more of something than DynamoDB takes. No request was made.
    #[error("{found} {what}, and DynamoDB takes {max}")]
    TooMany {
        /// What there is too much of: operations in one transaction, or operators in one expression.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        max: usize,
    },

    /// Two writes of a transaction or of a batch are on one item, or on one value of a unique field, which DynamoDB does not take. No
    /// request was made.
    #[error("{entity}: the writes {first} and {second} are on one {}, and DynamoDB takes one", Shared(*unique))]
    SameItem {
        /// The entity of the second.
        entity: &'static str,
        /// The one, counted from 0 in the order in which they were given.
        first: usize,
        /// The other.
        second: usize,
        /// The attribute of the unique field, if it is a value that they have in common.
        unique: Option<&'static str>,
    },

    /// More bytes than DynamoDB takes. No request was made.
    #[error("{entity}: {limit} has {found} bytes, and DynamoDB takes {max}")]
    TooLarge {
        /// The entity.
        entity: &'static str,
        /// What is too large.
        limit: Limit,
        /// Its bytes, as DynamoDB counts them.
        found: usize,
        /// The bytes it may have.
        max: usize,
    },

    /// DynamoDB did not read all of the items of a page when the tries were used up.
    #[error("{entity}: DynamoDB left {left} items of the page unread")]
    Unprocessed {
        /// The entity.
        entity: &'static str,
        /// How many are left.
        left: usize,
    },

    /// The embedded engine could not be started.
    #[cfg(feature = "embedded")]
    #[error(transparent)]
    Embedded(#[from] crate::embedded::EmbeddedError),
}

/// The result of a request.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// The condition of a write does not hold, alone or in a transaction.
    pub fn is_condition_failed(&self) -> bool {
        matches!(self, Self::ConditionFailed { .. }) || self.failed_for(Reason::ConditionFailed)
    }

    /// The item has another version than the one that the write replaces.
    pub fn is_version_conflict(&self) -> bool {
        matches!(self, Self::VersionConflict { .. }) || self.failed_for(Reason::VersionConflict)
    }

    /// Another item has the value of a unique field.
    pub fn is_not_unique(&self) -> bool {
        matches!(self, Self::NotUnique { .. }) || self.failed_for(Reason::NotUnique)
    }

    /// Another transaction had the item at the same time.
    pub fn is_conflict(&self) -> bool {
        self.failed_for(Reason::Conflict)
            || matches!(
                self.code(),
                Some("TransactionConflictException" | "TransactionInProgressException")
            )
    }

    /// The operations that a transaction was cancelled for, in the order of the call.
    pub fn failures(&self) -> &[Failure] {
        match self {
            Self::Cancelled { failures, .. } => failures,
            _ => &[],
        }
    }

    fn failed_for(&self, reason: Reason) -> bool {
        self.failures()
            .iter()
            .any(|failure| failure.reason == reason)
    }

    /// The stored item that did not meet the condition of a write of `E`, if there is one. In a transaction it is the first one of `E`;
    /// [`failures`](Self::failures) has the others.
    pub fn item<E: DynaEntity>(&self) -> Option<Result<E>> {
        match self {
            Self::Cancelled { failures, .. } => failures.iter().find_map(Failure::item),
            Self::ConditionFailed {
                entity,
                item: Some(item),
                ..
            }
            | Self::VersionConflict {
                entity,
                item: Some(item),
                ..
            } if *entity == E::META.name => Some(crate::request::decode(item.clone())),
            _ => None,
        }
    }

    /// The key of the stored item that cannot be read. Its text shows no values; [`StoredKey::reveal`] does.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(Debug, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
    /// # struct User { id: String, age: u8 }
    /// # async fn run(db: &dyna_runtime::Table<User>) -> dyna_runtime::Result<()> {
    /// if let Err(error) = User::get("ann").send(db).await {
    ///     // "User USER#<id>: age: expected number, found string"
    ///     eprintln!("{error}");
    ///     if let Some(key) = error.key() {
    ///         eprintln!("to be mended: {}", key.reveal());
    ///     }
    /// }
    /// # Ok(()) }
    /// ```
    pub fn key(&self) -> Option<&StoredKey> {
        match self {
            Self::Decode { key, .. } | Self::UnknownItem { key, .. } => key.as_deref(),
            _ => None,
        }
    }

    /// A value cannot stand in a key.
    pub fn is_invalid_key(&self) -> bool {
        matches!(self, Self::Key(_))
    }

    /// DynamoDB asks to slow down.
    pub fn is_throttled(&self) -> bool {
        self.failed_for(Reason::Throttled)
            || matches!(
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
            Self::Service { source }
            | Self::ConditionFailed { source, .. }
            | Self::VersionConflict { source, .. }
            | Self::NotUnique { source, .. }
            | Self::StoredOtherwise { source, .. }
            | Self::Cancelled { source, .. } => service_code(source),
            _ => None,
        }
    }
}

impl Error {
    /// What a cancelled transaction says of the one write that it was made for.
    pub(crate) fn of_one(self, entity: &'static str) -> Self {
        let Self::Cancelled { failures, source } = self else {
            return self;
        };
        // What passes by itself says less than what does not.
        let lasting = failures.iter().find(|failure| !failure.reason.is_passing());
        match lasting.or(failures.first()).cloned() {
            Some(failure) => failure.into_error(entity, source),
            None => Self::Cancelled { failures, source },
        }
    }
}

fn service_code(error: &aws_sdk_dynamodb::Error) -> Option<&str> {
    use aws_sdk_dynamodb::error::ProvideErrorMetadata;
    error.code()
}

/// The entity, and if there is one the key of the item.
struct Whose<'e>(&'e str, &'e Option<Box<StoredKey>>);

impl fmt::Display for Whose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(key) => write!(f, "{} {key}", self.0),
            None => f.write_str(self.0),
        }
    }
}

/// What two writes have in common: an item, or the value of a unique field.
struct Shared(Option<&'static str>);

impl fmt::Display for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(field) => write!(f, "value of the unique `{field}`"),
            None => f.write_str("item"),
        }
    }
}

/// The code and the message of DynamoDB's answer, or what kept it from answering.
struct Summary<'e>(&'e aws_sdk_dynamodb::Error);

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use aws_sdk_dynamodb::error::ProvideErrorMetadata;
        match (self.0.code(), self.0.message()) {
            (Some(code), Some(message)) => write!(f, "{code}: {message}"),
            (Some(code), None) => f.write_str(code),
            (None, _) => {
                f.write_str("no answer")?;
                let mut source = std::error::Error::source(self.0);
                while let Some(error) = source {
                    write!(f, ": {error}")?;
                    source = error.source();
                }
                Ok(())
            }
        }
    }
}

impl From<aws_sdk_dynamodb::Error> for Error {
    fn from(error: aws_sdk_dynamodb::Error) -> Self {
        of_service(error)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

/// An answer that is no failed condition.
pub(crate) fn of_service(error: impl Into<aws_sdk_dynamodb::Error>) -> Error {
    Error::Service {
        source: Box::new(error.into()),
    }
}
