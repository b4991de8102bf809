//! `#[serde(with = "dyna_runtime::serde::decimal")]`: a `rust_decimal::Decimal`, or an `Option` of one, as a number, digit by digit.
//!
//! ```
//! use aws_sdk_dynamodb::types::AttributeValue;
//! use dyna_runtime::codec::{from_item, to_item, Item};
//! use rust_decimal::Decimal;
//!
//! #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
//! struct Payment {
//!     #[serde(with = "dyna_runtime::serde::decimal")]
//!     amount: Decimal,
//! }
//!
//! let payment = Payment { amount: Decimal::new(15_075, 2) };
//! let item = to_item(&payment)?;
//! assert_eq!(item["amount"], AttributeValue::N("150.75".to_owned()));
//! assert_eq!(from_item::<Payment>(item)?, payment);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Without it, `Decimal` is the text that its own serde writes; that is read too. With other formats than DynamoDB's, such as JSON, it is
//! written as text. A stored number with more digits than a `Decimal` holds is an error, never rounded; also in a flattened field and in an
//! internally tagged or untagged enum.

use std::fmt;

use rust_decimal::Decimal;
use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde::ser::Serializer;

#[doc(hidden)]
pub use crate::codec::form::DecimalNumber as __Form;

use super::buffered::digits;
use super::number::NUMBER;
use crate::codec::number::StoredNumber;

/// Types that `decimal` stores as a number.
pub trait Exact: Sized + sealed::Sealed {
    /// Writes it.
    #[doc(hidden)]
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Reads it.
    #[doc(hidden)]
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for rust_decimal::Decimal {}
    impl Sealed for Option<rust_decimal::Decimal> {}
}

/// Writes it as a number.
///
/// # Errors
///
/// When the serializer fails.
pub fn serialize<T: Exact, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.write(serializer)
}

/// Reads it from a number, or from text.
///
/// # Errors
///
/// When the attribute is neither, or has more digits than a `Decimal` holds.
pub fn deserialize<'de, T: Exact, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::read(deserializer)
}

impl Exact for Decimal {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(NUMBER, &self.to_string())
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(NUMBER, One)
    }
}

impl Exact for Option<Decimal> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => value.write(serializer),
            None => serializer.serialize_none(),
        }
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_option(Optional)
    }
}

/// The decimal that is written so, if it holds all digits.
pub(crate) fn exact(text: &str) -> Option<Decimal> {
    let parsed = if text.contains(['e', 'E']) {
        Decimal::from_scientific(text)
    } else {
        Decimal::from_str_exact(text)
    };
    // A power of ten may be rounded.
    let same = |it: &Decimal| StoredNumber::parse(&it.to_string()) == StoredNumber::parse(text);
    parsed.ok().filter(same)
}

struct One;

impl<'de> Visitor<'de> for One {
    type Value = Decimal;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a decimal number")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Decimal, E> {
        exact(text).ok_or_else(|| {
            E::invalid_value(
                Unexpected::Other("number"),
                &"a number that a `Decimal` holds",
            )
        })
    }

    /// How a number is handed over that no 64-bit type holds.
    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Decimal, E> {
        match digits(bytes) {
            Some(digits) => self.visit_str(digits),
            None => Err(E::invalid_type(Unexpected::Bytes(bytes), &self)),
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Decimal, E> {
        Ok(number.into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Decimal, E> {
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Decimal, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Decimal, D::Error> {
        deserializer.deserialize_any(self)
    }
}

struct Optional;

impl<'de> Visitor<'de> for Optional {
    type Value = Option<Decimal>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a decimal number or nothing")
    }

    fn visit_none<E: Error>(self) -> Result<Option<Decimal>, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Option<Decimal>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Option<Decimal>, D::Error> {
        Decimal::read(deserializer).map(Some)
    }
}
