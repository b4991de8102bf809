//! An item that was found: in the bytes of an answer, or as the SDK's map.

use std::borrow::Cow;
use std::fmt;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::DeserializeOwned;

use super::Cursor;
use super::cursor::Type;
use crate::codec::Item;
use crate::codec::de::ValueReader;
use crate::codec::error::DecodeError;
use crate::codec::missing::from_item_without as from_item;
use crate::codec::source::{Patch, Shown, Source};

/// An item that was found. What an answer holds is read without being put into a map first.
#[doc(hidden)]
pub struct Found<'c, 'de>(Form<'c, 'de>);

enum Form<'c, 'de> {
    Map(Item),
    /// A map that is only looked at.
    Borrowed(&'c Item),
    /// In the bytes of an answer. The cursor stands behind the item's brace until it is read, and behind its end then.
    Wire(&'c Cursor<'de>),
}

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

impl<'c, 'de> Found<'c, 'de> {
    /// An item as the SDK has it.
    pub(crate) fn map(item: Item) -> Self {
        Self(Form::Map(item))
    }

    /// The same, only to be looked at.
    pub(crate) fn borrowed(item: &'c Item) -> Self {
        Self(Form::Borrowed(item))
    }

    /// An item whose brace is read.
    pub(super) fn at(cursor: &'c Cursor<'de>) -> Self {
        Self(Form::Wire(cursor))
    }

    /// Reads an item from its JSON.
    pub(crate) fn of_json<R>(json: &str, read: impl FnOnce(Found<'_, '_>) -> R) -> R {
        // Behind its brace.
        read(Found::at(&Cursor::at(json, 1)))
    }

    /// The item as the SDK has it, if it is so.
    pub(crate) fn as_map(&self) -> Option<&Item> {
        match &self.0 {
            Form::Map(item) => Some(item),
            Form::Borrowed(item) => Some(item),
            Form::Wire(_) => None,
        }
    }

    /// The attribute of this name, if it is a string, a number or bytes. Finding it does not read the item.
    pub(crate) fn scalar(&self, name: &str) -> Option<Scalar<'_>> {
        let item = match &self.0 {
            Form::Map(item) => item,
            Form::Borrowed(item) => item,
            Form::Wire(cursor) => return scalar(cursor, name),
        };
        Some(match item.get(name)? {
            AttributeValue::S(text) => Scalar::S(Cow::Borrowed(text)),
            AttributeValue::N(text) => Scalar::N(Cow::Borrowed(text)),
            AttributeValue::B(bytes) => Scalar::B(Cow::Borrowed(bytes.as_ref())),
            _ => return None,
        })
    }

    /// Reads the item; if it says so, with some attributes added and some left out.
    pub(crate) fn read<T: DeserializeOwned>(
        self,
        mut patch: Option<Patch>,
    ) -> Result<T, DecodeError> {
        match self.0 {
            Form::Map(item) => read_map(item, patch),
            Form::Borrowed(item) => read_map(item.clone(), patch),
            Form::Wire(cursor) => T::deserialize(ValueReader(Source::Item(patch.as_mut(), cursor))),
        }
    }
}

fn read_map<T: DeserializeOwned>(mut item: Item, patch: Option<Patch>) -> Result<T, DecodeError> {
    let Some(patch) = patch else {
        return from_item(item);
    };
    match patch.shown {
        Shown::AllBut(names) => names.into_iter().for_each(|name| drop(item.remove(name))),
        Shown::Only(names) => item.retain(|name, _| names.contains(&name.as_str())),
    }
    for names in patch.asked {
        let is_absent = names.iter().all(|name| !item.contains_key(*name));
        if let (true, Some(name)) = (is_absent, names.last()) {
            item.insert((*name).to_owned(), AttributeValue::Null(true));
        }
    }
    item.extend(patch.given);
    from_item(item)
}

/// The scalar of this name in the item that the cursor is in, which is not moved.
fn scalar<'de>(cursor: &Cursor<'de>, name: &str) -> Option<Scalar<'de>> {
    let cursor = cursor.clone();
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

/// Without the item, which is data.
impl fmt::Debug for Found<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Found")
    }
}
