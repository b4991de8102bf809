//! Why a transaction was cancelled, operation by operation.

use super::send::Place;
use crate::codec::Item;
use crate::entity::DynaEntity;
use crate::error::{Error, Result};
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
    /// The failure of the operation at a place, if it is one that failed. Takes the item out of the reason, which is passed on.
    fn take(place: Place, reason: &mut CancellationReason) -> Option<Self> {
        let code = reason.code.as_deref().filter(|code| *code != "None")?;
        let known = Reason::of_code(code);
        let message = reason.message.clone();
        let item = reason.item.take();
        Some(Self {
            index: place.index,
            entity: place.entity,
            reason: known,
            message: message.or_else(|| Some(code.to_owned())),
            item: item.filter(|item| !item.is_empty()),
        })
    }

    /// The stored item that did not meet the condition of this operation, if it is one of `E` and there is an item.
    pub fn item<E: DynaEntity>(&self) -> Option<Result<E>> {
        let item = self.item.as_ref().filter(|_| self.entity == E::META.name)?;
        Some(E::decode(item.clone()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "operation {} ({}): ", self.index, self.entity)?;
        match (self.reason, &self.message) {
            (Reason::ConditionFailed, _) => f.write_str("the condition does not hold"),
            (Reason::Conflict, _) => f.write_str("another write had the item at the same time"),
            (Reason::Throttled, _) => f.write_str("DynamoDB asks to slow down"),
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

/// What a cancelled transaction failed for, as an error; any other answer as it is.
pub(super) fn failed(places: &[Place], error: impl Into<aws_sdk_dynamodb::Error>) -> Error {
    let mut source = Box::new(error.into());
    let aws_sdk_dynamodb::Error::TransactionCanceledException(cancelled) = &mut *source else {
        return Error::Service { source };
    };
    let reasons = cancelled.cancellation_reasons.iter_mut().flatten();
    let failures = places
        .iter()
        .zip(reasons)
        .filter_map(|(place, reason)| Failure::take(*place, reason))
        .collect();
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
