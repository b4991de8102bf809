//! `tazco-outbox-sequences`.

use crate::model::OutboxSequence;
use dyna_runtime::{Result, Table};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The next number for an event of an entity, from 1: an atomic increment that also makes the sequence.
pub async fn next(
    db: &Table<OutboxSequence>,
    ecosystem_id: &str,
    entity_type: &str,
    entity_id: &str,
) -> Result<u64> {
    let entity_key = format!("{ecosystem_id}:{entity_type}:{entity_id}");
    let increment = OutboxSequence::upsert(sequence_id(&entity_key))
        .set(OutboxSequence::ENTITY_KEY, entity_key)
        .add(OutboxSequence::CURRENT, 1);
    let sequence = increment.returning_new().send(db).await?;
    Ok(sequence.current)
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
