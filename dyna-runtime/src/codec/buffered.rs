//! Values that serde's buffer has no type for. Where serde looks ahead (a flattened field, an internally tagged or untagged enum), it
//! asks for any value. A set is then no list, and a number that no 64-bit type holds is no rounded float: each is handed over so that
//! only those who ask for it get it, and for every other type it is an error.

use serde::de::{Deserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::attribute_source::{Elements, SourceList};
use super::error::DecodeError;
use super::set_reader::visit_members;
use super::sets::SetKind;
use crate::codec::number::StoredNumber;

/// How many newtypes are around it: more than a type has that would take what is inside for its own.
pub(super) const LAYERS: u8 = 3;

/// Stands before the digits, so that they are no text in UTF-8.
const DIGITS: u8 = 0xff;

/// Digits that no float is sure to keep.
const SURE_DIGITS: usize = 15;

/// Hands over a number: as the narrowest of the types that serde's buffered values know, if one holds it exactly.
pub(super) fn visit_number<'de, V: Visitor<'de>>(
    text: &str,
    visitor: V,
) -> Result<V::Value, DecodeError> {
    if let Ok(number) = text.parse::<i64>() {
        visitor.visit_i64(number)
    } else if let Ok(number) = text.parse::<u64>() {
        visitor.visit_u64(number)
    } else if let Some(number) = exact_float(text)? {
        visitor.visit_f64(number)
    } else {
        visitor.visit_newtype_struct(Wrapped {
            layers: LAYERS - 1,
            inner: Inner::Digits(text),
        })
    }
}

/// The float whose shortest text is this number.
fn exact_float(text: &str) -> Result<Option<f64>, DecodeError> {
    let Some(number) = StoredNumber::parse(text) else {
        return Err(DecodeError::wrong_number("number", text));
    };
    let float = text.parse::<f64>().ok();
    let is_sure = text.len() <= SURE_DIGITS && !text.contains(['e', 'E']);
    Ok(float.filter(|float| is_sure || StoredNumber::parse(&float.to_string()) == Some(number)))
}

/// The digits of a number that was handed over as bytes.
#[cfg(feature = "rust_decimal")]
pub(super) fn digits(bytes: &[u8]) -> Option<&str> {
    let (first, digits) = bytes.split_first()?;
    (*first == DIGITS).then_some(std::str::from_utf8(digits).ok()?)
}

/// Hands over a set.
pub(super) fn visit_set<'de, V: Visitor<'de>>(
    kind: SetKind,
    list: SourceList<'_, 'de>,
    visitor: V,
) -> Result<V::Value, DecodeError> {
    visitor.visit_newtype_struct(Wrapped {
        layers: LAYERS - 1,
        inner: Inner::Set(kind, list),
    })
}

/// The value that is handed over, inside this many newtypes.
struct Wrapped<'t, 'c, 'de> {
    layers: u8,
    inner: Inner<'t, 'c, 'de>,
}

enum Inner<'t, 'c, 'de> {
    Digits(&'t str),
    Set(SetKind, SourceList<'c, 'de>),
}

impl<'de> Deserializer<'de> for Wrapped<'_, '_, 'de> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        if let Some(layers) = self.layers.checked_sub(1) {
            return visitor.visit_newtype_struct(Self { layers, ..self });
        }
        match self.inner {
            Inner::Digits(text) => {
                let digits = text.bytes();
                visitor.visit_byte_buf(std::iter::once(DIGITS).chain(digits).collect())
            }
            Inner::Set(kind, list) => visit_members(kind, Elements::new(list), visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq
        tuple tuple_struct map struct enum identifier ignored_any
    }
}
