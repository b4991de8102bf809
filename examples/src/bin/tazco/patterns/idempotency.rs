//! `tazco-idempotency`: records of operations that run once per key, in the form that the design stores.

use crate::model::{IdempotencyRecord, Json, Time};
use dyna_runtime::request::{OnceRecord, OnceState};
use dyna_runtime::{Result, Table};
use std::future::Future;
use std::time::{SystemTime, UNIX_EPOCH};

type Db = Table<IdempotencyRecord>;

/// HTTP's "Processing": the status code of a record whose request is still being answered.
const PROCESSING: u16 = 102;

/// What a request is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub status_code: u16,
    pub response: Json,
}

/// While a request is being answered, its record has the status code 102, and its response names the holder. An answered one is stored as
/// in the design.
impl OnceRecord for IdempotencyRecord {
    type Output = Reply;

    fn state(&self) -> OnceState<Reply> {
        if self.status_code == PROCESSING {
            let holder = self
                .response
                .get("holder")
                .and_then(|holder| holder.as_str());
            let holder = holder.unwrap_or_default().to_owned();
            return OnceState::Running { holder };
        }
        OnceState::Done(Reply {
            status_code: self.status_code,
            response: self.response.clone(),
        })
    }

    fn set_state(&mut self, state: OnceState<Reply>, expires: SystemTime) {
        (self.status_code, self.response) = match state {
            OnceState::Running { holder } => {
                let entry = ("holder".to_owned(), holder.into());
                (PROCESSING, Json::from_iter([entry]))
            }
            OnceState::Done(reply) => (reply.status_code, reply.response),
        };
        let since = expires.duration_since(UNIX_EPOCH).unwrap_or_default();
        self.expires_at_epoch_seconds = since.as_secs().try_into().unwrap_or(i64::MAX);
    }
}

/// Answers a request once: the same request gets the same reply, for a day.
pub async fn answer_once<F: Future<Output = Result<Reply>>>(
    db: &Db,
    [ecosystem_id, key_hash, operation]: [&str; 3],
    now: Time,
    answer: impl FnOnce() -> F,
) -> Result<Reply> {
    let record = IdempotencyRecord {
        ecosystem_id: ecosystem_id.to_owned(),
        key_hash: key_hash.to_owned(),
        operation: operation.to_owned(),
        response: Json::new(),
        status_code: PROCESSING,
        created_at: now,
        expires_at_epoch_seconds: 0,
    };
    db.once(record).run(answer).await
}

/// What the request was answered before, unless that has expired. DynamoDB may take days to delete what has.
pub async fn find(
    db: &Db,
    ecosystem_id: &str,
    key_hash: &str,
) -> Result<Option<IdempotencyRecord>> {
    let get = IdempotencyRecord::get(ecosystem_id, key_hash);
    let found = get.skip_expired().consistent().send(db).await?;
    Ok(found.filter(|record| record.status_code != PROCESSING))
}

/// Keeps an answer, once: `None` if it was kept, or else the answer that was there first. One that has expired gives way.
pub async fn create_once(
    db: &Db,
    record: &IdempotencyRecord,
    now: Time,
) -> Result<Option<IdempotencyRecord>> {
    let free = IdempotencyRecord::KEY_HASH.missing();
    let expired = IdempotencyRecord::EXPIRES_AT_EPOCH_SECONDS.le(now.0.as_second());
    let put = record.put().when(free.or(expired));
    match put.once().send(db).await {
        Ok(()) => Ok(None),
        Err(error) => match error.current_item() {
            Some(found) if error.is_condition_failed() => found.map(Some),
            _ => Err(error),
        },
    }
}
