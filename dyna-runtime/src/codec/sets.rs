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
//! An `Option` of a collection is absent when it is `None`. Reading takes a set or a list.
//! With other formats than DynamoDB's, such as JSON, the field is an ordinary sequence.

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;

use super::error::{EncodeError, kind};

/// The DynamoDB types of sets.
#[derive(Clone, Copy)]
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
    /// The kind of set that a newtype struct's name stands for, if it is a marker: ours, or one of `serde_dynamo`'s,
    /// so that a type annotated for that crate keeps its stored form.
    pub(super) fn marked_by(name: &str) -> Option<Self> {
        match name {
            STRING_SET | "\u{37e}STRINGSET\u{37e}" => Some(Self::String),
            NUMBER_SET | "\u{37e}NUMBERSET\u{37e}" => Some(Self::Number),
            BINARY_SET | "\u{37e}BYTESSET\u{37e}" => Some(Self::Binary),
            _ => None,
        }
    }

    /// The set of a list's elements. NULL, an absent collection, stays NULL.
    pub(super) fn set_of(self, list: AttributeValue) -> Result<AttributeValue, EncodeError> {
        match list {
            AttributeValue::Null(_) => Ok(list),
            AttributeValue::L(list) if list.is_empty() => {
                Err(EncodeError::new("a set cannot be empty"))
            }
            AttributeValue::L(list) => match self {
                Self::String => collect(list, string).map(AttributeValue::Ss),
                Self::Number => collect(list, number).map(AttributeValue::Ns),
                Self::Binary => collect(list, binary).map(AttributeValue::Bs),
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

fn string(value: AttributeValue) -> Result<String, EncodeError> {
    match value {
        AttributeValue::S(text) => Ok(text),
        other => Err(wrong_kind("string", &other)),
    }
}

fn number(value: AttributeValue) -> Result<String, EncodeError> {
    match value {
        AttributeValue::N(digits) => Ok(digits),
        other => Err(wrong_kind("number", &other)),
    }
}

/// Bytes, or a `Vec<u8>` or `[u8; N]`, which serde hands over as a list of numbers.
fn binary(value: AttributeValue) -> Result<Blob, EncodeError> {
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

macro_rules! set_modules {
    ($($(#[$doc:meta])* $module:ident $marker:ident)*) => {$(
        $(#[$doc])*
        pub mod $module {
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
                T::deserialize(deserializer)
            }
        }
    )*};
}

set_modules! {
    /// `#[serde(with = ..)]` for a collection of strings that is stored as a string set.
    string_set STRING_SET
    /// `#[serde(with = ..)]` for a collection of numbers that is stored as a number set.
    number_set NUMBER_SET
    /// `#[serde(with = ..)]` for a collection of bytes (`Vec<u8>`, `[u8; N]`, `serde_bytes`) that is stored as a binary set.
    binary_set BINARY_SET
}
