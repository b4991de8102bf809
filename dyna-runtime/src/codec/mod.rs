//! Values to attributes and back: serde's data model over the SDK's [`AttributeValue`], in one pass.
//!
//! The stored form is the one that `serde_dynamo` 4 writes, so tables can change hands; except that `None` in the field of a struct is
//! not stored unless `#[dyna(nulls = "store")]` says so. It knows no tables, keys or requests.

pub(crate) mod absences;
mod attribute_source;
mod buffered;
mod de;
#[cfg(feature = "rust_decimal")]
pub mod decimal;
pub(crate) mod display;
mod error;
mod flatten;
pub mod form;
mod item_writer;
pub(crate) mod json;
mod map_keys;
pub(crate) mod missing;
pub(crate) mod number;
mod overlay;
pub(crate) mod readback;
mod refuse;
mod ser;
mod set_reader;
pub mod sets;
pub(crate) mod size;
mod source_entries;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde::de::DeserializeOwned;

#[doc(hidden)]
pub use de::ValueReader;
pub(crate) use error::kind;
pub use error::{DecodeError, EncodeError};
pub(crate) use flatten::DECLARED;
#[doc(hidden)]
pub use flatten::{Flattened, NameWriter, declared_by};
pub(crate) use map_keys::EMPTY_NAME;
#[doc(hidden)]
pub use ser::{ValueWriter, stored};

/// An item as the SDK has it: attributes by name.
pub type Item = HashMap<String, AttributeValue>;

/// The attributes that [`write_item`] leaves out.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules<'a> {
    /// Attributes that are not written.
    pub omit: &'a [&'a str],
    /// Attributes that are not written when they are NULL, such as the key of a sparse index.
    pub omit_null: &'a [&'a str],
    /// Where `None` is stored as NULL.
    pub nulls: Nulls<'a>,
}

/// Where `None` in the field of a struct is stored as NULL, instead of not at all. In a list, as the value of a map and as the content
/// of an enum's variant it always is, because without it the value would be another one.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nulls<'a> {
    /// Nowhere.
    #[default]
    Omit,
    /// In every field, at any depth.
    Store,
    /// In these attributes, and in every field inside of them.
    In(&'a [&'a str]),
}

impl Nulls<'_> {
    /// Whether the attribute of this name is stored as NULL if it is `None`.
    #[inline]
    pub(crate) const fn stores(&self, attribute: &str) -> bool {
        match *self {
            Self::Omit => false,
            Self::Store => true,
            Self::In(mut attributes) => {
                while let [one, rest @ ..] = attributes {
                    if crate::shape::same(one, attribute) {
                        return true;
                    }
                    attributes = rest;
                }
                false
            }
        }
    }

    /// Writes the value of an attribute.
    pub(crate) fn writer(&self, attribute: &str) -> ValueWriter {
        ValueWriter::new(self.stores(attribute))
    }
}

/// Writes the fields of a struct, or the entries of a map, as the attributes of an item.
///
/// ```
/// use aws_sdk_dynamodb::types::AttributeValue;
/// use dyna_runtime::codec::to_item;
///
/// #[derive(serde::Serialize)]
/// struct Post {
///     title: String,
///     author: Option<String>,
/// }
///
/// let post = Post { title: "Hello".to_owned(), author: None };
/// let item = to_item(&post)?;
/// assert_eq!(item["title"], AttributeValue::S("Hello".to_owned()));
/// assert!(!item.contains_key("author"));
/// # Ok::<(), dyna_runtime::codec::EncodeError>(())
/// ```
///
/// # Errors
///
/// When the value is not made of attributes, one of them cannot be stored, or a name is written twice.
pub fn to_item<T: Serialize + ?Sized>(value: &T) -> Result<Item, EncodeError> {
    let mut item = Item::new();
    write_item(value, &mut item, Rules::default())?;
    Ok(item)
}

/// Writes the fields of a struct, or the entries of a map, into an item that has its keys. A field that is stored as one of them must be
/// written alike. After an error the item is incomplete.
#[doc(hidden)]
pub fn write_item<T: Serialize + ?Sized>(
    value: &T,
    item: &mut Item,
    rules: Rules<'_>,
) -> Result<(), EncodeError> {
    value.serialize(item_writer::ItemWriter::new(item, rules))
}

/// Writes a value as one attribute: `None` as NULL, unless it is the field of a struct.
///
/// ```
/// use aws_sdk_dynamodb::types::AttributeValue;
/// use dyna_runtime::codec::to_value;
///
/// assert_eq!(to_value(&7)?, AttributeValue::N("7".to_owned()));
/// # Ok::<(), dyna_runtime::codec::EncodeError>(())
/// ```
///
/// # Errors
///
/// When no attribute can hold the value: an empty set, a float that is not finite, a map key that is not text.
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<AttributeValue, EncodeError> {
    ValueWriter::OMITTING.element(value)
}

/// Reads a value from the attributes of an item.
///
/// ```
/// use aws_sdk_dynamodb::types::AttributeValue;
/// use dyna_runtime::codec::{Item, from_item};
///
/// #[derive(Debug, serde::Deserialize)]
/// struct Post {
///     likes: u8,
/// }
///
/// let item = Item::from([("likes".to_owned(), AttributeValue::N("300".to_owned()))]);
/// let error = from_item::<Post>(item).unwrap_err();
/// assert_eq!(error.to_string(), "likes: expected u8, found a number out of range");
/// ```
///
/// # Errors
///
/// When an attribute is missing or has another form than the type asks for.
pub fn from_item<T: DeserializeOwned>(item: Item) -> Result<T, DecodeError> {
    from_value(AttributeValue::M(item))
}

/// Reads a value from one attribute.
///
/// ```
/// use aws_sdk_dynamodb::types::AttributeValue;
/// use dyna_runtime::codec::from_value;
///
/// assert_eq!(from_value::<u32>(AttributeValue::N("7".to_owned()))?, 7);
/// # Ok::<(), dyna_runtime::codec::DecodeError>(())
/// ```
///
/// # Errors
///
/// When the attribute has another form than the type asks for.
pub fn from_value<T: DeserializeOwned>(mut value: AttributeValue) -> Result<T, DecodeError> {
    T::deserialize(ValueReader::of(&mut value))
}
