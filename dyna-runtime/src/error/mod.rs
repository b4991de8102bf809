//! The one error of the crate.

mod limit;
mod request;
mod sdk;
mod transaction;
mod unmet;

pub use crate::cursor::CursorError;
pub use crate::key::{KeyError, KeyErrorKind};
pub use limit::SizeLimit;
pub(crate) use limit::{MAX_ITEM, MAX_OPERATORS, MAX_TRANSACTION};
pub(crate) use request::Asked;
pub use request::FailedRequest;
pub use sdk::SdkError;
pub use transaction::{Failure, FailureReason};
pub use unmet::Unmet;

use crate::codec::{DecodeError, EncodeError, Item};
use crate::key::StoredKey;
use request::Summary;
use std::fmt;
use transaction::Listed;

/// What went wrong with a request.
///
/// `Debug` and `Display` say what happened and where, never the values of keys or attributes; what DynamoDB itself says is
/// passed on as it is.
///
/// `Display` is complete by itself. [`source`](std::error::Error::source) is only what `Display` does not say, so that a chain of
/// sources repeats nothing: the SDK's own error of a failed condition or a cancelled transaction, as
/// [`aws_sdk_dynamodb::Error`]. [`Error::sdk_error`] has the SDK's error of every variant.
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
        r#source: EncodeError,
    },

    /// A stored item cannot be read as the entity. The message names the templates of the item's key; [`Error::key`] has its values.
    #[error("{}: {source}", Whose(entity, key))]
    Decode {
        /// The entity, or the projection.
        entity: &'static str,
        /// The key of the item, unless it was not read.
        key: Option<Box<StoredKey>>,
        /// Where in it, and why.
        r#source: DecodeError,
    },

    /// A stored item is of none of the table's entities. [`Error::key`] has the values of its key.
    #[error(
        "{table}: the item matches no entity of this table: add its entity, or a variant `#[dyna(unknown)]`"
    )]
    UnknownItem {
        /// The table.
        table: &'static str,
        /// The key of the item, if it has one.
        key: Option<Box<StoredKey>>,
    },

    /// A stored item has the tag of the entity, and a key that the entity never writes: its key does not fit the entity's templates, or
    /// with [`Table::check_keys`](crate::Table::check_keys), a key is not what the item's attributes make it. [`Error::key`] has the
    /// values of its key.
    #[error("{}: {misfit}", Whose(entity, key))]
    Misfit {
        /// The entity.
        entity: &'static str,
        /// The key of the item, if it has one.
        key: Option<Box<StoredKey>>,
        /// Which key it is, and what is wrong with it.
        misfit: Misfit,
    },

    /// DynamoDB said that there is more, and that it begins where the request began: asking again would never end.
    #[error(
        "{entity}: {operation} of table `{table}` does not advance: the LastEvaluatedKey of the response is the ExclusiveStartKey of its request"
    )]
    NoProgress {
        /// The entity, the collection or the table type.
        entity: &'static str,
        /// The name of the table.
        table: String,
        /// `Query` or `Scan`.
        operation: &'static str,
    },

    /// There is no such segment of a scan. No request was made.
    #[error(
        "{entity}: segment {segment} of {of} does not exist: segments are counted from 0, and there are 1 to 1,000,000 of them"
    )]
    Segment {
        /// The entity, or the table type.
        entity: &'static str,
        /// The segment that was asked for.
        segment: u32,
        /// How many segments there are.
        of: u32,
    },

    /// The condition of a write is not met: for `create`, an item with the key exists; for `update`, none does; or a condition of the
    /// caller's is false.
    #[error("{entity}: {operation} failed: {unmet}")]
    ConditionFailed {
        /// The entity.
        entity: &'static str,
        /// What the write is: `create`.
        operation: &'static str,
        /// What is not met.
        unmet: Unmet,
        /// The item that does not meet it, if there is one: [`Error::current_item`] reads it.
        item: Option<Item>,
        /// DynamoDB's error.
        source: SdkError,
    },

    /// The item has another version than the one that the write replaces: someone else was faster. [`Error::current_item`] reads it.
    #[error(
        "{entity}: version conflict: the stored item has another version than the one that was loaded"
    )]
    VersionConflict {
        /// The entity.
        entity: &'static str,
        /// The item as it is now, if there still is one.
        item: Option<Item>,
        /// DynamoDB's error.
        source: SdkError,
    },

    /// An update in place cannot find the field that it changes: the item stores it under an alias, or as NULL. Nothing was written.
    #[error("{entity}: {problem}")]
    StoredOtherwise {
        /// The entity.
        entity: &'static str,
        /// Which field, and what to do.
        problem: EncodeError,
        /// The SDK's error.
        source: SdkError,
    },

    /// Another item has the value of a unique field.
    #[error("{entity}: another item has the same `{field}`")]
    NotUnique {
        /// The entity.
        entity: &'static str,
        /// The attribute of the field.
        field: &'static str,
        /// DynamoDB's error.
        source: SdkError,
    },

    /// The old or new item was asked for of a write that changes unique fields, or when they expire. No request was made.
    #[error(
        "{entity}: a change of unique fields, or of when they expire, is a transaction, which returns no items: read it before or after"
    )]
    CannotReturnItem {
        /// The entity.
        entity: &'static str,
    },

    /// The transaction was cancelled and wrote nothing: [`Error::failures`] says which operations were in the way.
    #[error("the transaction was cancelled{}", Listed(failures))]
    TransactionCancelled {
        /// The operations that failed, in the order of the call.
        failures: Vec<Failure>,
        /// DynamoDB's error.
        source: SdkError,
    },

    /// The transaction cannot be sent as it is: its token, or the order of the calls, is wrong. No request was made.
    #[error("the transaction cannot be sent: {problem}")]
    Transaction {
        /// What is wrong.
        problem: &'static str,
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
        /// The entity of the query, or `Cursor` of a text that no query has yet.
        entity: &'static str,
        /// Why.
        r#source: CursorError,
    },

    /// The name of the table has a variable without a value, or was given one that it does not have. No request was made.
    #[error("table `{name}`: {problem}")]
    TableName {
        /// The name as it is declared.
        name: &'static str,
        /// What is wrong, and what to write.
        problem: String,
    },

    /// A mistake of Dyna itself, found before anything was sent: please report it.
    #[error("{entity}: internal: {what}; please report this")]
    Internal {
        /// The entity.
        entity: &'static str,
        /// What does not hold.
        what: &'static str,
    },

    /// The table in DynamoDB is not as it is declared.
    #[error("{differences}")]
    SchemaMismatch {
        /// Each difference.
        #[from]
        differences: crate::schema::Differences,
    },

    /// The table is not ready after ten minutes, is being deleted or archived, or the client has no clock to wait with.
    #[error("table `{table}` is not ready")]
    TableNotActive {
        /// The name of the table.
        table: String,
    },

    /// DynamoDB refused a request, or there was no response that could be read.
    #[error("{request}: {}", Summary(request, source))]
    Service {
        /// The request: its operation, table and index.
        request: Box<FailedRequest>,
        /// What the SDK says.
        r#source: SdkError,
    },

    /// A write was sent, and its response could not be read: it was applied, or may have been. It is not repeated, since most
    /// writes do something else the second time.
    #[error(
        "{request}: the write may have been applied; its response could not be read: {problem}"
    )]
    OutcomeUnknown {
        /// The request: its operation, table and index.
        request: Box<FailedRequest>,
        /// What is wrong with the response.
        problem: String,
    },

    /// A write was applied, and the item that it returned cannot be read. Do not repeat it: [`Error::returned_item`] has the item.
    #[error(
        "{entity}: the write was applied, but the item that it returned cannot be read: {problem}"
    )]
    Applied {
        /// The entity.
        entity: &'static str,
        /// The item that was returned, if it is one of attributes at all.
        item: Option<Box<Item>>,
        /// Why it cannot be read.
        problem: Box<Error>,
    },

    /// The request has more of something than DynamoDB takes. No request was made.
    #[error("{found} {what}; DynamoDB allows {max}")]
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
    #[error("{entity}: the writes {first} and {second} are on one {}; DynamoDB allows one", Shared(*unique))]
    DuplicateTarget {
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
    #[error("{entity}: {limit} has {found} bytes; DynamoDB allows {max}")]
    TooLarge {
        /// The entity.
        entity: &'static str,
        /// What is too large.
        limit: SizeLimit,
        /// Its bytes, as DynamoDB counts them.
        found: usize,
        /// The bytes it may have.
        max: usize,
    },

    /// DynamoDB did not read all of the items of a page when the tries were used up.
    #[error("{entity}: DynamoDB left {left} items of the page unread")]
    UnprocessedKeys {
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

/// What is wrong with the key of an item that is a [misfit](Error::Misfit).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misfit {
    /// The key of the table does not fit the templates of the entity that the tag names.
    #[error("the item has the tag of this entity, but its key does not fit these templates")]
    Shape,

    /// The key of the table is not what the item's attributes make it.
    #[error("the key of the table is not the one that the item's attributes make")]
    Table,

    /// The key of this index is not what the item's attributes make it.
    #[error("the key of index `{0}` is not the one that the item's attributes make")]
    Index(&'static str),
}

/// The result of a request.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// The condition of a write does not hold, alone or in a transaction.
    pub fn is_condition_failed(&self) -> bool {
        matches!(self, Self::ConditionFailed { .. })
            || self.failed_for(FailureReason::ConditionFailed)
    }

    /// The item has another version than the one that the write replaces.
    pub fn is_version_conflict(&self) -> bool {
        matches!(self, Self::VersionConflict { .. })
            || self.failed_for(FailureReason::VersionConflict)
    }

    /// Another item has the value of a unique field.
    pub fn is_not_unique(&self) -> bool {
        matches!(self, Self::NotUnique { .. }) || self.failed_for(FailureReason::NotUnique)
    }

    /// Another write, transaction or region had the item at the same time. Nothing was written.
    pub fn is_transaction_conflict(&self) -> bool {
        self.failed_for(FailureReason::TransactionConflict)
            || matches!(
                self.code(),
                Some(
                    "TransactionConflictException"
                        | "TransactionInProgressException"
                        | "ReplicatedWriteConflictException"
                )
            )
    }

    /// A write was sent, and whether it was applied is not known: its response could not be read.
    pub fn is_outcome_unknown(&self) -> bool {
        matches!(self, Self::OutcomeUnknown { .. })
    }

    /// The item that a write returned and that cannot be read. The write was applied.
    pub fn returned_item(&self) -> Option<&Item> {
        match self {
            Self::Applied { item, .. } => item.as_deref(),
            _ => None,
        }
    }

    /// The operations that a transaction was cancelled for, in the order of the call.
    pub fn failures(&self) -> &[Failure] {
        match self {
            Self::TransactionCancelled { failures, .. } => failures,
            _ => &[],
        }
    }

    fn failed_for(&self, reason: FailureReason) -> bool {
        self.failures()
            .iter()
            .any(|failure| failure.reason == reason)
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
            Self::Decode { key, .. } | Self::UnknownItem { key, .. } | Self::Misfit { key, .. } => {
                key.as_deref()
            }
            Self::Applied { problem, .. } => problem.key(),
            _ => None,
        }
    }

    /// A value cannot stand in a key.
    pub fn is_invalid_key(&self) -> bool {
        matches!(self, Self::Key(_))
    }

    /// DynamoDB throttled the request.
    pub fn is_throttled(&self) -> bool {
        self.failed_for(FailureReason::Throttled)
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
    pub fn is_table_not_found(&self) -> bool {
        self.code() == Some("ResourceNotFoundException")
    }

    /// DynamoDB's error code, if it responded with one.
    pub fn code(&self) -> Option<&str> {
        use aws_sdk_dynamodb::error::ProvideErrorMetadata;
        self.sdk_error()?.code()
    }

    /// The SDK's own error, if DynamoDB or the way to it failed.
    ///
    /// ```
    /// # fn request_id(error: &dyna_runtime::Error) -> Option<&str> {
    /// use aws_sdk_dynamodb::operation::RequestId;
    /// error.sdk_error()?.request_id()
    /// # }
    /// ```
    pub fn sdk_error(&self) -> Option<&aws_sdk_dynamodb::Error> {
        match self {
            Self::Service { source, .. }
            | Self::ConditionFailed { source, .. }
            | Self::VersionConflict { source, .. }
            | Self::NotUnique { source, .. }
            | Self::StoredOtherwise { source, .. }
            | Self::TransactionCancelled { source, .. } => Some(source),
            _ => None,
        }
    }

    /// The request that failed, if DynamoDB refused it or no response could be read: its operation, table and index.
    pub fn request(&self) -> Option<&FailedRequest> {
        match self {
            Self::Service { request, .. } | Self::OutcomeUnknown { request, .. } => Some(request),
            _ => None,
        }
    }
}

impl Error {
    /// What a cancelled transaction says of the one write that it was made for.
    pub(crate) fn of_one(self, entity: &'static str) -> Self {
        let Self::TransactionCancelled { failures, source } = self else {
            return self;
        };
        // What passes by itself says less than what does not.
        let lasting = failures.iter().find(|failure| !failure.reason.is_passing());
        match lasting.or(failures.first()).cloned() {
            Some(failure) => failure.into_error(entity, source),
            None => Self::TransactionCancelled { failures, source },
        }
    }
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

impl From<aws_sdk_dynamodb::Error> for Error {
    fn from(error: aws_sdk_dynamodb::Error) -> Self {
        of_service(error)
    }
}

/// Of a text that was parsed as a cursor, before any query has it.
impl From<CursorError> for Error {
    fn from(source: CursorError) -> Self {
        Self::Cursor {
            entity: "Cursor",
            source,
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

/// An error of the SDK's, of a request that is not known here.
pub(crate) fn of_service(error: impl Into<aws_sdk_dynamodb::Error>) -> Error {
    Error::Service {
        request: Box::new(FailedRequest::unknown()),
        source: SdkError::new(error.into()),
    }
}
