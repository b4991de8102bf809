//! `tazco-card-requests`.

use crate::model::{CardRequest, RequestStatus, Tier, Time};
use dyna_runtime::{Cursor, Page, Result, Table};

type Db = Table<CardRequest>;

/// `findPendingByUser`: at most one is enough.
pub async fn find_pending_by_user(db: &Db, ecosystem_id: &str) -> Result<Option<CardRequest>> {
    let pending = CardRequest::STATUS.eq(RequestStatus::Pending);
    let requests = CardRequest::query(ecosystem_id).filter(pending);
    requests.first(db).await
}

/// `findAllPending`, oldest first, in pages.
pub async fn find_all_pending(
    db: &Db,
    limit: usize,
    after: Option<Cursor>,
) -> Result<Page<CardRequest>> {
    let pending = CardRequest::by_status(RequestStatus::Pending);
    pending.limit(limit).after(after).send(db).await
}

/// The optional filter of the admin's list by tier.
pub async fn find_by_tier(db: &Db, tier: Tier, limit: usize) -> Result<Vec<CardRequest>> {
    CardRequest::by_tier(tier).limit(limit).all(db).await
}

/// `countRequiringAttention`: those that have been pending since that time or longer.
pub async fn count_requiring_attention(db: &Db, seven_days_ago: Time) -> Result<usize> {
    let pending = CardRequest::by_status(RequestStatus::Pending);
    pending.created_at_range(..=seven_days_ago).count(db).await
}
