//! Stores an instant as `2025-12-27T00:00:00.000Z`, the form it has in keys.
//!
//! ```
//! # #[cfg(feature = "jiff")] {
//! use jiff::Timestamp;
//!
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Post {
//!     #[serde(with = "dyna_runtime::serde::rfc3339")]
//!     created_at: Timestamp,
//! }
//! # }
//! ```
//!
//! All values have one width, so they sort by time, and conditions such as [`lt`](crate::Field::lt) can compare them. An instant with a
//! part below a millisecond is an error when it is written: round it first. Comparisons with one are exact: it equals no stored instant,
//! and lies between two. A year before 0 or after 9999 is an error too. The types of dates and of times without a zone are stored in the
//! same form without what they lack: `2025-12-27`.
//!
//! Every other text of RFC 3339 is read exactly: `2025-12-27t01:00:00+01:00`. The times that Dyna fills in have whole milliseconds.

#[doc(hidden)]
pub use crate::codec::form::Rfc3339 as __Form;

use super::layout::RFC3339_MILLIS;
use super::{CivilDateTime, DatePart, KeyBuf};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::Cell;

/// The text of so many milliseconds since 1970, if the year has four digits.
pub(crate) fn text(millis: i64) -> Option<String> {
    let mut text = String::with_capacity(24);
    let written = CivilDateTime::of_millis(millis).write(RFC3339_MILLIS, &mut text);
    written.then_some(text)
}

/// Writes the instant.
pub fn serialize<T: DatePart, S: Serializer>(
    instant: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut out = KeyBuf::new(0, String::with_capacity(24));
    instant.encode(&mut out);
    match out.error {
        Some((_, kind)) => Err(serde::ser::Error::custom(kind)),
        None if out.is_truncated() && CUT.get().is_none() => Err(serde::ser::Error::custom(FINER)),
        None => {
            if out.is_truncated() {
                CUT.set(Some(true));
            }
            serializer.serialize_str(&out.text)
        }
    }
}

/// Why an instant is not written.
pub(crate) const FINER: &str =
    "has a part below a millisecond, which is not stored: round it first";

thread_local! {
    /// Whether an instant was cut off, if that is allowed.
    static CUT: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Writes what stored instants are compared with, which is cut off at milliseconds; whether anything was, so that what is meant is later
/// than what is written, and earlier than the next instant that can be stored.
pub(crate) fn cutting<R>(write: impl FnOnce() -> R) -> (R, bool) {
    let before = CUT.replace(Some(false));
    let written = write();
    (written, CUT.replace(before).unwrap_or(false))
}

/// Reads the instant.
pub fn deserialize<'de, T: DatePart, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse(&text)
}

fn parse<T: DatePart, E: serde::de::Error>(text: &str) -> Result<T, E> {
    let expected = &"a time in RFC 3339 that its type holds exactly";
    T::of_rfc3339(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), expected))
}

/// The same for an instant that may be missing.
pub mod option {
    #[doc(hidden)]
    pub use super::__Form;
    use super::{DatePart, Deserialize, Deserializer, Serialize, Serializer};

    struct TimestampField<'a, T>(&'a T);

    impl<T: DatePart> Serialize for TimestampField<'_, T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            super::serialize(self.0, serializer)
        }
    }

    /// Writes the instant, or nothing.
    pub fn serialize<T: DatePart, S: Serializer>(
        instant: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        instant.as_ref().map(TimestampField).serialize(serializer)
    }

    /// Reads the instant, if there is one.
    pub fn deserialize<'de, T: DatePart, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| super::parse(&text)).transpose()
    }
}
