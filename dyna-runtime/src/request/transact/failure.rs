//! Why a transaction was cancelled, operation by operation.

use super::send::Place;
use crate::codec::{EncodeError, Item};
use crate::entity::{DynaEntity, EntityId};
use crate::error::{Error, Result, SdkError};
use crate::request::decode;
use crate::request::keep::Lock;
use crate::request::unmet::Unmet;
use crate::request::wire::CallFailed;
use aws_sdk_dynamodb::types::CancellationReason;
use std::fmt;

/// An operation that a transaction was cancelled for: [`Error::failures`].
///
/// `Debug` and `Display` show nothing of the item.
#[derive(Clone, PartialEq)]
pub struct Failure {
    /// Which operation of the transaction it is, counted from 0 in the order of the calls.
    pub index: usize,
    /// The entity that it is on.
    pub entity: &'static str,
    /// What is wrong with it.
    pub reason: Reason,
    /// The attribute of the unique field whose value another item has.
    pub field: Option<&'static str>,
    /// The entity, told from others of its name.
    id: EntityId,
    /// What the operation is called: `create`.
    operation: &'static str,
    /// What of its condition is not met.
    unmet: Unmet,
    /// How the item stores a field so that the update does not find it, if that is why.
    otherwise: Option<EncodeError>,
    /// What DynamoDB says of it.
    message: Option<String>,
    /// The item that does not meet the condition, if there is one.
    item: Option<Item>,
}

/// What DynamoDB cancels a transaction for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The condition of the operation does not hold: for `create`, the item is there already.
    ConditionFailed,
    /// The item has another version than the one that the operation replaces.
    VersionConflict,
    /// Another item has the value of a unique field.
    NotUnique,
    /// Another write or transaction had the item at the same time.
    Conflict,
    /// The table, an index or a partition has no more capacity at the moment.
    Throttled,
    /// The item collection has outgrown the 10 GB that it may have in a table with local indexes.
    CollectionTooLarge,
    /// DynamoDB does not take the operation: the item grew too large, or an index key has the wrong type.
    Invalid,
    /// A reason that is not known here; `Display` shows what DynamoDB says.
    Other,
}

impl Reason {
    fn of_code(code: &str) -> Self {
        match code {
            "ConditionalCheckFailed" => Self::ConditionFailed,
            "TransactionConflict" => Self::Conflict,
            "ProvisionedThroughputExceeded" | "ThrottlingError" => Self::Throttled,
            "ItemCollectionSizeLimitExceeded" => Self::CollectionTooLarge,
            "ValidationError" => Self::Invalid,
            _ => Self::Other,
        }
    }

    /// Whether the same transaction may succeed in a moment.
    pub(crate) fn is_passing(self) -> bool {
        matches!(self, Self::Conflict | Self::Throttled)
    }
}

impl Failure {
    /// The failure of the operation at a place, if it is one that failed. Takes the item out of the reason.
    fn take(place: &Place, reason: &mut CancellationReason) -> Option<Self> {
        let code = reason.code.as_deref().filter(|code| *code != "None")?;
        let known = Reason::of_code(code);
        let message = reason.message.clone();
        let item = reason.item.take().filter(|item| !item.is_empty());
        let is_lost = |lock: &Lock| lock.is_lost(item.as_ref());
        let problem = |item| place.finds.iter().find_map(|one| one.problem(item));
        let otherwise = item.as_ref().and_then(problem);
        let known = match known {
            Reason::ConditionFailed if place.unique.is_some() => Reason::NotUnique,
            Reason::ConditionFailed if otherwise.is_some() => known,
            Reason::ConditionFailed if place.lock.as_ref().is_some_and(is_lost) => {
                Reason::VersionConflict
            }
            known => known,
        };
        Some(Self {
            index: place.index,
            entity: place.entity,
            reason: known,
            field: place.unique,
            id: place.id,
            operation: place.operation,
            unmet: Unmet::of(place.presence, item.as_ref()),
            otherwise,
            message: message.or_else(|| Some(code.to_owned())),
            // A sentinel is no item of the entity.
            item: item.filter(|_| place.unique.is_none()),
        })
    }

    /// The error of the one write that a transaction was made for.
    pub(crate) fn into_error(self, entity: &'static str, source: SdkError) -> Error {
        if let (Reason::ConditionFailed, Some(problem)) = (self.reason, &self.otherwise) {
            return Error::StoredOtherwise {
                entity,
                problem: problem.clone(),
                source,
            };
        }
        let item = self.item;
        match (self.reason, self.field) {
            (Reason::NotUnique, Some(field)) => Error::NotUnique {
                entity,
                field,
                source,
            },
            (Reason::VersionConflict, _) => Error::VersionConflict {
                entity,
                item,
                source,
            },
            (Reason::ConditionFailed, _) => Error::ConditionFailed {
                entity,
                operation: self.operation,
                unmet: self.unmet,
                item,
                source,
            },
            (reason, field) => Error::Cancelled {
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

    /// The stored item that did not meet the condition of this operation, if it is one of `E` and there is an item.
    pub fn item<E: DynaEntity>(&self) -> Option<Result<E>> {
        let item = self.item.as_ref().filter(|_| self.id == E::META.id())?;
        Some(decode(item.clone()))
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
            (Reason::ConditionFailed, _) => match &self.otherwise {
                Some(problem) => write!(f, "{problem}"),
                None => write!(f, "{}", self.unmet),
            },
            (Reason::VersionConflict, _) => f.write_str("version conflict: the stored item has another version than the one that was loaded"),
            (Reason::NotUnique, _) => {
                let field = self.field.unwrap_or_default();
                write!(f, "another item has the same `{field}`")
            }
            (Reason::Conflict, _) => f.write_str("another write had the item at the same time"),
            (Reason::Throttled, _) => f.write_str("throttled"),
            (Reason::CollectionTooLarge, _) => f.write_str("the item collection is too large"),
            (Reason::Invalid | Reason::Other, Some(message)) => f.write_str(message),
            (Reason::Invalid | Reason::Other, None) => f.write_str("DynamoDB does not take it"),
        }
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Failure({self})")
    }
}

/// What a cancelled transaction failed for, as an error; any other error as it is.
pub(crate) fn failed(places: &[Place], mut error: Box<CallFailed>) -> Error {
    let aws_sdk_dynamodb::Error::TransactionCanceledException(cancelled) = &mut error.source else {
        return error.into();
    };
    let reasons = cancelled.cancellation_reasons.iter_mut().flatten();
    let failures = places
        .iter()
        .zip(reasons)
        .filter_map(|(place, reason)| Failure::take(place, reason))
        .collect();
    let source = SdkError::new(error.source);
    Error::Cancelled { failures, source }
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
