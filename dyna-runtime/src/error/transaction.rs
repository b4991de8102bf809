//! Why a transaction was cancelled, operation by operation.

use super::{Error, SdkError, Unmet};
use crate::codec::{EncodeError, Item};
use crate::schema::EntityId;
use std::fmt;

/// An operation that a transaction was cancelled for: [`Error::failures`].
///
/// `Debug` and `Display` show nothing of the item.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Failure {
    /// The number of the operation in the transaction, from 0 in the order of the calls.
    pub index: usize,
    /// The entity that it is on.
    pub entity: &'static str,
    /// The reason of the failure.
    pub reason: FailureReason,
    /// The attribute of the unique field whose value another item has.
    pub field: Option<&'static str>,
    /// The entity, told from others of its name.
    pub(crate) id: EntityId,
    /// The name of the operation: `create`.
    pub(crate) operation: &'static str,
    /// The part of its condition that is not met.
    pub(crate) unmet: Unmet,
    /// How the item stores a field so that the update does not find it, if that is why.
    pub(crate) otherwise: Option<EncodeError>,
    /// DynamoDB's message.
    pub(crate) message: Option<String>,
    /// The item that does not meet the condition, if there is one.
    pub(crate) item: Option<Item>,
}

/// The reasons for which DynamoDB cancels a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FailureReason {
    /// The condition of the operation does not hold: for `create`, the item is there already.
    ConditionFailed,
    /// The item has another version than the one that the operation replaces.
    VersionConflict,
    /// Another item has the value of a unique field.
    NotUnique,
    /// Another write or transaction had the item at the same time.
    TransactionConflict,
    /// The table, an index or a partition has no more capacity at the moment.
    Throttled,
    /// The item collection has outgrown the 10 GB that it may have in a table with local indexes.
    CollectionTooLarge,
    /// DynamoDB does not take the operation: the item grew too large, or an index key has the wrong type.
    ValidationFailed,
    /// A reason that is not known here; `Display` shows what DynamoDB says.
    Other,
}

impl FailureReason {
    pub(crate) fn of_code(code: &str) -> Self {
        match code {
            "ConditionalCheckFailed" => Self::ConditionFailed,
            "TransactionConflict" => Self::TransactionConflict,
            "ProvisionedThroughputExceeded" | "ThrottlingError" => Self::Throttled,
            "ItemCollectionSizeLimitExceeded" => Self::CollectionTooLarge,
            "ValidationError" => Self::ValidationFailed,
            _ => Self::Other,
        }
    }

    /// Whether the same transaction may succeed in a moment.
    pub(crate) fn is_passing(self) -> bool {
        matches!(self, Self::TransactionConflict | Self::Throttled)
    }
}

impl Failure {
    /// The error of the one write that a transaction was made for.
    pub(crate) fn into_error(self, entity: &'static str, source: SdkError) -> Error {
        if let (FailureReason::ConditionFailed, Some(problem)) = (self.reason, &self.otherwise) {
            return Error::StoredOtherwise {
                entity,
                problem: problem.clone(),
                source,
            };
        }
        let item = self.item;
        match (self.reason, self.field) {
            (FailureReason::NotUnique, Some(field)) => Error::NotUnique {
                entity,
                field,
                source,
            },
            (FailureReason::VersionConflict, _) => Error::VersionConflict {
                entity,
                item,
                source,
            },
            (FailureReason::ConditionFailed, _) => Error::ConditionFailed {
                entity,
                operation: self.operation,
                unmet: self.unmet,
                item,
                source,
            },
            (reason, field) => Error::TransactionCancelled {
                failures: vec![Self {
                    reason,
                    field,
                    item,
                    ..self
                }],
                source,
            },
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            index,
            operation,
            entity,
            ..
        } = self;
        write!(f, "operation {index} ({operation} {entity}): ")?;
        match (self.reason, &self.message) {
            (FailureReason::ConditionFailed, _) => match &self.otherwise {
                Some(problem) => write!(f, "{problem}"),
                None => write!(f, "{}", self.unmet),
            },
            (FailureReason::VersionConflict, _) => {
                f.write_str("version conflict: the item changed after it was loaded")
            }
            (FailureReason::NotUnique, _) => {
                f.write_str("another item has the same ")?;
                match self.field {
                    Some(field) => write!(f, "`{field}`"),
                    None => f.write_str("unique value"),
                }
            }
            (FailureReason::TransactionConflict, _) => {
                f.write_str("another request was writing the item")
            }
            (FailureReason::Throttled, _) => f.write_str("throttled"),
            (FailureReason::CollectionTooLarge, _) => {
                f.write_str("the item collection is too large")
            }
            (FailureReason::ValidationFailed | FailureReason::Other, Some(message)) => {
                f.write_str(message)
            }
            (FailureReason::ValidationFailed | FailureReason::Other, None) => {
                f.write_str("DynamoDB rejected the operation")
            }
        }
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Failure({self})")
    }
}

/// The failures as the message of an error lists them.
pub(crate) struct Listed<'f>(pub(crate) &'f [Failure]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, failure) in self.0.iter().enumerate() {
            f.write_str(if n == 0 { ": " } else { "; " })?;
            write!(f, "{failure}")?;
        }
        Ok(())
    }
}
