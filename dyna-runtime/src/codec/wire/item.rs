//! An item that was found: in the bytes of an answer, or as the SDK's map.

use std::borrow::Cow;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::DeserializeOwned;

use super::Cursor;
use super::cursor::Type;
use crate::codec::de::ValueReader;
use crate::codec::error::DecodeError;
use crate::codec::source::{Patch, Source};
use crate::codec::{Item, from_item};

/// An item that was found. What an answer holds is read without being put into a map first.
pub(crate) enum Found<'c, 'de> {
    Map(Item),
    /// A map that is only looked at.
    Borrowed(&'c Item),
    Wire(WireItem<'c, 'de>),
}

/// An item in the bytes of an answer. The cursor stands behind its brace until it is read.
pub(crate) struct WireItem<'c, 'de>(pub(super) &'c Cursor<'de>);

/// What an attribute of a key may hold.
#[derive(Debug, PartialEq)]
pub(crate) enum Scalar<'i> {
    S(Cow<'i, str>),
    N(Cow<'i, str>),
    B(Cow<'i, [u8]>),
}

impl From<Scalar<'_>> for AttributeValue {
    fn from(scalar: Scalar<'_>) -> Self {
        match scalar {
            Scalar::S(text) => Self::S(text.into_owned()),
            Scalar::N(text) => Self::N(text.into_owned()),
            Scalar::B(bytes) => Self::B(Blob::new(bytes.into_owned())),
        }
    }
}

impl Found<'_, '_> {
    /// Reads an item from its JSON.
    pub(crate) fn of_json<R>(json: &str, read: impl FnOnce(Found<'_, '_>) -> R) -> R {
        // Behind its brace.
        let cursor = Cursor::at(json, 1);
        read(Found::Wire(WireItem(&cursor)))
    }

    /// The attribute of this name, if it is a string, a number or bytes. Finding it does not read the item.
    pub(crate) fn scalar(&self, name: &str) -> Option<Scalar<'_>> {
        let item = match self {
            Self::Map(item) => item,
            Self::Borrowed(item) => item,
            Self::Wire(item) => return item.scalar(name),
        };
        Some(match item.get(name)? {
            AttributeValue::S(text) => Scalar::S(Cow::Borrowed(text)),
            AttributeValue::N(text) => Scalar::N(Cow::Borrowed(text)),
            AttributeValue::B(bytes) => Scalar::B(Cow::Borrowed(bytes.as_ref())),
            _ => return None,
        })
    }

    /// Reads the item, with some attributes added and some left out.
    pub(crate) fn read<T: DeserializeOwned>(self, mut patch: Patch) -> Result<T, DecodeError> {
        match self {
            Self::Map(item) => read_map(item, patch),
            Self::Borrowed(item) => read_map(item.clone(), patch),
            Self::Wire(WireItem(cursor)) => {
                T::deserialize(ValueReader(Source::Item(&mut patch, cursor)))
            }
        }
    }
}

fn read_map<T: DeserializeOwned>(mut item: Item, patch: Patch) -> Result<T, DecodeError> {
    for name in patch.hidden {
        item.remove(name);
    }
    item.extend(patch.given);
    from_item(item)
}

impl<'de> WireItem<'_, 'de> {
    fn scalar(&self, name: &str) -> Option<Scalar<'de>> {
        let cursor = self.0.clone();
        let mut first = true;
        while let Some(key) = cursor.key(first).ok()? {
            first = false;
            if key == name {
                return match cursor.open().ok()? {
                    Type::S => cursor.string().ok().map(Scalar::S),
                    Type::N => cursor.string().ok().map(Scalar::N),
                    Type::B => cursor.binary().ok().map(Cow::Owned).map(Scalar::B),
                    _ => None,
                };
            }
            cursor.skip_attribute().ok()?;
        }
        None
    }
}
