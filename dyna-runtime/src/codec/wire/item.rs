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
pub struct Found<'c, 'de> {
    form: Form<'c, 'de>,
    /// Whether its keys are compared with what its attributes make.
    check_keys: bool,
}

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

/// An attribute, if it is there and not NULL; and what it holds, if it is a string, a number or bytes.
pub(crate) type Picked<'i> = Option<Option<Scalar<'i>>>;

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
    fn new(form: Form<'c, 'de>) -> Self {
        Self {
            form,
            check_keys: false,
        }
    }

    /// The same item, whose keys are to be compared with what its attributes make, or not.
    pub(crate) fn check_keys(self, check_keys: bool) -> Self {
        Self { check_keys, ..self }
    }

    /// Whether its keys are to be compared with what its attributes make.
    pub(crate) fn checks_keys(&self) -> bool {
        self.check_keys
    }

    /// An item as the SDK has it.
    pub(crate) fn map(item: Item) -> Self {
        Self::new(Form::Map(item))
    }

    /// The same, only to be looked at.
    pub(crate) fn borrowed(item: &'c Item) -> Self {
        Self::new(Form::Borrowed(item))
    }

    /// An item whose brace is read.
    pub(super) fn at(cursor: &'c Cursor<'de>) -> Self {
        Self::new(Form::Wire(cursor))
    }

    /// Reads an item from its JSON.
    pub(crate) fn of_json<R>(json: &str, read: impl FnOnce(Found<'_, '_>) -> R) -> R {
        // Behind its brace.
        read(Found::at(&Cursor::at(json, 1)))
    }

    /// The item as the SDK has it, if it is so.
    pub(crate) fn as_map(&self) -> Option<&Item> {
        match &self.form {
            Form::Map(item) => Some(item),
            Form::Borrowed(item) => Some(item),
            Form::Wire(_) => None,
        }
    }

    /// The item as the SDK has it, if it is so.
    pub(crate) fn into_map(self) -> Option<Item> {
        match self.form {
            Form::Map(item) => Some(item),
            Form::Borrowed(item) => Some(item.clone()),
            Form::Wire(_) => None,
        }
    }

    /// The whole answer, if the item is in the bytes of one.
    pub(crate) fn answer(&self) -> Option<&'de str> {
        match &self.form {
            Form::Wire(cursor) => Some(cursor.text()),
            Form::Map(_) | Form::Borrowed(_) => None,
        }
    }

    /// Whether the places of its tag and its key are noted while it is read, so that they can be looked at afterwards.
    pub(crate) fn is_watched(&self) -> bool {
        matches!(&self.form, Form::Wire(cursor) if cursor.is_watching())
    }

    /// The attribute of this name, if it is a string, a number or bytes. Finding it does not read the item.
    pub(crate) fn scalar(&self, name: &str) -> Option<Scalar<'_>> {
        let [found] = self.pick([name]);
        found.flatten()
    }

    /// The attributes of these names; of each that is there, what it holds if it is a string, a number or bytes. Finding them does not
    /// read the item.
    pub(crate) fn pick<const N: usize>(&self, names: [&str; N]) -> [Picked<'_>; N] {
        let item = match &self.form {
            Form::Map(item) => item,
            Form::Borrowed(item) => item,
            Form::Wire(cursor) => {
                let mut found = [const { None }; N];
                // What cannot be read is found out when the item is read.
                let _ = pick(cursor, names, &mut found);
                return found;
            }
        };
        names.map(|name| {
            Some(match item.get(name)? {
                AttributeValue::Null(_) => return None,
                AttributeValue::S(text) => Some(Scalar::S(Cow::Borrowed(text))),
                AttributeValue::N(text) => Some(Scalar::N(Cow::Borrowed(text))),
                AttributeValue::B(bytes) => Some(Scalar::B(Cow::Borrowed(bytes.as_ref()))),
                _ => None,
            })
        })
    }

    /// Reads the item; if it says so, with some attributes added and some left out.
    pub(crate) fn read<T: DeserializeOwned>(
        self,
        mut patch: Option<Patch>,
    ) -> Result<T, DecodeError> {
        let item = match self.form {
            Form::Map(item) => item,
            Form::Borrowed(item) => item.clone(),
            Form::Wire(cursor) => {
                return T::deserialize(ValueReader(Source::Item(patch.as_mut(), cursor)));
            }
        };
        from_item(patched(item, patch))
    }
}

/// The attributes with those added and left out that a patch says.
fn patched(mut item: Item, patch: Option<Patch>) -> Item {
    let Some(patch) = patch else {
        return item;
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
    item
}

/// Finds the attributes of these names in the item that the cursor is in, which is not moved.
fn pick<'de, const N: usize>(
    cursor: &Cursor<'de>,
    names: [&str; N],
    found: &mut [Picked<'de>; N],
) -> Result<(), DecodeError> {
    let cursor = cursor.clone();
    let mut first = true;
    let mut left = names.iter().filter(|name| !name.is_empty()).count();
    while left > 0
        && let Some(key) = cursor.key(first)?
    {
        first = false;
        match names.iter().position(|name| *name == key) {
            Some(n) if found[n].is_none() => {
                let start = cursor.clone();
                cursor.skip_attribute()?;
                found[n] = match start.open()? {
                    Type::S => Some(Some(Scalar::S(start.string()?))),
                    Type::N => Some(Some(Scalar::N(start.string()?))),
                    Type::B => Some(Some(Scalar::B(Cow::Owned(start.binary()?)))),
                    Type::Null => None,
                    _ => Some(None),
                };
                left -= 1;
            }
            _ => cursor.skip_attribute()?,
        }
    }
    Ok(())
}

/// Without the item, which is data.
impl fmt::Debug for Found<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Found")
    }
}
