//! The variants of the error type, with their texts.

use crate::codec::{DecodeError, EncodeError, Item};
use crate::cursor::CursorError;
use crate::error::request::FailedRequest;
use crate::error::request::Summary;
use crate::error::transaction::Failure;
use crate::error::transaction::Listed;
use crate::error::{BatchProgress, RefusedWrite, SdkError, SizeLimit, Unmet};
use crate::key::KeyError;
use crate::key::StoredKey;
use std::fmt;

/// The error of every request.
///
/// `Display` and `Debug` name the entity, field and operation, but never key or attribute values. Messages from DynamoDB are passed
/// through unchanged.
///
/// `Display` is complete by itself. [`source`](std::error::Error::source) is only what `Display` does not say, so that a chain of
/// sources repeats nothing: the SDK's own error of a failed condition or a cancelled transaction, as
/// [`aws_sdk_dynamodb::Error`]. [`Error::sdk_error`] has the SDK's error of every variant.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A value is not allowed in a key. No request was sent.
    #[error(transparent)]
    Key(#[from] Box<KeyError>),

    /// The entity cannot be written as an item, or a value of a condition as an attribute. No request was sent.
    #[error("{entity}: {source}")]
    Encode {
        /// The entity.
        entity: &'static str,
        /// Where in it, and why.
        r#source: EncodeError,
    },

    /// A stored item cannot be read as the entity. The message names the templates of the item's key; [`Error::key`] has its values.
    #[error("{}: {source}", ItemName(entity, key))]
    Decode {
        /// The entity, or the projection.
        entity: &'static str,
        /// The key of the item, unless it was not read.
        key: Option<Box<StoredKey>>,
        /// Where in it, and why.
        r#source: DecodeError,
    },

    /// No entity of the table matches the tag or the key of a stored item. [`Error::key`] returns the key.
    #[error(
        "{table}: the item matches no entity of this table: add its entity, or a variant `#[dyna(unknown)]`"
    )]
    UnknownItem {
        /// The table.
        table: &'static str,
        /// The key of the item, if it has one.
        key: Option<Box<StoredKey>>,
    },

    /// A stored item is not as the entity writes it: it has the entity's tag and a key that does not fit the entity's templates, or no
    /// tag under a [shared key](crate::DynaEntity#shared-keys); or with [`Table::check_keys`](crate::Table::check_keys), a key is not what
    /// the item's attributes make it. [`Error::key`] has the values of its key.
    #[error("{}: {misfit}", ItemName(entity, key))]
    Misfit {
        /// The entity.
        entity: &'static str,
        /// The key of the item, if it has one.
        key: Option<Box<StoredKey>>,
        /// The key that does not match, and how.
        misfit: Misfit,
    },

    /// The `LastEvaluatedKey` of a response equals the `ExclusiveStartKey` of its request: paging would never end.
    #[error(
        "{entity}: {operation} of table `{table}` does not advance: DynamoDB returned the ExclusiveStartKey of the request as LastEvaluatedKey"
    )]
    NoProgress {
        /// The entity, the collection or the table type.
        entity: &'static str,
        /// The name of the table.
        table: String,
        /// `Query` or `Scan`.
        operation: &'static str,
    },

    /// There is no such segment of a scan. No request was sent.
    #[error(
        "{entity}: there is no segment {segment} of {of}; segments are numbered from 0, and a scan has 1 to 1,000,000 of them"
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
        /// The write: `create`.
        operation: &'static str,
        /// The part of the condition that is not met.
        unmet: Unmet,
        /// The item that does not meet it, if there is one: [`Error::current_item`] reads it.
        item: Option<Item>,
        /// DynamoDB's error.
        source: SdkError,
    },

    /// The item has another version than the one that the write replaces: someone else was faster. [`Error::current_item`] reads it.
    #[error("{entity}: version conflict: the item changed after it was loaded")]
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
        /// The field, and how to write it.
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

    /// `returning_old` or `returning_new` was used on a write of unique fields or their TTL. No request was sent.
    #[error(
        "{entity}: writes to unique fields or their expiry are transactions, which cannot return items; read the item separately"
    )]
    CannotReturnItem {
        /// The entity.
        entity: &'static str,
    },

    /// An `upsert` of an item that is nothing but its key was part of a transaction, or had `.once()`. No request was sent.
    #[error(
        "{entity}: the item is nothing but its key, and a transaction cannot upsert such an item; use `put` or `create` instead of `upsert`"
    )]
    KeyAlone {
        /// The entity.
        entity: &'static str,
    },

    /// The transaction was cancelled and wrote nothing: [`Error::failures`] returns the operations that failed.
    #[error("the transaction was cancelled{}", Listed(failures))]
    TransactionCancelled {
        /// The operations that failed, in the order of the call.
        failures: Vec<Failure>,
        /// DynamoDB's error.
        source: SdkError,
    },

    /// The transaction cannot be sent as it is: its token, or the order of the calls, is wrong. No request was sent.
    #[error("the transaction cannot be sent: {problem}")]
    Transaction {
        /// The problem.
        problem: &'static str,
    },

    /// There are several items where the caller asked for one.
    #[error("{entity}: the query matched more than one item")]
    MoreThanOne {
        /// The entity.
        entity: &'static str,
    },

    /// The cursor cannot be used with this query, or none could be made. No request was sent in the first case.
    #[error("{entity}: {source}")]
    Cursor {
        /// The entity of the query, or `Cursor` of a text that no query has yet.
        entity: &'static str,
        /// Why.
        r#source: CursorError,
    },

    /// The name of the table has a variable without a value, or was given one that it does not have. No request was sent.
    #[error("table `{name}`: {problem}")]
    TableName {
        /// The name as it is declared.
        name: &'static str,
        /// The problem, and what to write instead.
        problem: String,
    },

    /// A projection was read with a handle that [checks keys](crate::Table::check_keys).
    #[error(
        "{projection}: `check_keys()` cannot check a projection, which may lack key fields; read the whole entity, or use a handle \
         without `check_keys()`"
    )]
    ProjectionUnchecked {
        /// The projection.
        projection: &'static str,
    },

    /// A mistake of Dyna itself, found before anything was sent: please report it.
    #[error("{entity}: internal: {what}; please report this")]
    Internal {
        /// The entity.
        entity: &'static str,
        /// The broken invariant.
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
    #[error(
        "table `{table}` is not active after ten minutes, is being deleted or archived, or the client has no `AsyncSleep` to wait with"
    )]
    TableNotActive {
        /// The name of the table.
        table: String,
    },

    /// The table is declared in part, `#[dyna(partial)]`: what is not declared would be missing. No request was sent.
    #[error("table `{table}` is declared `partial`; `{operation}` needs the complete declaration")]
    PartialTable {
        /// The name of the table, or of its type.
        table: String,
        /// The operation: `create_table` or `rekey`.
        operation: &'static str,
    },

    /// DynamoDB refused a request, or there was no response that could be read.
    #[error("{request}: {}", Summary(request, source))]
    Service {
        /// The request: its operation, table and index.
        request: Box<FailedRequest>,
        /// The SDK's error.
        r#source: SdkError,
    },

    /// A write was sent, and it may have been applied: an attempt got no response, an error of the server, or a response that could not
    /// be read. Also if a later attempt was refused, because that does not tell what became of the earlier one.
    /// [Lost responses](crate::guide::lost_responses) says what to do.
    #[error("{request}: the write may have been applied; {problem}")]
    OutcomeUnknown {
        /// The request: its operation, table and index.
        request: Box<FailedRequest>,
        /// Why it is not known.
        problem: String,
        /// The failed condition of the last attempt, if it was one: [`Error::current_item`] and
        /// [`Error::is_stored_as_written`] tell it.
        refused: Option<Box<RefusedWrite>>,
        /// The SDK's error of the last attempt.
        r#source: Option<SdkError>,
    },

    /// A batch stopped after some of its writes were made, or may have been. All of them can be sent again: they have no conditions.
    #[error("{progress}: {problem}")]
    PartlyWritten {
        /// How many writes were made, and how many were not.
        progress: BatchProgress,
        /// What stopped it.
        problem: Box<Error>,
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

    /// Another process runs the operation: try again later, to get what it returned. Nothing was written.
    #[error("{entity}: the operation is being run by another process")]
    OperationRunning {
        /// The entity of its record.
        entity: &'static str,
    },

    /// The operation ran, and took longer than its lock: another process has run it too, or is running it. What it returned was not
    /// stored.
    #[error("{entity}: the operation took longer than its lock, and another process took it over")]
    OperationTakenOver {
        /// The entity of its record.
        entity: &'static str,
    },

    /// The request has more of something than DynamoDB takes. No request was sent.
    #[error("{found} {what}; DynamoDB allows {max}")]
    TooMany {
        /// The things that are too many: operations in one transaction, or operators in one expression.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        max: usize,
    },

    /// Two writes of a transaction or of a batch are on one item, or on one value of a unique field, which DynamoDB does not take. No
    /// request was made.
    #[error("{entity}: writes {first} and {second} target the same {}; DynamoDB allows one write per item", Shared(*unique))]
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

    /// A request exceeds a size limit of DynamoDB. No request was sent, except by `transact_get`: its size is known from the response.
    #[error("{entity}: {limit} is {found} bytes; DynamoDB allows {max}")]
    TooLarge {
        /// The entity.
        entity: &'static str,
        /// The limit.
        limit: SizeLimit,
        /// Its bytes, as DynamoDB counts them.
        found: usize,
        /// The bytes it may have.
        max: usize,
    },

    /// DynamoDB did not read all of the items of a page when the tries were used up.
    #[error("{entity}: DynamoDB did not return {left} items of the page, after all retries")]
    UnprocessedKeys {
        /// The entity.
        entity: &'static str,
        /// How many are left.
        left: usize,
    },

    /// A record of a change cannot be read: an image is unknown, a misfit, does not decode or is missing. [`Error::key`] has the key of
    /// the item.
    #[error("{table}: {}: {problem}", EventName(event, sequence))]
    Change {
        /// The table.
        table: &'static str,
        /// `INSERT`, `MODIFY` or `REMOVE`.
        event: &'static str,
        /// The sequence number of the record, if it has one.
        sequence: Option<String>,
        /// Why, and of which entity.
        problem: Box<Error>,
    },

    /// Text or bytes are no record of a change.
    #[error("{source_name} cannot be read: {problem}")]
    Record {
        /// The source, such as `the Kinesis record`.
        source_name: &'static str,
        /// What is missing or wrong.
        problem: String,
    },

    /// The stream of a table cannot be read as it is set up: the table has no stream in DynamoDB, or one of another view type, or there is
    /// no client for it.
    #[cfg(feature = "streams")]
    #[error("changes of table `{table}`: {problem}")]
    ChangeReader {
        /// The name of the table.
        table: String,
        /// The problem, and what to do.
        problem: String,
    },

    /// A request of a table's stream failed.
    #[cfg(feature = "streams")]
    #[error("{operation} of table `{table}`: {}", StreamsSummary(source))]
    Streams {
        /// The name of the table.
        table: String,
        /// The operation: `GetRecords`.
        operation: &'static str,
        /// The SDK's error.
        r#source: Box<aws_sdk_dynamodbstreams::Error>,
    },

    /// DynamoDB keeps changes for 24 hours, and has removed some that were not read, or not known to be read.
    #[cfg(feature = "streams")]
    #[error(
        "changes of table `{table}`: DynamoDB has removed changes of shard `{shard}` that may not have been read; the reader goes on with \
         those that are left"
    )]
    ChangesLost {
        /// The name of the table.
        table: String,
        /// The shard.
        shard: String,
    },

    /// The checkpoint of a reader of changes cannot be read or stored.
    #[cfg(feature = "streams")]
    #[error("checkpoint: {problem}")]
    Checkpoint {
        /// The problem, and the file if it is one.
        problem: String,
    },

    /// The embedded engine could not be started.
    #[cfg(feature = "embedded")]
    #[error(transparent)]
    Embedded(#[from] crate::embedded::EmbeddedError),
}

