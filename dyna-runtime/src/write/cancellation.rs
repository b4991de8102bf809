//! Why a transaction was cancelled, taken from what DynamoDB says of each operation.

use crate::entity::fill::Lock;
use crate::error::{Error, Failure, FailureReason, SdkError};
use crate::transport::CallFailed;
use crate::write::transaction::Place;
use crate::write::unmet;
use aws_sdk_dynamodb::types::CancellationReason;

/// What a cancelled transaction failed for, as an error; any other error as it is.
pub(crate) fn failed(places: &[Place], mut error: Box<CallFailed>) -> Error {
    let aws_sdk_dynamodb::Error::TransactionCanceledException(cancelled) = &mut error.source else {
        return error.into();
    };
    let reasons = cancelled.cancellation_reasons.iter_mut().flatten();
    let failures = places
        .iter()
        .zip(reasons)
        .filter_map(|(place, reason)| take(place, reason))
        .collect();
    let source = SdkError::new(error.source);
    Error::TransactionCancelled { failures, source }
}

/// The failure of the operation at a place, if it is one that failed. Takes the item out of the reason.
fn take(place: &Place, reason: &mut CancellationReason) -> Option<Failure> {
    let code = reason.code.as_deref().filter(|code| *code != "None")?;
    let known = FailureReason::of_code(code);
    let message = reason.message.clone();
    let item = reason.item.take().filter(|item| !item.is_empty());
    let is_lost = |lock: &Lock| lock.is_lost(item.as_ref());
    let problem = |item| place.finds.iter().find_map(|one| one.problem(item));
    let otherwise = item.as_ref().and_then(problem);
    let known = match known {
        FailureReason::ConditionFailed if place.unique.is_some() => FailureReason::NotUnique,
        FailureReason::ConditionFailed if otherwise.is_some() => known,
        FailureReason::ConditionFailed if place.lock.as_ref().is_some_and(is_lost) => {
            FailureReason::VersionConflict
        }
        known => known,
    };
    Some(Failure {
        index: place.index,
        entity: place.entity,
        reason: known,
        field: place.unique,
        id: place.id,
        operation: place.operation,
        unmet: unmet(place.presence, item.as_ref()),
        otherwise,
        message: message.or_else(|| Some(code.to_owned())),
        // A sentinel is no item of the entity.
        item: item.filter(|_| place.unique.is_none()),
    })
}
