//! What a write fills in by itself: the version, the times of creation and change, and the time of expiry.

use super::wire::Raw;
use super::write::Presence;
use crate::codec::{EncodeError, Item};
use crate::entity::EntityMeta;
use crate::error::{Error, Result};
use crate::expr::{Expr, Path, StoredName};
use crate::number::Number;
use aws_sdk_dynamodb::types::AttributeValue;
use std::time::SystemTime;

/// The version that a write takes the stored item to have.
#[derive(Clone)]
pub(crate) struct Lock {
    name: StoredName,
    /// `None` if there is no such item yet.
    expected: Option<AttributeValue>,
}

impl Lock {
    /// The version of an entity as it was loaded. One that was never written has version zero.
    pub(crate) fn of(meta: &EntityMeta, item: &Item) -> Option<Self> {
        let name = meta.kept.version?;
        let expected = item
            .get(name.attribute)
            .filter(|version| number(version) != 0);
        Some(Self {
            name,
            expected: expected.cloned(),
        })
    }

    /// Whether the item is taken to be there.
    pub(crate) fn is_known(&self) -> bool {
        self.expected.is_some()
    }

    pub(crate) fn condition(&self) -> Expr {
        let path = Path::attribute(self.name);
        match &self.expected {
            Some(expected) => Expr::compare(&path, " = ", expected),
            None => path
                .wherever()
                .into_iter()
                .map(Expr::unused)
                .fold(Expr::default(), Expr::and),
        }
    }

    /// Whether the item that was found has another version, so that someone else was faster.
    pub(crate) fn is_lost(&self, found: Option<&Item>) -> bool {
        let version = |item: &'_ Item| {
            self.name
                .all()
                .find_map(|name| item.get(name.attribute).cloned())
        };
        found.and_then(version) != self.expected
    }
}

fn number(version: &AttributeValue) -> i128 {
    match version {
        AttributeValue::N(number) => number.parse().unwrap_or_default(),
        _ => 0,
    }
}

/// Fills in the next version and the times of a whole item. The lock is the version that it replaces.
pub(crate) fn keep(
    meta: &EntityMeta,
    item: &mut Item,
    presence: Presence,
    now: SystemTime,
) -> Result<Option<Lock>> {
    let lock = Lock::of(meta, item);
    if let Some(name) = meta.kept.version {
        let next = item.get(name.attribute).map_or(0, number) + 1;
        let next = AttributeValue::N(next.to_string());
        item.insert(name.attribute.to_owned(), next);
    }
    let is_first = lock.as_ref().is_some_and(|lock| lock.expected.is_none());
    let is_new = presence == Presence::Absent || (is_first && presence == Presence::Any);
    let created = meta.kept.created_at.filter(|_| is_new);
    for stamp in created.iter().chain(&meta.kept.updated_at) {
        let value = stamp.at(now).map_err(|source| failed(meta, source))?;
        item.insert(stamp.name.attribute.to_owned(), value);
    }
    Ok(lock.filter(|_| presence != Presence::Absent))
}

/// Adds the time of expiry that belongs to the field it follows.
pub(crate) fn expire(meta: &EntityMeta, item: &mut Item, now: SystemTime) -> Result<()> {
    let (Some(expiry), Some(ttl)) = (&meta.kept.expiry, meta.schema.ttl) else {
        return Ok(());
    };
    let Some(value) = item.get(expiry.name.attribute) else {
        return Ok(());
    };
    let at = expiry.of(value, now);
    let at = at.map_err(|source| failed(meta, source.in_field(expiry.name.attribute)))?;
    match at {
        Some(at) => item.insert(ttl.name.to_owned(), at),
        // NULL is no time, whatever the field stores of `None`.
        None => item.remove(ttl.name),
    };
    Ok(())
}

/// Whether an item has expired, though DynamoDB has not deleted it yet.
pub(crate) fn is_expired(meta: &EntityMeta, item: &Raw, now: SystemTime) -> bool {
    let ttl = meta.schema.ttl.and_then(|ttl| item.get(ttl.name));
    let is_past = |at: &str| match (Number::parse(at), Number::parse(&seconds(now).to_string())) {
        (Some(at), Some(now)) => at <= now,
        _ => false,
    };
    matches!(ttl, Some(AttributeValue::N(at)) if is_past(&at))
}

/// The condition that an item has not expired. What is no number is no time of expiry.
pub(crate) fn is_live(meta: &EntityMeta, now: SystemTime) -> Expr {
    let Some(ttl) = meta.schema.ttl else {
        return Expr::default();
    };
    let path = Path::attribute(&ttl);
    let now = AttributeValue::N(seconds(now).to_string());
    Expr::absent(&ttl)
        .or(Expr::is_no(path.clone(), "N"))
        .or(Expr::compare(&path, " > ", &now))
}

fn seconds(now: SystemTime) -> i128 {
    let since = now.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs().into())
}

fn failed(meta: &EntityMeta, source: EncodeError) -> Error {
    Error::Encode {
        entity: meta.name,
        source,
    }
}
