//! The reasons of a cancelled transaction, operation by operation.

use crate::entity::fill::VersionCheck;
use crate::error::{Error, Failure, FailureReason, RefusedWrite, SdkError, Unmet};
use crate::transport::CallFailed;
use crate::write::transaction::OperationInfo;
use crate::write::unmet;
use aws_sdk_dynamodb::types::CancellationReason;

/// The error of a cancelled transaction, with the reasons of its operations; any other error as it is.
pub(crate) fn failed(places: &[OperationInfo], mut error: Box<CallFailed>) -> Error {
    let aws_sdk_dynamodb::Error::TransactionCanceledException(cancelled) = &mut error.source else {
        return error.into();
    };
    let reasons = cancelled.cancellation_reasons.iter().flatten();
    let is_over = places.iter().zip(reasons).any(is_over);
    let reasons = cancelled.cancellation_reasons.iter_mut().flatten();
    let failures = places
        .iter()
        .zip(reasons)
        .filter_map(|(place, reason)| take(place, reason))
        .collect::<Vec<Failure>>();
    // By the token, no earlier attempt was applied before this one. One that is still on its way may be applied after it, when its
    // conditions hold again.
    if error.may_be_applied && !is_over {
        let lasting = |failure: &Failure| !failure.reason.is_passing();
        let refused = failures.into_iter().find(lasting);
        return error.into_unknown(refused.map(|failure| RefusedWrite {
            entity: failure.entity,
            item: failure.item,
            is_as_written: false,
        }));
    }
    let source = SdkError::new(error.source);
    Error::TransactionCancelled { failures, source }
}

/// Whether an operation failed for a version that is over, so that the transaction can never be applied.
fn is_over((place, reason): (&OperationInfo, &CancellationReason)) -> bool {
    let is_condition = reason.code.as_deref() == Some("ConditionalCheckFailed");
    let (check, found) = (&place.version_check, &reason.item);
    let is_over = check
        .as_ref()
        .zip(found.as_ref())
        .is_some_and(|(check, found)| check.is_over(found));
    is_condition && is_over
}

/// The failure of the operation at a place, if it is one that failed. Takes the item out of the reason.
fn take(place: &OperationInfo, reason: &mut CancellationReason) -> Option<Failure> {
    let code = reason.code.as_deref().filter(|code| *code != "None")?;
    let known = FailureReason::of_code(code);
    let message = reason.message.clone();
    let item = reason.item.take().filter(|item| !item.is_empty());
    let conflicts_with = |version_check: &VersionCheck| version_check.conflicts_with(item.as_ref());
    let problem = |item| place.finds.iter().find_map(|one| one.problem(item));
    let otherwise = item.as_ref().and_then(problem);
    let unmet = unmet(place.precondition, place.guard, item.as_ref());
    let known = match known {
        _ if unmet == Unmet::OtherEntity => known,
        FailureReason::ConditionFailed if place.unique.is_some() => FailureReason::NotUnique,
        FailureReason::ConditionFailed if otherwise.is_some() => known,
        FailureReason::ConditionFailed
            if place.version_check.as_ref().is_some_and(conflicts_with) =>
        {
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
        unmet,
        otherwise,
        message: message.or_else(|| Some(code.to_owned())),
        // A sentinel is no item of the entity.
        item: item.filter(|_| place.unique.is_none()),
    })
}
