//! Managed attributes: the version, the timestamps of creation and last change, the TTL and unique fields. Data that
//! the derive emits, and the types that fields can have for it. It knows no requests.

use crate::codec::{DecodeError, EncodeError};
use crate::derived::Derived;
use crate::expr::form::SortsAs;
use crate::schema::AttributeName;
use crate::shape;
use crate::shape::Template;
use aws_sdk_dynamodb::types::AttributeValue;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The managed attributes of an entity: every write fills them in.
#[derive(Debug, Clone, Copy)]
pub struct Managed {
    /// The field with the version: `#[dyna(version)]`.
    pub version: Option<ManagedVersion>,
    /// The field with the time of creation: `#[dyna(created_at)]`.
    pub created_at: Option<ManagedTimestamp>,
    /// The field with the time of the last change: `#[dyna(updated_at)]`.
    pub updated_at: Option<ManagedTimestamp>,
    /// The field that the time of expiry follows: `#[dyna(ttl)]`.
    pub expiry: Option<TtlSource>,
    /// The fields that are unique among all items of the entity: `#[dyna(unique)]`.
    pub unique: &'static [UniqueField],
    /// The entities whose items may be under the same keys, which no write may touch: `#[dyna(shares_key_with = Organization)]`. Their
    /// names, as Rust has them.
    pub shares_key_with: &'static [&'static str],
    /// Whether its items may have attributes that it does not know, so that no write replaces them: `#[dyna(partial)]`.
    pub partial: bool,
    /// The key templates of the sentinel items: `#[dyna(unique = "..")]`.
    pub sentinels: &'static [Sentinel],
    /// The fields that keys of indexes depend on besides their placeholders.
    pub inputs: &'static [IndexInputs],
}

/// The fields that the key of an index depends on besides its placeholders: those of `when`, and of functions of several fields.
#[derive(Debug, Clone, Copy)]
pub struct IndexInputs {
    /// The number of the index in the entity.
    pub index: usize,
    /// The fields, as templates name them.
    pub fields: &'static [&'static str],
}

/// The items that stand for the values of a unique field, as other software writes them too.
#[derive(Debug, Clone, Copy)]
pub struct Sentinel {
    /// The attribute of the field.
    pub attribute: &'static str,
    /// The attributes that fill the placeholders of the partition key: that of the field, and those of the primary key's fields
    /// within which it is unique.
    pub parts: &'static [&'static str],
    /// Their sort key, if the table has one.
    pub sk: Template,
    /// Their tag, if they have one.
    pub tag: Option<&'static str>,
}

/// A field that is unique.
#[derive(Debug, Clone, Copy)]
pub struct UniqueField {
    /// The field.
    pub name: AttributeName,
    /// The partition key of the sentinel of a value, which ends with that value.
    pub template: Template,
}

impl Managed {
    /// Whether a write fills nothing in.
    pub(crate) const fn is_nothing(&self) -> bool {
        let Self {
            version,
            created_at,
            updated_at,
            expiry,
            unique,
            // These say which writes there are, and nothing of the item.
            shares_key_with: _,
            partial: _,
            sentinels: _,
            inputs: _,
        } = self;
        let times = created_at.is_none() && updated_at.is_none() && expiry.is_none();
        version.is_none() && times && unique.is_empty()
    }

    /// The attributes that a write looks at or fills in.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = &'static str> {
        let stamps = self.created_at.into_iter().chain(self.updated_at);
        let unique = self.unique.iter().map(|unique| unique.name);
        let names = stamps.map(|stamp| stamp.name).chain(unique);
        let expiry = self.expiry.map(|expiry| expiry.name);
        let version = self.version.map(|version| version.name);
        let names = names.chain(version).chain(expiry);
        names.map(|name| name.attribute)
    }

    /// The attributes that the keys of sentinels are made of.
    pub(crate) fn sentinel_parts(&self) -> impl Iterator<Item = &'static str> {
        self.sentinels.iter().flat_map(|one| one.parts).copied()
    }

    /// Most entities.
    pub const NONE: Self = Self {
        version: None,
        created_at: None,
        updated_at: None,
        expiry: None,
        unique: &[],
        shares_key_with: &[],
        partial: false,
        sentinels: &[],
        inputs: &[],
    };

    /// Whether the key of index `n` depends on a field that it has no placeholder for.
    pub(crate) fn is_input(&self, n: usize, path: &str) -> bool {
        let mut inputs = self.inputs.iter().filter(|inputs| inputs.index == n);
        inputs.any(|inputs| inputs.fields.contains(&path))
    }

    /// The sentinel templates of a unique field, if they are declared.
    pub(crate) const fn sentinel(&self, unique: &UniqueField) -> Option<&'static Sentinel> {
        let mut at = 0;
        while at < self.sentinels.len() {
            if shape::same(self.sentinels[at].attribute, unique.name.attribute) {
                return Some(&self.sentinels[at]);
            }
            at += 1;
        }
        None
    }

    /// The sort key of the items that stand for the values of a unique field, if the table has one.
    pub(crate) const fn sort_key(&self, unique: &UniqueField) -> &'static Template {
        match self.sentinel(unique) {
            Some(sentinel) => &sentinel.sk,
            None => &UNIQUE_SORT_KEY,
        }
    }

    /// Whether other software writes the items that stand for the values of a unique field too.
    pub(crate) const fn is_shared(&self, unique: &UniqueField) -> bool {
        self.sentinel(unique).is_some()
    }
}

