//! The managed attributes of a write: version, `created_at`, `updated_at` and TTL.

use crate::codec::{EncodeError, Item};
use crate::entity::EntityMeta;
use crate::error::{Error, Result};
use crate::expr::{Expr, Path};
use crate::managed::ManagedVersion;
use crate::schema::AttributeName;
use crate::schema::TableSchema;
use aws_sdk_dynamodb::types::AttributeValue;
use std::time::{Duration, SystemTime};

/// Whether an item must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Precondition {
    None,
    MustNotExist,
    MustExist,
}

impl Precondition {
    /// The condition: the partition key is an attribute of every item, and of none that is not there.
    pub(crate) fn condition(self, schema: &TableSchema) -> Expr {
        match self {
            Self::None => Expr::default(),
            Self::MustNotExist => Expr::absent(schema.pk()),
            Self::MustExist => Expr::present(schema.pk()),
        }
    }
}

/// The version that a write takes the stored item to have.
#[derive(Clone)]
pub(crate) struct VersionCheck {
    name: AttributeName,
    /// `None` if there is no such item yet.
    expected: Option<AttributeValue>,
}

impl VersionCheck {
    /// The version of an entity as it was loaded. One that was never written has version zero.
    pub(crate) fn of(meta: &EntityMeta, item: &Item) -> Option<Self> {
        let name = meta.managed.version?.name;
        let expected = item
            .get(name.attribute)
            .filter(|version| number(version) != Some(0));
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
            // A version of zero, which other software may store, is none.
            None => {
                let unused = path.wherever().into_iter().map(Expr::unused);
                let unused = unused.fold(Expr::default(), Expr::and);
                let zero = AttributeValue::N("0".to_owned());
                unused.or(Expr::compare(&path, " = ", &zero))
            }
        }
    }

    /// Whether the version is in this attribute.
    pub(crate) fn is_of(&self, attribute: &str) -> bool {
        self.name.attribute == attribute
    }

    /// Whether an item has the version that comes after the expected one.
    pub(crate) fn is_next(&self, found: &Item) -> bool {
        let expected = self.expected.as_ref().map_or(Some(0), number);
        let next = expected.and_then(|expected| expected.checked_add(1));
        let version = found.get(self.name.attribute).and_then(number);
        next.is_some() && version == next
    }

    /// Whether it expects an item to be there. No version is expected of a new item, and that comes back when the item in the way is deleted.
    pub(crate) fn is_of_an_item(&self) -> bool {
        self.expected.is_some()
    }

    /// Whether an item has a later version than the expected one, which does not come back.
    pub(crate) fn is_over(&self, found: &Item) -> bool {
        let expected = self.expected.as_ref().and_then(number);
        let version = found.get(self.name.attribute).and_then(number);
        version
            .zip(expected)
            .is_some_and(|(version, expected)| version > expected)
    }

    /// Whether the item that was found has another version, so that someone else was faster.
    pub(crate) fn conflicts_with(&self, found: Option<&Item>) -> bool {
        let version = |item: &'_ Item| {
            self.name
                .all()
                .find_map(|name| item.get(name.attribute).cloned())
        };
        let version = found.and_then(version);
        version.filter(|version| number(version) != Some(0)) != self.expected
    }
}

/// The number of a version; NULL, as no version, is zero. `None` is one that is no whole number, and no other version equals it.
fn number(version: &AttributeValue) -> Option<i128> {
    match version {
        AttributeValue::N(number) => number.parse().ok(),
        AttributeValue::Null(_) => Some(0),
        _ => None,
    }
}

/// How a whole item is filled in.
#[derive(Clone, Copy)]
pub(crate) struct Filling<'i> {
    pub(crate) precondition: Precondition,
    pub(crate) now: SystemTime,
    /// The item whose version is counted on, if it is not the one that is written: that of a move.
    pub(crate) loaded: Option<&'i Item>,
    /// Whether it may replace an item that has expired.
    pub(crate) over_expired: bool,
}

