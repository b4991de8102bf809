//! `tazco-outbox-sequences`.

use crate::model::OutboxSequence;
use dyna_runtime::{Result, Table, Update};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The next number for an event of an entity, from 1. It is given out once, whatever response is lost: the number that is stored is the one
/// before it. An event and its number are stored together by [`outbox::set_card_status`](super::outbox::set_card_status).
pub async fn next(
    db: &Table<OutboxSequence>,
    ecosystem_id: &str,
    entity_type: &str,
    entity_id: &str,
) -> Result<u64> {
    let entity_key = entity_key(ecosystem_id, entity_type, entity_id);
    loop {
        let (number, advance) = advance(db, &entity_key).await?;
        match advance.once().send(db).await {
            Ok(()) => return Ok(number),
            // Someone else has this number.
            Err(error) if error.is_condition_failed() => {}
            Err(error) => return Err(error),
        }
    }
}

/// The next number, and the write that takes it if no one else has.
pub async fn advance(
    db: &Table<OutboxSequence>,
    entity_key: &str,
) -> Result<(u64, Update<OutboxSequence>)> {
    let id = sequence_id(entity_key);
    let get = OutboxSequence::get(&id).consistent();
    let last = get.send(db).await?.map(|sequence| sequence.current);
    let number = last.map_or(1, |last| last.saturating_add(1));
    let is_last = match last {
        Some(last) => OutboxSequence::CURRENT.eq(last),
        None => OutboxSequence::CURRENT.missing(),
    };
    let advance = OutboxSequence::upsert(id)
        .set(OutboxSequence::ENTITY_KEY, entity_key)
        .set(OutboxSequence::CURRENT, number);
    Ok((number, advance.when(is_last)))
}

/// What a sequence is kept for.
pub fn entity_key(ecosystem_id: &str, entity_type: &str, entity_id: &str) -> String {
    format!("{ecosystem_id}:{entity_type}:{entity_id}")
}

/// The SHA-256 of an entity key, in hexadecimal digits.
pub fn sequence_id(entity_key: &str) -> String {
    let mut id = String::new();
    for byte in Sha256::digest(entity_key) {
        // Writing to a string does not fail.
        let _ = write!(id, "{byte:02x}");
    }
    id
}
