//! What Dyna keeps of an item by itself: its version, the times of its creation and last change, and the time of its expiry. Data that
//! the derive emits, and the types that fields can have for it. It knows no requests.

use crate::codec::{DecodeError, EncodeError};
use crate::derived::Derived;
use crate::expr::form::SortsAs;
use crate::schema::AttributeName;
use crate::shape::Template;
use aws_sdk_dynamodb::types::AttributeValue;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What every write fills in.
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
    pub unique: &'static [Unique],
}

/// A field that is unique.
#[derive(Debug, Clone, Copy)]
pub struct Unique {
    /// The field.
    pub name: AttributeName,
    /// The partition key of the item that stands for a value, and whose rest is that value.
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

    /// Most entities.
    pub const NONE: Self = Self {
        version: None,
        created_at: None,
        updated_at: None,
        expiry: None,
        unique: &[],
    };
}

/// The sort key of the items that stand for unique values, if the table has one.
pub(crate) const UNIQUE_SORT_KEY: Template = Template {
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
    /// The instant, to the millisecond.
    fn from_time(time: SystemTime) -> Self;
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
    /// The instant.
    fn from_time(time: SystemTime) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: TimestampField + SortsAs<W>, W> Stamped<W> for T {
    fn from_time(time: SystemTime) -> Self {
        <T as TimestampField>::from_time(time)
    }
}

/// Milliseconds since 1970.
fn millis(time: SystemTime) -> i64 {
    let count = |duration: Duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => count(after),
        Err(before) => -count(before.duration()),
    }
}

impl TimestampField for i64 {
    fn from_time(time: SystemTime) -> Self {
        millis(time)
    }
}

impl TimestampField for u64 {
    fn from_time(time: SystemTime) -> Self {
        millis(time).try_into().unwrap_or_default()
    }
}

impl TimestampField for String {
    fn from_time(time: SystemTime) -> Self {
        crate::key::rfc3339::text(millis(time))
    }
}

impl<T: TimestampField> TimestampField for Option<T> {
    fn from_time(time: SystemTime) -> Self {
        Some(T::from_time(time))
    }
}

#[cfg(feature = "jiff")]
impl TimestampField for jiff::Timestamp {
    fn from_time(time: SystemTime) -> Self {
        Self::from_millisecond(millis(time)).unwrap_or_default()
    }
}

#[cfg(feature = "chrono")]
impl TimestampField for chrono::DateTime<chrono::Utc> {
    fn from_time(time: SystemTime) -> Self {
        Self::from_timestamp_millis(millis(time)).unwrap_or_default()
    }
}

#[cfg(feature = "time")]
impl TimestampField for time::OffsetDateTime {
    fn from_time(time: SystemTime) -> Self {
        let nanos = i128::from(millis(time)) * 1_000_000;
        Self::from_unix_timestamp_nanos(nanos).unwrap_or(Self::UNIX_EPOCH)
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
        Some(millis(end).div_euclid(1000))
    }
}

impl TtlField for SystemTime {
    fn expires_at(&self, _: SystemTime) -> Option<i64> {
        Some(millis(*self).div_euclid(1000))
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
        let end = i128::from(millis(now)) + self.as_millis();
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