/// The attributes that [`keep`] fills in, whatever the entity says.
pub(crate) fn filled(meta: &EntityMeta, precondition: Precondition) -> Vec<&'static str> {
    let created = meta.managed.created_at;
    let created = created.filter(|_| precondition == Precondition::MustNotExist);
    let stamps = created.iter().chain(&meta.managed.updated_at);
    stamps.map(|stamp| stamp.name.attribute).collect()
}

/// Fills in the next version and the times of a whole item. The lock is the version that it replaces.
pub(crate) fn keep(
    meta: &EntityMeta,
    item: &mut Item,
    filling: Filling<'_>,
) -> Result<Option<VersionCheck>> {
    let Filling {
        precondition, now, ..
    } = filling;
    let version_check = VersionCheck::of(meta, item);
    if let Some(version) = meta.managed.version {
        // An expired item may be there, whose holder must not take the new one for its own: the second is a version that it never had.
        let second = AttributeValue::N(seconds(now).to_string());
        let before = match precondition {
            Precondition::MustNotExist if filling.over_expired => Some(&second),
            // A new item has had no version, whatever the entity says: it may come from elsewhere.
            Precondition::MustNotExist => None,
            _ => filling.loaded.unwrap_or(item).get(version.name.attribute),
        };
        let next = next_version(meta, version, before)?;
        item.insert(version.name.attribute.to_owned(), next);
    }
    let is_first = version_check
        .as_ref()
        .is_some_and(|version_check| version_check.expected.is_none());
    let is_new = precondition == Precondition::MustNotExist
        || (is_first && precondition == Precondition::None);
    let created = meta.managed.created_at.filter(|_| is_new);
    for stamp in created.iter().chain(&meta.managed.updated_at) {
        let value = stamp.at(now).map_err(|source| failed(meta, source))?;
        item.insert(stamp.name.attribute.to_owned(), value);
    }
    Ok(version_check.filter(|_| precondition != Precondition::MustNotExist))
}

/// The version after this one, unless its type could not hold it: the item could not be read any more.
pub(crate) fn next_version(
    meta: &EntityMeta,
    version: ManagedVersion,
    before: Option<&AttributeValue>,
) -> Result<AttributeValue> {
    let before = match before {
        None => Some(0),
        Some(AttributeValue::N(digits)) => digits.parse::<i128>().ok(),
        Some(_) => None,
    };
    let problem = match before {
        Some(before) if before >= i128::from(version.max) => {
            "is at the maximum of its type, so the item cannot be written again"
        }
        Some(before) if before >= 0 => return Ok(AttributeValue::N((before + 1).to_string())),
        Some(_) => "is negative; versions start at 0",
        None => "is not stored as a whole number",
    };
    Err(failed(
        meta,
        EncodeError::new(problem).in_field(version.name.attribute),
    ))
}

/// The condition that DynamoDB can count the version on.
pub(crate) fn has_next_version(version: ManagedVersion) -> Expr {
    let path = Path::attribute(version.name);
    let max = AttributeValue::N(version.max.to_string());
    Expr::absent(version.name).or(Expr::less(&path, &max))
}

/// Adds the time of expiry that belongs to the field it follows.
pub(crate) fn expire(meta: &EntityMeta, item: &mut Item, now: SystemTime) -> Result<()> {
    let (Some(field), Some(ttl)) = (&meta.managed.expiry, meta.schema.ttl) else {
        return Ok(());
    };
    match item.get(field.name.attribute) {
        // The field is the time of expiry itself.
        Some(AttributeValue::N(_)) if field.name.attribute == ttl.name => return Ok(()),
        Some(_) => {}
        None => return Ok(()),
    }
    match expiry(meta, item, now)? {
        Some(at) => item.insert(ttl.name.to_owned(), at),
        // NULL is no time, whatever the field stores of `None`.
        None => item.remove(ttl.name),
    };
    Ok(())
}