/// The problem of a key that does not match its item: [`Error::Misfit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misfit {
    /// The key of the table does not fit the templates of the entity that the tag names.
    #[error("the item has the tag of this entity, but its key does not fit these templates")]
    Shape,

    /// The item has no tag, and entities [share its key](crate::DynaEntity#shared-keys), which the tag alone tells apart. A read by its
    /// key fails; queries and scans count it as [unknown](crate::request::Skipped::unknown).
    #[error(
        "the item has no tag, which alone tells apart the entities that share its key: set its tag"
    )]
    Untagged,

    /// The key of the table is not what the item's attributes make it.
    #[error("the primary key does not match the attributes of the item")]
    Table,

    /// The key of this index is not what the item's attributes make it.
    #[error("the key of index `{0}` does not match the attributes of the item")]
    Index(&'static str),
}

/// The entity, and if there is one the key of the item.
struct ItemName<'e>(&'e str, &'e Option<Box<StoredKey>>);

impl fmt::Display for ItemName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(key) => write!(f, "{} {key}", self.0),
            None => f.write_str(self.0),
        }
    }
}

/// The code and the message of the SDK's error, or what it says without them.
#[cfg(feature = "streams")]
struct StreamsSummary<'e>(&'e aws_sdk_dynamodbstreams::Error);

#[cfg(feature = "streams")]
impl fmt::Display for StreamsSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use aws_sdk_dynamodbstreams::error::{DisplayErrorContext, ProvideErrorMetadata};
        match (self.0.code(), self.0.message()) {
            (Some(code), Some(message)) => write!(f, "{code}: {message}"),
            (Some(code), None) => f.write_str(code),
            (None, _) => write!(f, "{}", DisplayErrorContext(self.0)),
        }
    }
}

/// The event of a record, and its sequence number if it has one.
struct EventName<'e>(&'e str, &'e Option<String>);

impl fmt::Display for EventName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(sequence) => write!(f, "{} with sequence number {sequence}", self.0),
            None => f.write_str(self.0),
        }
    }
}

/// The common target of two writes: an item, or the value of a unique field.
struct Shared(Option<&'static str>);

impl fmt::Display for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(field) => write!(f, "value of the unique `{field}`"),
            None => f.write_str("item"),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}
