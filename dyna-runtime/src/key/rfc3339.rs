//! Stores an instant as `2025-12-27T00:00:00.000Z`, the form it has in keys.
//!
//! ```
//! # #[cfg(feature = "jiff")] {
//! use jiff::Timestamp;
//!
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Post {
//!     #[serde(with = "dyna_runtime::rfc3339")]
//!     created_at: Timestamp,
//! }
//! # }
//! ```
//!
//! All values have one width, so they sort by time, and conditions such as [`lt`](crate::Field::lt) can compare them. An instant is cut off at
//! milliseconds, when it is stored and when it is compared with; a year before 0 or after 9999 is an error when it is written. The types
//! of dates and of times without a zone are stored in the same form without what they lack: `2025-12-27`.

#[doc(hidden)]
pub use crate::codec::form::Rfc3339 as __Form;

use super::{Civil, DatePart, KeyBuf, RFC3339_MILLIS};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The text of so many milliseconds since 1970.
pub(crate) fn text(millis: i64) -> String {
    let mut text = String::with_capacity(24);
    Civil::of_millis(millis).write(RFC3339_MILLIS, &mut text);
    text
}

/// Writes the instant.
pub fn serialize<T: DatePart, S: Serializer>(
    instant: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut out = KeyBuf::new(0, String::with_capacity(24));
    instant.encode(&mut out);
    match out.error {
        None => serializer.serialize_str(&out.text),
        Some((_, kind)) => Err(serde::ser::Error::custom(kind)),
    }
}

/// Reads the instant.
pub fn deserialize<'de, T: DatePart, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse(&text)
}

fn parse<T: DatePart, E: serde::de::Error>(text: &str) -> Result<T, E> {
    let expected = &"a time in RFC 3339 with milliseconds, in UTC";
    T::decode(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), expected))
}

/// The same for an instant that may be missing.
pub mod option {
    #[doc(hidden)]
    pub use super::__Form;
    use super::{DatePart, Deserialize, Deserializer, Serialize, Serializer};

    struct Instant<'a, T>(&'a T);

    impl<T: DatePart> Serialize for Instant<'_, T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            super::serialize(self.0, serializer)
        }
    }

    /// Writes the instant, or nothing.
    pub fn serialize<T: DatePart, S: Serializer>(
        instant: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        instant.as_ref().map(Instant).serialize(serializer)
    }

    /// Reads the instant, if there is one.
    pub fn deserialize<'de, T: DatePart, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| super::parse(&text)).transpose()
    }
}
