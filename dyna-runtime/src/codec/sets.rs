//! Collections that are stored as DynamoDB sets instead of lists.
//!
//! ```
//! use std::collections::BTreeSet;
//!
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Post {
//!     #[serde(with = "dyna_runtime::codec::sets::string_set")]
//!     #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
//!     tags: BTreeSet<String>,
//! }
//! ```
//!
//! DynamoDB has no empty sets, so writing one is an error; the two attributes above store no attribute instead.
//! Neither has a set two equal elements: writing a `Vec` with such is an error.
//! An `Option` of a collection is absent when it is `None`. Reading takes a set, or a list that becomes one when it is written again.
//! Without these modules a set is not read: a `Vec` would write it back as a list.
//! With other formats than DynamoDB's, such as JSON, the field is an ordinary sequence.

use std::fmt;
use std::marker::PhantomData;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::{Deserialize, Deserializer, Visitor};

use super::buffered::LAYERS;
use super::error::{EncodeError, kind};
use crate::codec::number::StoredNumber;

const EMPTY: &str = "a set cannot be empty; leave it out with an `Option`, or with `#[serde(default, skip_serializing_if = \"..\")]`";

/// The DynamoDB types of sets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SetKind {
    String,
    Number,
    Binary,
}

// serde has no sets. A newtype struct of one of these names marks the sequence inside it.
const STRING_SET: &str = "\0dyna::string_set";
const NUMBER_SET: &str = "\0dyna::number_set";
const BINARY_SET: &str = "\0dyna::binary_set";

impl SetKind {
    /// The kind of set that a newtype struct's name stands for, if it is a marker.
    pub(super) fn marked_by(name: &str) -> Option<Self> {
        match name {
            STRING_SET => Some(Self::String),
            NUMBER_SET => Some(Self::Number),
            BINARY_SET => Some(Self::Binary),
            _ => None,
        }
    }

    /// The same where something is written. A set of `serde_dynamo` cannot be told from a list when it is read, so it is not written.
    pub(super) fn written_by(name: &str) -> Result<Option<Self>, EncodeError> {
        let theirs = match name {
            "\u{37e}STRINGSET\u{37e}" => Self::String,
            "\u{37e}NUMBERSET\u{37e}" => Self::Number,
            "\u{37e}BYTESSET\u{37e}" => Self::Binary,
            _ => return Ok(Self::marked_by(name)),
        };
        Err(EncodeError::new(format!(
            "is written by the set functions of `serde_dynamo`, which Dyna cannot read back: {}",
            theirs.how_to_read()
        )))
    }

    /// DynamoDB's name for it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::String => "string set",
            Self::Number => "number set",
            Self::Binary => "binary set",
        }
    }

    pub(super) const fn how_to_read(self) -> &'static str {
        match self {
            Self::String => "read it with `#[serde(with = \"dyna_runtime::serde::string_set\")]`",
            Self::Number => "read it with `#[serde(with = \"dyna_runtime::serde::number_set\")]`",
            Self::Binary => "read it with `#[serde(with = \"dyna_runtime::serde::binary_set\")]`",
        }
    }

    /// The set of a list's elements. NULL, an absent collection, stays NULL.
    pub(super) fn set_of(self, list: AttributeValue) -> Result<AttributeValue, EncodeError> {
        match list {
            AttributeValue::Null(_) => Ok(list),
            AttributeValue::L(list) if list.is_empty() => Err(EncodeError::new(EMPTY)),
            AttributeValue::L(list) => match self {
                Self::String => {
                    let set = collect(list, string)?;
                    refuse_repeated(&set, |text| text)?;
                    Ok(AttributeValue::Ss(set))
                }
                Self::Number => {
                    let set = collect(list, number)?;
                    refuse_repeated(&set, |digits| StoredNumber::parse(digits))?;
                    Ok(AttributeValue::Ns(set))
                }
                Self::Binary => {
                    let set = collect(list, binary)?;
                    refuse_repeated(&set, AsRef::as_ref)?;
                    Ok(AttributeValue::Bs(set))
                }
            },
            other => Err(wrong_kind("a collection", &other)),
        }
    }
}

fn collect<T>(
    list: Vec<AttributeValue>,
    element: fn(AttributeValue) -> Result<T, EncodeError>,
) -> Result<Vec<T>, EncodeError> {
    let mut set = Vec::with_capacity(list.len());
    for value in list {
        set.push(element(value).map_err(|error| error.in_element(set.len()))?);
    }
    Ok(set)
}

