//! Items that have expired and are still there.

use crate::codec::number::StoredNumber;
use crate::entity::EntityMeta;
use crate::entity::fill::seconds;
use crate::transport::RawItem;
use aws_sdk_dynamodb::types::AttributeValue;
use std::time::SystemTime;

/// Whether an item has expired, though DynamoDB has not deleted it yet.
pub(crate) fn is_expired(meta: &EntityMeta, item: &RawItem, now: SystemTime) -> bool {
    let ttl = meta.schema.ttl.and_then(|ttl| item.get(ttl.name));
    let is_past = |at: &str| match (
        StoredNumber::parse(at),
        StoredNumber::parse(&seconds(now).to_string()),
    ) {
        (Some(at), Some(now)) => at <= now,
        _ => false,
    };
    matches!(ttl, Some(AttributeValue::N(at)) if is_past(&at))
}
