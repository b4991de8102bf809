//! Methods of the error type, and conversions into it.

use crate::codec::Item;
use crate::cursor::CursorError;
use crate::error::SdkError;
use crate::error::request::FailedRequest;
use crate::error::transaction::Failure;
use crate::error::transaction::FailureReason;
use crate::error::variants::Error;
use crate::key::StoredKey;

/// The codes of requests that were too many.
const THROTTLED: [&str; 3] = [
    "ThrottlingException",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
];

/// The error codes of conflicts with another write, transaction or region.
const CONFLICTS: [&str; 3] = [
    "TransactionConflictException",
    "TransactionInProgressException",
    "ReplicatedWriteConflictException",
];

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

    /// Another write, transaction or region was writing the item. Nothing was written.
    pub fn is_transaction_conflict(&self) -> bool {
        self.failed_for(FailureReason::TransactionConflict)
            || self.refusal().is_some_and(|code| CONFLICTS.contains(&code))
    }

    /// A write was sent, and whether it was applied is not known. The methods about causes, such as
    /// [`is_condition_failed`](Self::is_condition_failed), return `false` then, whatever the last attempt failed for: [lost
    /// responses](crate::guide::lost_responses).
    ///
    /// It is true of a batch too that stopped after some of its writes were made: [`Error::PartlyWritten`] says how many. If it is false,
    /// nothing was written, with one exception that says so: [`Error::Applied`].
    pub fn is_outcome_unknown(&self) -> bool {
        matches!(
            self,
            Self::OutcomeUnknown { .. } | Self::PartlyWritten { .. }
        )
    }

    /// The outcome of a write is unknown, and what is stored is exactly what the write makes: the item that was put, the next version with
    /// the fields that were set, or no item after a delete. It was applied, **unless someone else wrote the same**: two writers that
    /// store the same value cannot be distinguished by the stored item.
    pub fn is_stored_as_written(&self) -> bool {
        matches!(self, Self::OutcomeUnknown { refused: Some(refused), .. } if refused.is_as_written)
    }

    /// Another process runs the operation of [`Table::once`](crate::Table::once).
    pub fn is_operation_running(&self) -> bool {
        matches!(self, Self::OperationRunning { .. })
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
            Self::Applied { problem, .. } | Self::Change { problem, .. } => problem.key(),
            _ => None,
        }
    }

    /// A value is not allowed in a key.
    pub fn is_invalid_key(&self) -> bool {
        matches!(self, Self::Key(_))
    }

    /// DynamoDB throttled the request.
    pub fn is_throttled(&self) -> bool {
        self.failed_for(FailureReason::Throttled)
            || self.refusal().is_some_and(|code| THROTTLED.contains(&code))
    }

    /// The table, or an index of it, does not exist.
    pub fn is_table_not_found(&self) -> bool {
        self.refusal() == Some("ResourceNotFoundException")
    }

    /// The last attempt was throttled or in conflict with another write.
    pub(crate) fn is_worth_repeating(&self) -> bool {
        let code = self.code();
        code.is_some_and(|code| THROTTLED.contains(&code) || CONFLICTS.contains(&code))
    }

    /// The code for which DynamoDB refused the request, if it was not applied.
    fn refusal(&self) -> Option<&str> {
        self.code().filter(|_| !self.is_outcome_unknown())
    }

    /// DynamoDB's error code, if it responded with one; that of the last attempt if the outcome of a write is unknown.
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
            Self::OutcomeUnknown { source, .. } => source.as_deref(),
            Self::PartlyWritten { problem, .. } => problem.sdk_error(),
            _ => None,
        }
    }

    /// The request that failed, if DynamoDB refused it or no response could be read: its operation, table and index.
    pub fn request(&self) -> Option<&FailedRequest> {
        match self {
            Self::Service { request, .. } | Self::OutcomeUnknown { request, .. } => Some(request),
            Self::PartlyWritten { problem, .. } => problem.request(),
            _ => None,
        }
    }
}

impl Error {
    /// Turns the error of a transaction with one write into the error of that write.
    pub(crate) fn into_single_write(self, entity: &'static str) -> Self {
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

impl From<aws_sdk_dynamodb::Error> for Error {
    fn from(error: aws_sdk_dynamodb::Error) -> Self {
        service_error(error)
    }
}

/// Of a conversion that cannot fail, where one that can is asked for.
impl From<std::convert::Infallible> for Error {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
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

/// An error of the SDK's, of a request that is not known here.
pub(crate) fn service_error(error: impl Into<aws_sdk_dynamodb::Error>) -> Error {
    Error::Service {
        request: Box::new(FailedRequest::unknown()),
        source: SdkError::new(error.into()),
    }
}