/// Refuses a set of which two elements are the same value.
fn refuse_repeated<'s, T, V: Ord>(
    set: &'s [T],
    value: impl Fn(&'s T) -> V,
) -> Result<(), EncodeError> {
    let mut values: Vec<(V, usize)> = set.iter().map(value).zip(0..).collect();
    values.sort_unstable();
    let mut pairs = values.windows(2);
    let repeated = pairs.find_map(|pair| match pair {
        [(a, first), (b, second)] if a == b => Some((first, second)),
        _ => None,
    });
    match repeated {
        None => Ok(()),
        Some((first, second)) => Err(EncodeError::new(format!(
            "a set cannot contain an element twice: elements {first} and {second} are equal"
        ))),
    }
}

pub(crate) fn string(value: AttributeValue) -> Result<String, EncodeError> {
    match value {
        AttributeValue::S(text) => Ok(text),
        other => Err(wrong_kind("string", &other)),
    }
}

pub(crate) fn number(value: AttributeValue) -> Result<String, EncodeError> {
    match value {
        AttributeValue::N(digits) => Ok(digits),
        other => Err(wrong_kind("number", &other)),
    }
}

/// Bytes, or a `Vec<u8>` or `[u8; N]`, which serde hands over as a list of numbers.
pub(crate) fn binary(value: AttributeValue) -> Result<Blob, EncodeError> {
    let list = match value {
        AttributeValue::B(bytes) => return Ok(bytes),
        AttributeValue::L(list) => list,
        other => return Err(wrong_kind("binary", &other)),
    };
    let bytes: Option<Vec<u8>> = list
        .iter()
        .map(|value| value.as_n().ok()?.parse().ok())
        .collect();
    match bytes {
        Some(bytes) => Ok(Blob::new(bytes)),
        None => Err(EncodeError::new("expected binary, found list")),
    }
}

#[cold]
fn wrong_kind(expected: &str, found: &AttributeValue) -> EncodeError {
    EncodeError::new(format!("expected {expected}, found {}", kind(found)))
}

/// Reads what is inside of this many newtypes. That is how a set is handed over where serde looks ahead; elsewhere they are not there.
struct Marked<T, const LAYERS: u8>(&'static str, PhantomData<T>);

const _: () = assert!(LAYERS == 3, "as many layers are read as are handed over");

impl<'de, T: Deserialize<'de>> Visitor<'de> for Marked<T, 1> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a set")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<T, D::Error> {
        T::deserialize(inner)
    }
}

macro_rules! marked {
    ($($layers:literal)*) => {$(
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Marked<T, $layers> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a set")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<T, D::Error> {
                let next = Marked::<T, { $layers - 1 }>(self.0, PhantomData);
                inner.deserialize_newtype_struct(self.0, next)
            }
        }
    )*};
}

marked! { 2 3 }

macro_rules! set_modules {
    ($($(#[$doc:meta])* $module:ident $marker:ident $form:ident)*) => {$(
        $(#[$doc])*
        pub mod $module {
            #[doc(hidden)]
            pub use crate::codec::form::$form as __Form;
            use serde::{Deserialize, Deserializer, Serialize, Serializer};
            use std::marker::PhantomData;

            /// Writes the collection as a set.
            ///
            /// # Errors
            ///
            /// When the collection is empty, or an element is of another type than the set's.
            pub fn serialize<T, S>(collection: &T, serializer: S) -> Result<S::Ok, S::Error>
            where
                T: Serialize + ?Sized,
                S: Serializer,
            {
                serializer.serialize_newtype_struct(super::$marker, collection)
            }

            /// Reads the collection from a set or a list.
            ///
            /// # Errors
            ///
            /// When the attribute is neither, or an element does not fit.
            pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
            where
                T: Deserialize<'de>,
                D: Deserializer<'de>,
            {
                let marked = super::Marked::<T, 3>(super::$marker, PhantomData);
                deserializer.deserialize_newtype_struct(super::$marker, marked)
            }
        }
    )*};
}

set_modules! {
    /// `#[serde(with = ..)]` for a collection of strings that is stored as a string set.
    string_set STRING_SET StringSet
    /// `#[serde(with = ..)]` for a collection of numbers that is stored as a number set.
    number_set NUMBER_SET NumberSet
    /// `#[serde(with = ..)]` for a collection of bytes (`Vec<u8>`, `[u8; N]`, `serde_bytes`) that is stored as a binary set.
    binary_set BINARY_SET BinarySet
}
