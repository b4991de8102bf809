//! One attribute to any value.

use std::borrow::Cow;
use std::fmt;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::attribute_source::{AttributeSource, Elements, SourceList, SourceValue};
use super::buffered::{visit_number, visit_set};
use super::error::DecodeError;
use super::map_keys::MapKeyReader;
use super::number::NUMBER;
use super::readback;
use super::set_reader::SetReader;
use super::sets::SetKind;
use super::source_entries::{Entries, SourceMap};

/// Reads a value from an attribute.
pub struct ValueReader<'c, 'de>(pub(super) AttributeSource<'c, 'de>);

impl<'c> ValueReader<'c, '_> {
    /// Takes the value out of the attribute.
    pub fn of(attribute: &'c mut AttributeValue) -> Self {
        Self(AttributeSource::Sdk(attribute))
    }
}

/// Without the value, which may be personal data.
impl fmt::Debug for ValueReader<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ValueReader")
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident($type:ident))*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            let digits = self.0.digits()?;
            match digits.parse::<$type>() {
                Ok(number) => visitor.$visit(number),
                Err(_) => Err(DecodeError::wrong_number(stringify!($type), &digits)),
            }
        }
    )*};
}

/// Rust also parses `NaN` and `inf`, which are no numbers, and what is too large for the type as infinite.
macro_rules! floats {
    ($($method:ident $visit:ident($type:ident))*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            let digits = self.0.digits()?;
            match digits.parse::<$type>() {
                Ok(number) if number.is_finite() => visitor.$visit(number),
                _ => Err(DecodeError::wrong_number(stringify!($type), &digits)),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for ValueReader<'_, 'de> {
    type Error = DecodeError;

    numbers! {
        deserialize_i8 visit_i8(i8) deserialize_i16 visit_i16(i16) deserialize_i32 visit_i32(i32)
        deserialize_i64 visit_i64(i64) deserialize_i128 visit_i128(i128)
        deserialize_u8 visit_u8(u8) deserialize_u16 visit_u16(u16) deserialize_u32 visit_u32(u32)
        deserialize_u64 visit_u64(u64) deserialize_u128 visit_u128(u128)
    }
    floats! { deserialize_f32 visit_f32(f32) deserialize_f64 visit_f64(f64) }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let value = self.0.value()?;
        if matches!(value, SourceValue::M(_)) {
            readback::note_look_ahead();
        }
        visit_value(value, visitor)
    }

    /// Unlike the others, does not look inside.
    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.0.skip()?;
        visitor.visit_unit()
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0.value()? {
            SourceValue::Bool(value) => visitor.visit_bool(value),
            other => Err(other.instead_of("boolean")),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let text = match self.0.value()? {
            SourceValue::S(text) => text,
            other => return Err(other.instead_of("a character")),
        };
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => visitor.visit_char(character),
            _ => Err(DecodeError::new(
                "expected a character, found another string",
            )),
        }
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visit_text(self.0.text()?, visitor)
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_string(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_string(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0.value()? {
            SourceValue::B(bytes) => visitor.visit_byte_buf(bytes),
            other => Err(other.instead_of("binary")),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_byte_buf(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        if self.0.is_null()? {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0.value()? {
            SourceValue::Null => visitor.visit_unit(),
            other => Err(other.instead_of("null")),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        if !name.starts_with('\0') {
            return visitor.visit_newtype_struct(self);
        }
        self.marked(name, visitor)
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        if let Some(elements) = self.0.plain_list()? {
            return visit_elements(elements, visitor);
        }
        match self.0.value()? {
            SourceValue::L(list) => visit_list(list, visitor),
            other => Err(other.instead_of_list()),
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
        match self.0.value()? {
            SourceValue::M(map) => visit_map(map, visitor),
            other => Err(other.instead_of("map")),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        if let Some(entries) = self.0.plain_map(fields)? {
            return visit_entries(entries, visitor);
        }
        match self.0.value()? {
            SourceValue::L(list) => visit_list(list, visitor),
            SourceValue::M(map) => visit_map(map, visitor),
            other => Err(other.instead_of("map")),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match self.0.value()? {
            SourceValue::S(variant) => visitor.visit_enum(variant.into_deserializer()),
            SourceValue::M(map) => {
                let mut entries = Entries::new(map);
                let value = visitor.visit_enum(Tagged(&mut entries))?;
                entries.finish()?;
                Ok(value)
            }
            other => Err(other.instead_of("string or map")),
        }
    }
}

impl<'de> ValueReader<'_, 'de> {
    /// Reads what a newtype struct of this name marks: a number, or a set.
    fn marked<V: Visitor<'de>>(self, name: &str, visitor: V) -> Result<V::Value, DecodeError> {
        if let Some(kind) = SetKind::marked_by(name) {
            return visitor.visit_newtype_struct(SetReader {
                kind,
                source: self.0,
                is_element: false,
            });
        }
        if name != NUMBER {
            return visitor.visit_newtype_struct(self);
        }
        match self.0.value()? {
            SourceValue::N(text) | SourceValue::S(text) => visitor.visit_str(&text),
            other => Err(other.instead_of("number")),
        }
    }
}

/// Hands over a value as what it is.
pub(super) fn visit_value<'de, V: Visitor<'de>>(
    value: SourceValue<'_, 'de>,
    visitor: V,
) -> Result<V::Value, DecodeError> {
    match value {
        SourceValue::S(text) => visit_text(text, visitor),
        SourceValue::N(text) => visit_number(&text, visitor),
        SourceValue::B(bytes) => visitor.visit_byte_buf(bytes),
        SourceValue::Bool(value) => visitor.visit_bool(value),
        SourceValue::Null => visitor.visit_unit(),
        SourceValue::M(map) => visit_map(map, visitor),
        SourceValue::L(list) => visit_list(list, visitor),
        SourceValue::Set(kind, list) => visit_set(kind, list, visitor),
        other @ SourceValue::Unknown => Err(other.instead_of("a known type")),
    }
}

#[inline]
fn visit_text<'de, V: Visitor<'de>>(
    text: Cow<'de, str>,
    visitor: V,
) -> Result<V::Value, DecodeError> {
    match text {
        Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
        Cow::Owned(text) => visitor.visit_string(text),
    }
}

fn visit_list<'de, V: Visitor<'de>>(
    list: SourceList<'_, 'de>,
    visitor: V,
) -> Result<V::Value, DecodeError> {
    visit_elements(Elements::new(list), visitor)
}

#[inline]
fn visit_elements<'de, V: Visitor<'de>>(
    mut elements: Elements<'_, 'de>,
    visitor: V,
) -> Result<V::Value, DecodeError> {
    let value = visitor.visit_seq(&mut elements)?;
    elements.finish()?;
    Ok(value)
}

fn visit_map<'de, V: Visitor<'de>>(
    map: SourceMap<'_, 'de>,
    visitor: V,
) -> Result<V::Value, DecodeError> {
    visit_entries(Entries::new(map), visitor)
}

#[inline]
fn visit_entries<'de, V: Visitor<'de>>(
    entries: Entries<'_, 'de>,
    visitor: V,
) -> Result<V::Value, DecodeError> {
    let mut fields = StructFields {
        entries,
        key: Cow::Borrowed(""),
    };
    let value = visitor.visit_map(&mut fields)?;
    fields.entries.finish()?;
    Ok(value)
}

impl<'de> SeqAccess<'de> for Elements<'_, 'de> {
    type Error = DecodeError;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, DecodeError> {
        let index = self.taken;
        let Some(element) = self.next()? else {
            return Ok(None);
        };
        match seed.deserialize(ValueReader(element)) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error.in_element(index)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        self.left()
    }
}

/// The entries of a map, or the fields of a struct.
struct StructFields<'c, 'de> {
    entries: Entries<'c, 'de>,
    /// The current key; empty once it was taken as a value.
    key: Cow<'de, str>,
}

impl<'de> MapAccess<'de> for StructFields<'_, 'de> {
    type Error = DecodeError;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, DecodeError> {
        self.key = match self.entries.next_plain() {
            Some(key) => Cow::Borrowed(key),
            None => match self.entries.next()? {
                Some(key) => key,
                None => return Ok(None),
            },
        };
        seed.deserialize(MapKeyReader(&mut self.key)).map(Some)
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<S::Value, DecodeError> {
        let Some(value) = self.entries.value() else {
            return Err(DecodeError::new("a map's value was read before its key"));
        };
        match seed.deserialize(ValueReader(value)) {
            Ok(value) => Ok(value),
            Err(error) => Err(located(error, &self.key)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        self.entries.left()
    }
}

#[cold]
fn located(error: DecodeError, key: &str) -> DecodeError {
    if key.is_empty() {
        error.in_entry()
    } else {
        error.in_field(key.to_owned())
    }
}

/// The externally tagged form of an enum's variant: a map of one entry.
struct Tagged<'m, 'c, 'de>(&'m mut Entries<'c, 'de>);

impl<'m, 'c, 'de> EnumAccess<'de> for Tagged<'m, 'c, 'de> {
    type Error = DecodeError;
    type Variant = Content<'m, 'c, 'de>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Content<'m, 'c, 'de>), DecodeError> {
        let variant = match self.0.next()? {
            Some(variant) if self.0.is_last()? => variant,
            _ => return Err(DecodeError::new("expected a map of one entry")),
        };
        let tag = seed.deserialize(StrDeserializer::<DecodeError>::new(&variant))?;
        let content = Content {
            variant,
            entries: self.0,
        };
        Ok((tag, content))
    }
}

/// The content of an enum's variant.
struct Content<'m, 'c, 'de> {
    variant: Cow<'de, str>,
    entries: &'m mut Entries<'c, 'de>,
}

impl<'de> Content<'_, '_, 'de> {
    /// The variant is known by now, so its name is the type's and not the table's.
    fn read<T>(
        self,
        read: impl FnOnce(ValueReader<'_, 'de>) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        match self.entries.value() {
            Some(value) => {
                read(ValueReader(value)).map_err(|error| error.in_field(self.variant.into_owned()))
            }
            None => Err(DecodeError::new("a variant's content was read twice")),
        }
    }
}

impl<'de> VariantAccess<'de> for Content<'_, '_, 'de> {
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
