//! `tazco-pending-approvals`.

use crate::model::{ApprovalStatus, PendingApproval, Time};
use dyna_runtime::{Result, Table};

type Db = Table<PendingApproval>;

/// One by its key.
pub async fn find_by_id(db: &Db, request_id: &str) -> Result<Option<PendingApproval>> {
    PendingApproval::get(request_id).send(db).await
}

/// `findExpired`: `expiresAt <= now`, that very millisecond too.
pub async fn find_expired(db: &Db, now: Time) -> Result<Vec<PendingApproval>> {
    let pending = PendingApproval::by_expiry(ApprovalStatus::Pending);
    pending.expires_at_range(..=now).all(db).await
}

/// Notes that one has expired. It moves within the index.
pub async fn expire(db: &Db, approval: &PendingApproval) -> Result<PendingApproval> {
    let change = PendingApproval::update_loaded(approval)
        .set(PendingApproval::APPROVAL_STATUS, ApprovalStatus::Expired);
    change.returning_new().send(db).await
}
