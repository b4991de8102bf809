//! One attribute to any value.

use std::collections::hash_map;
use std::mem;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::value::{SeqDeserializer, StrDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::Item;
use super::error::DecodeError;
use super::keys::KeyReader;

/// Reads a value from the attribute it holds.
pub(super) struct ValueReader(pub(super) AttributeValue);

macro_rules! numbers {
    ($($method:ident $visit:ident($type:ident))*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            match self.0 {
                AttributeValue::N(text) => match text.parse::<$type>() {
                    Ok(number) => visitor.$visit(number),
                    Err(_) => Err(DecodeError::wrong_number(stringify!($type), &text)),
                },
                other => Err(DecodeError::wrong_kind("number", &other)),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for ValueReader {
    type Error = DecodeError;

    numbers! {
        deserialize_i8 visit_i8(i8) deserialize_i16 visit_i16(i16) deserialize_i32 visit_i32(i32)
        deserialize_i64 visit_i64(i64) deserialize_i128 visit_i128(i128)
        deserialize_u8 visit_u8(u8) deserialize_u16 visit_u16(u16) deserialize_u32 visit_u32(u32)
        deserialize_u64 visit_u64(u64) deserialize_u128 visit_u128(u128)
        deserialize_f32 visit_f32(f32) deserialize_f64 visit_f64(f64)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            AttributeValue::S(text) => visitor.visit_string(text),
            AttributeValue::N(text) => visit_number(&text, visitor),
            AttributeValue::B(bytes) => visitor.visit_byte_buf(bytes.into_inner()),
            AttributeValue::Bool(value) => visitor.visit_bool(value),
            AttributeValue::Null(_) => visitor.visit_unit(),
            AttributeValue::M(_) => self.deserialize_map(visitor),
            AttributeValue::L(_)
            | AttributeValue::Ss(_)
            | AttributeValue::Ns(_)
            | AttributeValue::Bs(_) => self.deserialize_seq(visitor),
            other => Err(DecodeError::wrong_kind("a known type", &other)),
        }
    }

    /// Unlike the others, does not look inside.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_unit()
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            AttributeValue::Bool(value) => visitor.visit_bool(value),
            other => Err(DecodeError::wrong_kind("boolean", &other)),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let AttributeValue::S(text) = self.0 else {
            return Err(DecodeError::wrong_kind("a character", &self.0));
        };
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => visitor.visit_char(character),
            _ => Err(DecodeError::new(
                "expected a character, found another string",
            )),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            AttributeValue::S(text) => visitor.visit_string(text),
            other => Err(DecodeError::wrong_kind("string", &other)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_string(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_string(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            AttributeValue::B(bytes) => visitor.visit_byte_buf(bytes.into_inner()),
            other => Err(DecodeError::wrong_kind("binary", &other)),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            AttributeValue::Null(_) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            AttributeValue::Null(_) => visitor.visit_unit(),
            other => Err(DecodeError::wrong_kind("null", &other)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            AttributeValue::L(list) => visitor.visit_seq(Elements::new(list.into_iter())),
            AttributeValue::Ss(set) => {
                visitor.visit_seq(Elements::new(set.into_iter().map(AttributeValue::S)))
            }
            AttributeValue::Ns(set) => {
                visitor.visit_seq(Elements::new(set.into_iter().map(AttributeValue::N)))
            }
            AttributeValue::Bs(set) => {
                visitor.visit_seq(Elements::new(set.into_iter().map(AttributeValue::B)))
            }
            // The elements of a binary set, when the type has them as `Vec<u8>` or `[u8; N]`.
            AttributeValue::B(bytes) => {
                visitor.visit_seq(SeqDeserializer::new(Blob::into_inner(bytes).into_iter()))
            }
            other => Err(DecodeError::wrong_kind("list", &other)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            AttributeValue::M(entries) => visitor.visit_map(Entries::new(entries)),
            other => Err(DecodeError::wrong_kind("map", &other)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match self.0 {
            AttributeValue::L(_) => self.deserialize_seq(visitor),
            _ => self.deserialize_map(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match self.0 {
            AttributeValue::S(variant) => visitor.visit_enum(variant.into_deserializer()),
            AttributeValue::M(entries) => visitor.visit_enum(Tagged(entries)),
            other => Err(DecodeError::wrong_kind("string or map", &other)),
        }
    }
}

/// Hands over the number as the narrowest of the types that serde's buffered values know.
fn visit_number<'de, V: Visitor<'de>>(text: &str, visitor: V) -> Result<V::Value, DecodeError> {
    if let Ok(number) = text.parse::<i64>() {
        visitor.visit_i64(number)
    } else if let Ok(number) = text.parse::<u64>() {
        visitor.visit_u64(number)
    } else if let Ok(number) = text.parse::<f64>() {
        visitor.visit_f64(number)
    } else {
        Err(DecodeError::wrong_number("number", text))
    }
}

/// The elements of a list or a set.
struct Elements<I> {
    rest: I,
    taken: usize,
}

impl<I> Elements<I> {
    fn new(rest: I) -> Self {
        Self { rest, taken: 0 }
    }
}

impl<'de, I: ExactSizeIterator<Item = AttributeValue>> SeqAccess<'de> for Elements<I> {
    type Error = DecodeError;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, DecodeError> {
        let Some(element) = self.rest.next() else {
            return Ok(None);
        };
        let index = self.taken;
        self.taken += 1;
        match seed.deserialize(ValueReader(element)) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error.in_element(index)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// The entries of a map, or the fields of a struct.
struct Entries {
    rest: hash_map::IntoIter<String, AttributeValue>,
    /// The current key; empty once it was taken as a value.
    key: String,
    value: Option<AttributeValue>,
}

impl Entries {
    fn new(entries: Item) -> Self {
        Self {
            rest: entries.into_iter(),
            key: String::new(),
            value: None,
        }
    }
}

impl<'de> MapAccess<'de> for Entries {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, DecodeError> {
        let Some((key, value)) = self.rest.next() else {
            return Ok(None);
        };
        self.key = key;
        self.value = Some(value);
        seed.deserialize(KeyReader(&mut self.key)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<S::Value, DecodeError> {
        let Some(value) = self.value.take() else {
            return Err(DecodeError::custom("a map's value was read before its key"));
        };
        match seed.deserialize(ValueReader(value)) {
            Ok(value) => Ok(value),
            Err(error) if self.key.is_empty() => Err(error.in_entry()),
            Err(error) => Err(error.in_field(mem::take(&mut self.key))),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// The externally tagged form of an enum's variant: a map of one entry.
struct Tagged(Item);

impl<'de> EnumAccess<'de> for Tagged {
    type Error = DecodeError;
    type Variant = Content;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Content), DecodeError> {
        let mut entries = self.0.into_iter();
        let (Some((variant, value)), None) = (entries.next(), entries.next()) else {
            return Err(DecodeError::new("expected a map of one entry"));
        };
        let tag = seed.deserialize(StrDeserializer::<DecodeError>::new(&variant))?;
        Ok((tag, Content { variant, value }))
    }
}

/// What an enum's variant holds.
struct Content {
    variant: String,
    value: AttributeValue,
}

impl Content {
    /// The variant is known by now, so its name is the type's and not the table's.
    fn read<T>(
        self,
        read: impl FnOnce(ValueReader) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        read(ValueReader(self.value)).map_err(|error| error.in_field(self.variant))
    }
}

impl<'de> VariantAccess<'de> for Content {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<S::Value, DecodeError> {
        self.read(|content| seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.read(|content| content.deserialize_seq(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.read(|content| content.deserialize_map(visitor))
    }
}
