//! `tazco-outbox`.

use crate::model::{OutboxEvent, OutboxStatus, Time};
use dyna_runtime::{Result, Table};

type Db = Table<OutboxEvent>;

/// `findPending`, oldest first.
pub async fn find_pending(db: &Db, limit: usize) -> Result<Vec<OutboxEvent>> {
    let pending = OutboxEvent::by_creation(OutboxStatus::Pending);
    pending.limit(limit).all(db).await
}

/// `findReadyForRetry`: `nextRetryAt <= now`, that very millisecond too.
pub async fn find_ready_for_retry(db: &Db, now: Time, limit: usize) -> Result<Vec<OutboxEvent>> {
    let failed = OutboxEvent::by_retry(OutboxStatus::Failed);
    let ready = failed.next_retry_at_range(..=now);
    ready.limit(limit).all(db).await
}

/// Notes that an event was sent. Its status is part of both indexes, whose keys follow.
pub async fn mark_sent(db: &Db, event: &OutboxEvent, now: Time) -> Result<OutboxEvent> {
    let change = OutboxEvent::update_loaded(event)
        .set(OutboxEvent::STATUS, OutboxStatus::Sent)
        .set(OutboxEvent::SENT_AT, now);
    change.returning_new().send(db).await
}

/// Notes that an event was not sent, and when to try again.
pub async fn mark_failed(
    db: &Db,
    event: &OutboxEvent,
    error: &str,
    next_retry_at: Time,
) -> Result<OutboxEvent> {
    let change = OutboxEvent::update_loaded(event)
        .set(OutboxEvent::STATUS, OutboxStatus::Failed)
        .set(OutboxEvent::NEXT_RETRY_AT, next_retry_at)
        .set(OutboxEvent::LAST_ERROR, error)
        .add(OutboxEvent::RETRY_COUNT, 1);
    change.returning_new().send(db).await
}