/// When an item that is written now expires, if it does, by the field that says so.
pub(crate) fn expiry(
    meta: &EntityMeta,
    item: &Item,
    now: SystemTime,
) -> Result<Option<AttributeValue>> {
    let Some(expiry) = &meta.managed.expiry else {
        return Ok(None);
    };
    let Some(value) = item.get(expiry.name.attribute) else {
        return Ok(None);
    };
    let at = expiry.of(value, now);
    at.map_err(|source| failed(meta, source.in_field(expiry.name.attribute)))
}

/// Whether the time of expiry counts from the write, so that the field alone does not tell it.
pub(crate) fn is_relative(meta: &EntityMeta, item: &Item, now: SystemTime) -> Result<bool> {
    let day = Duration::from_hours(24);
    let other = now.checked_add(day).or_else(|| now.checked_sub(day));
    Ok(expiry(meta, item, now)? != expiry(meta, item, other.unwrap_or(now))?)
}

/// Whether an item that was loaded has expired, as far as the field tells.
pub(crate) fn has_expired(meta: &EntityMeta, item: &Item, now: SystemTime) -> Result<bool> {
    let at = expiry(meta, item, now)?;
    let is_past = at
        .and_then(|at| number(&at))
        .is_some_and(|at| at <= seconds(now));
    Ok(is_past && !is_relative(meta, item, now)?)
}

/// The condition that an item has expired, though DynamoDB has not deleted it yet.
pub(crate) fn is_expired_at(meta: &EntityMeta, now: SystemTime) -> Expr {
    let Some(ttl) = meta.schema.ttl else {
        return Expr::never();
    };
    let now = AttributeValue::N(seconds(now).to_string());
    Expr::at_most(&Path::attribute(&ttl), &now)
}

/// The condition that an expired item gives way to one that is created now: nobody has loaded it with the version that the new one
/// starts at, or a later one, so that whoever has loaded it cannot write over the new one.
pub(crate) fn gives_way_at(meta: &EntityMeta, now: SystemTime) -> Expr {
    let expired = is_expired_at(meta, now);
    let Some(version) = meta.managed.version else {
        return expired;
    };
    let path = Path::attribute(version.name);
    let first = AttributeValue::N((seconds(now) + 1).to_string());
    expired.and(Expr::missing(&path).or(Expr::less(&path, &first)))
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

pub(crate) fn seconds(now: SystemTime) -> i128 {
    let since = now.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs().into())
}

fn failed(meta: &EntityMeta, source: EncodeError) -> Error {
    Error::Encode {
        entity: meta.name,
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expected: Option<&str>) -> VersionCheck {
        VersionCheck {
            name: AttributeName::new("version", "version"),
            expected: expected.map(|number| AttributeValue::N(number.to_owned())),
        }
    }

    fn stored(version: AttributeValue) -> Item {
        Item::from([("version".to_owned(), version)])
    }

    #[test]
    fn version_that_is_no_whole_number_is_a_conflict() {
        let none = check(None);
        for version in ["1.5", "0.5"].map(|number| AttributeValue::N(number.to_owned())) {
            assert!(none.conflicts_with(Some(&stored(version.clone()))));
            assert!(!none.is_next(&stored(version)));
        }
        assert!(none.conflicts_with(Some(&stored(AttributeValue::S("1".to_owned())))));
        for version in [
            AttributeValue::N("0".to_owned()),
            AttributeValue::Null(true),
        ] {
            assert!(!none.conflicts_with(Some(&stored(version))));
        }
    }

    #[test]
    fn next_version_of_the_largest_number_does_not_exist() {
        let largest = i128::MAX.to_string();
        let found = stored(AttributeValue::N(largest.clone()));
        assert!(!check(Some(&largest)).is_next(&found));
        assert!(check(Some("1")).is_next(&stored(AttributeValue::N("2".to_owned()))));
    }
}
