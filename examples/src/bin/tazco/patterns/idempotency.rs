//! `tazco-idempotency`.

use crate::model::{IdempotencyRecord, Time};
use dyna_runtime::{Result, Table};

type Db = Table<IdempotencyRecord>;

/// What the request was answered before, unless that has expired. DynamoDB may take days to delete what has.
pub async fn find(
    db: &Db,
    ecosystem_id: &str,
    key_hash: &str,
) -> Result<Option<IdempotencyRecord>> {
    let get = IdempotencyRecord::get(ecosystem_id, key_hash);
    get.skip_expired().consistent().send(db).await
}

/// Keeps an answer, once: `None` if it was kept, or else the answer that was there first. One that has expired gives way.
pub async fn create_once(
    db: &Db,
    record: &IdempotencyRecord,
    now: Time,
) -> Result<Option<IdempotencyRecord>> {
    let free = IdempotencyRecord::KEY_HASH.missing();
    let expired = IdempotencyRecord::EXPIRES_AT_EPOCH_SECONDS.le(now.0.as_second());
    match record.put().when(free.or(expired)).send(db).await {
        Ok(()) => Ok(None),
        Err(error) if error.is_condition_failed() => error.current_item().transpose(),
        Err(error) => Err(error),
    }
}