/// The sort key of the items that stand for unique values, if the table has one.
const UNIQUE_SORT_KEY: Template = Template {
    text: "UNIQUE",
    delimiter: b'#',
    fields: &[crate::shape::lit("UNIQUE")],
};

/// A field with a time.
#[derive(Debug, Clone, Copy)]
pub struct ManagedTimestamp {
    /// The field.
    pub name: AttributeName,
    /// A time as the field stores it.
    pub write: fn(SystemTime) -> Result<AttributeValue, EncodeError>,
}

impl ManagedTimestamp {
    pub(crate) fn at(&self, now: SystemTime) -> Result<AttributeValue, EncodeError> {
        (self.write)(now).map_err(|error| error.in_field(self.name.attribute))
    }
}

/// The field that the time of expiry follows.
#[derive(Debug, Clone, Copy)]
pub struct TtlSource {
    /// The field.
    pub name: AttributeName,
    /// Whether it holds epoch seconds, so that it can be the table's time of expiry itself.
    pub is_seconds: bool,
    /// The epoch second at which an item with this value expires, if it does.
    pub read: fn(AttributeValue, SystemTime) -> Result<Option<i64>, DecodeError>,
}

impl TtlSource {
    /// The time of expiry that belongs to a value of the field.
    pub(crate) fn of(
        &self,
        value: &AttributeValue,
        now: SystemTime,
    ) -> Result<Option<AttributeValue>, EncodeError> {
        let seconds = (self.read)(value.clone(), now);
        let seconds = seconds.map_err(|error| EncodeError::new(error.to_string()))?;
        Ok(seconds.map(|seconds| AttributeValue::N(seconds.to_string())))
    }
}

/// The field with the version.
#[derive(Debug, Clone, Copy)]
pub struct ManagedVersion {
    /// The field.
    pub name: AttributeName,
    /// The greatest version that its type holds.
    pub max: u64,
}

/// A type that a version can have: `u64`, `u32` and `i64`, and no others, since DynamoDB counts it.
#[diagnostic::on_unimplemented(
    message = "a version cannot be a `{Self}`",
    label = "`#[dyna(version)]` is for `u64`, `u32` or `i64`"
)]
pub trait VersionField {
    /// Only this crate implements it.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// The greatest version that it holds. No write goes beyond it.
    const MAX: u64;
}

impl VersionField for u32 {
    const ONLY_BY_DERIVE: Derived = Derived;
    const MAX: u64 = Self::MAX as u64;
}

impl VersionField for u64 {
    const ONLY_BY_DERIVE: Derived = Derived;
    const MAX: Self = Self::MAX;
}

impl VersionField for i64 {
    const ONLY_BY_DERIVE: Derived = Derived;
    const MAX: u64 = Self::MAX.cast_unsigned();
}

/// A type that holds an instant, such as the time of creation: the types of `jiff`, `chrono` and `time` (by feature), `String` in RFC
/// 3339 with milliseconds, and `u64` and `i64` in milliseconds since 1970.
///
/// The field must be stored in a form that [sorts](crate::expr::Sorted) by time: those types with
/// `#[serde(with = "dyna_runtime::serde::rfc3339")]`. A type of your own may implement it.
pub trait TimestampField: Sized {
    /// The instant, to the millisecond; `None` if the type cannot hold it, which makes the write an error.
    fn from_time(time: SystemTime) -> Option<Self>;
}

/// An [`TimestampField`] that sorts by time in the form `W`, in which it is stored: the times that are filled in, and those that the user gives.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a `{Self}` that is stored like this cannot be `created_at` or `updated_at`",
    label = "`created_at` and `updated_at` are for instants that sort by time as they are stored",
    note = "`jiff::Timestamp`, `chrono::DateTime<Utc>` and `time::OffsetDateTime` (with the features `jiff`, `chrono` and `time` of `dyna-runtime`) need `#[serde(with = \"dyna_runtime::serde::rfc3339\")]`, since their own text has no fixed width; an `Option` of one needs `\"dyna_runtime::serde::rfc3339::option\"`",
    note = "`String` is RFC 3339, `u64` and `i64` are milliseconds since 1970; a type of your own implements `TimestampField` and `expr::Sorted`"
)]
pub trait Stamped<W>: Sized {
    /// The instant, if the type can hold it.
    fn from_time(time: SystemTime) -> Result<Self, EncodeError>;
}

