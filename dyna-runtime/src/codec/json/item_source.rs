//! The source of one item: the bytes of a response, or the SDK's map.

use std::borrow::Cow;
use std::fmt;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::DeserializeOwned;

use super::lexer::TypeTag;
use super::{Lexer, Watch};
use crate::codec::Item;
use crate::codec::attribute_source::AttributeSource;
use crate::codec::de::ValueReader;
use crate::codec::error::DecodeError;
use crate::codec::missing::from_item_without as from_item;
use crate::codec::overlay::{Overlay, Visible};

/// An item that was found. What a response holds is read without being put into a map first.
#[doc(hidden)]
pub struct ItemSource<'c, 'de> {
    form: Repr<'c, 'de>,
    /// Whether its keys are compared with what its attributes make.
    check_keys: bool,
}

enum Repr<'c, 'de> {
    Map(Item),
    /// A map that is only looked at.
    Borrowed(&'c Item),
    /// In the bytes of a response. The cursor stands behind the item's brace until it is read, and behind its end then.
    Wire(&'c Lexer<'de>),
}

/// The value of a key attribute.
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

impl<'c, 'de> ItemSource<'c, 'de> {
    fn new(form: Repr<'c, 'de>) -> Self {
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
        Self::new(Repr::Map(item))
    }

    /// The same, only to be looked at.
    pub(crate) fn borrowed(item: &'c Item) -> Self {
        Self::new(Repr::Borrowed(item))
    }

    /// An item whose brace is read.
    pub(super) fn at(lexer: &'c Lexer<'de>) -> Self {
        Self::new(Repr::Wire(lexer))
    }

    /// Reads an item from its JSON.
    pub(crate) fn with_json<R>(json: &str, read: impl FnOnce(ItemSource<'_, '_>) -> R) -> R {
        // Behind its brace.
        read(ItemSource::at(&Lexer::at(json, 1)))
    }

    /// The item as the SDK has it, if it is so.
    pub(crate) fn as_map(&self) -> Option<&Item> {
        match &self.form {
            Repr::Map(item) => Some(item),
            Repr::Borrowed(item) => Some(item),
            Repr::Wire(_) => None,
        }
    }

    /// The item as the SDK has it, if it is so.
    pub(crate) fn into_map(self) -> Option<Item> {
        match self.form {
            Repr::Map(item) => Some(item),
            Repr::Borrowed(item) => Some(item.clone()),
            Repr::Wire(_) => None,
        }
    }

    /// The whole response, if the item is in the bytes of one.
    pub(crate) fn answer(&self) -> Option<&'de str> {
        match &self.form {
            Repr::Wire(lexer) => Some(lexer.text()),
            Repr::Map(_) | Repr::Borrowed(_) => None,
        }
    }

    /// Records the positions of its tag and key while it is read, for a look afterwards.
    pub(crate) fn watch(&self) -> Option<&'de Watch> {
        match &self.form {
            Repr::Wire(lexer) => lexer.watch(),
            Repr::Map(_) | Repr::Borrowed(_) => None,
        }
    }

    /// The text of the attribute of this name, and its place, if it is in the bytes of a response and a string without escapes. Finding
    /// it does not read the item.
    pub(crate) fn plain_text(&self, name: &str) -> Option<(&'de str, usize)> {
        let Repr::Wire(lexer) = &self.form else {
            return None;
        };
        let lexer = Lexer::clone(lexer);
        let mut first = true;
        loop {
            let key = lexer.plain_key(first)?;
            if key == name {
                let place = lexer.place();
                return Some((lexer.plain::<b'S'>()?, place));
            }
            lexer.skip_attribute().ok()?;
            first = false;
        }
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
            Repr::Map(item) => item,
            Repr::Borrowed(item) => item,
            Repr::Wire(lexer) => {
                let mut found = [const { None }; N];
                // What cannot be read is found out when the item is read.
                let _ = pick(lexer, names, &mut found);
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

    /// Reads the item as it is.
    #[inline]
    pub(crate) fn read<T: DeserializeOwned>(self) -> Result<T, DecodeError> {
        match self.form {
            Repr::Wire(lexer) => T::deserialize(ValueReader(AttributeSource::Item(None, lexer))),
            Repr::Map(item) => from_item(item),
            Repr::Borrowed(item) => from_item(item.clone()),
        }
    }

    /// Reads the item with some attributes added and some left out.
    pub(crate) fn read_with<T: DeserializeOwned>(
        self,
        mut overlay: Overlay,
    ) -> Result<T, DecodeError> {
        let item = match self.form {
            Repr::Map(item) => item,
            Repr::Borrowed(item) => item.clone(),
            Repr::Wire(lexer) => {
                return T::deserialize(ValueReader(AttributeSource::Item(
                    Some(&mut overlay),
                    lexer,
                )));
            }
        };
        from_item(patched(item, overlay))
    }
}

/// The attributes with those added and left out that an overlay says.
fn patched(mut item: Item, overlay: Overlay) -> Item {
    match overlay.visible {
        Visible::AllBut(names) => names.into_iter().for_each(|name| drop(item.remove(name))),
        Visible::Only(names) => item.retain(|name, _| names.contains(&name.as_str())),
    }
    for names in overlay.asked {
        let is_absent = names.iter().all(|name| !item.contains_key(*name));
        if let (true, Some(name)) = (is_absent, names.last()) {
            item.insert((*name).to_owned(), AttributeValue::Null(true));
        }
    }
    item.extend(overlay.added);
    item
}

/// Finds the attributes of these names in the item that the cursor is in, which is not moved.
fn pick<'de, const N: usize>(
    lexer: &Lexer<'de>,
    names: [&str; N],
    found: &mut [Picked<'de>; N],
) -> Result<(), DecodeError> {
    let lexer = lexer.clone();
    let mut first = true;
    let mut left = names.iter().filter(|name| !name.is_empty()).count();
    while left > 0
        && let Some(key) = lexer.key(first)?
    {
        first = false;
        match names.iter().position(|name| *name == key) {
            Some(n) if found[n].is_none() => {
                let start = lexer.clone();
                lexer.skip_attribute()?;
                found[n] = match start.open()? {
                    TypeTag::S => Some(Some(Scalar::S(start.string()?))),
                    TypeTag::N => Some(Some(Scalar::N(start.string()?))),
                    TypeTag::B => Some(Some(Scalar::B(Cow::Owned(start.binary()?)))),
                    TypeTag::Null => None,
                    _ => Some(None),
                };
                left -= 1;
            }
            _ => lexer.skip_attribute()?,
        }
    }
    Ok(())
}

/// Without the item, which is data.
impl fmt::Debug for ItemSource<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Found")
    }
}