#[diagnostic::do_not_recommend]
impl<T: TimestampField + SortsAs<W>, W> Stamped<W> for T {
    fn from_time(time: SystemTime) -> Result<Self, EncodeError> {
        let field = <T as TimestampField>::from_time(time);
        field.ok_or_else(|| EncodeError::new("cannot hold the time of the clock"))
    }
}

/// Milliseconds since 1970.
fn millis(time: SystemTime) -> Option<i64> {
    let count = |duration: Duration| i64::try_from(duration.as_millis()).ok();
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => count(after),
        Err(before) => count(before.duration())?.checked_neg(),
    }
}

impl TimestampField for i64 {
    fn from_time(time: SystemTime) -> Option<Self> {
        millis(time)
    }
}

impl TimestampField for u64 {
    fn from_time(time: SystemTime) -> Option<Self> {
        millis(time)?.try_into().ok()
    }
}

impl TimestampField for String {
    fn from_time(time: SystemTime) -> Option<Self> {
        crate::key::rfc3339::text(millis(time)?)
    }
}

impl<T: TimestampField> TimestampField for Option<T> {
    fn from_time(time: SystemTime) -> Option<Self> {
        T::from_time(time).map(Some)
    }
}

#[cfg(feature = "jiff")]
impl TimestampField for jiff::Timestamp {
    fn from_time(time: SystemTime) -> Option<Self> {
        Self::from_millisecond(millis(time)?).ok()
    }
}

#[cfg(feature = "chrono")]
impl TimestampField for chrono::DateTime<chrono::Utc> {
    fn from_time(time: SystemTime) -> Option<Self> {
        Self::from_timestamp_millis(millis(time)?)
    }
}

#[cfg(feature = "time")]
impl TimestampField for time::OffsetDateTime {
    fn from_time(time: SystemTime) -> Option<Self> {
        let nanos = i128::from(millis(time)?) * 1_000_000;
        Self::from_unix_timestamp_nanos(nanos).ok()
    }
}

/// A type that says when an item expires: an instant, integers of epoch seconds, or a duration from the time of the write.
///
/// A type of your own may implement it.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` does not say when an item expires",
    label = "`#[dyna(ttl)]` is for instants, epoch seconds and durations",
    note = "`u64`, `u32` and `i64` in seconds since 1970, `std::time::Duration` from the time of the write, the instants of `jiff`, `chrono` and `time` (with the features of these names), or an `Option` of one"
)]
pub trait TtlField {
    /// Whether the value is a number of epoch seconds.
    #[doc(hidden)]
    const IS_SECONDS: bool = false;

    /// The epoch second of expiry, for an item that is written `now`.
    fn expires_at(&self, now: SystemTime) -> Option<i64>;
}

macro_rules! seconds {
    ($($type:ty),*) => {$(
        impl TtlField for $type {
            const IS_SECONDS: bool = true;

            fn expires_at(&self, _: SystemTime) -> Option<i64> {
                i64::try_from(*self).ok()
            }
        }
    )*};
}

seconds!(u32, u64, i64);

impl TtlField for Duration {
    fn expires_at(&self, now: SystemTime) -> Option<i64> {
        let end = now.checked_add(*self)?;
        Some(millis(end)?.div_euclid(1000))
    }
}

impl TtlField for SystemTime {
    fn expires_at(&self, _: SystemTime) -> Option<i64> {
        Some(millis(*self)?.div_euclid(1000))
    }
}

impl<T: TtlField> TtlField for Option<T> {
    const IS_SECONDS: bool = T::IS_SECONDS;

    fn expires_at(&self, now: SystemTime) -> Option<i64> {
        self.as_ref()?.expires_at(now)
    }
}

#[cfg(feature = "jiff")]
impl TtlField for jiff::Timestamp {
    fn expires_at(&self, _: SystemTime) -> Option<i64> {
        Some(self.as_millisecond().div_euclid(1000))
    }
}

#[cfg(feature = "jiff")]
impl TtlField for jiff::SignedDuration {
    fn expires_at(&self, now: SystemTime) -> Option<i64> {
        let end = i128::from(millis(now)?) + self.as_millis();
        i64::try_from(end.div_euclid(1000)).ok()
    }
}

#[cfg(feature = "chrono")]
impl TtlField for chrono::DateTime<chrono::Utc> {
    fn expires_at(&self, _: SystemTime) -> Option<i64> {
        Some(self.timestamp())
    }
}

#[cfg(feature = "time")]
impl TtlField for time::OffsetDateTime {
    fn expires_at(&self, _: SystemTime) -> Option<i64> {
        Some(self.unix_timestamp())
    }
}

/// The epoch second of expiry of a value of the field, as the derive reads it.
#[doc(hidden)]
pub fn expires<T: TtlField>(
    value: Result<T, DecodeError>,
    now: SystemTime,
) -> Result<Option<i64>, DecodeError> {
    value.map(|value| value.expires_at(now))
}
