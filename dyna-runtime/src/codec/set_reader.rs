//! One attribute to a collection that asks for a set. Only it takes one: what reads a set as a list would write it back as a list.

use serde::de::value::SeqDeserializer;
use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};

use super::attribute_source::{AttributeSource, Elements, SourceValue};
use super::de::{ValueReader, visit_value};
use super::error::DecodeError;
use super::sets::SetKind;

/// Reads a set, or a list that is to become one, or an element of it.
pub(super) struct SetReader<'c, 'de> {
    pub(super) kind: SetKind,
    pub(super) source: AttributeSource<'c, 'de>,
    pub(super) is_element: bool,
}

impl<'de> SetReader<'_, 'de> {
    fn value<V: Visitor<'de>>(
        self,
        visitor: V,
        otherwise: impl FnOnce(SourceValue<'_, 'de>, V) -> Result<V::Value, DecodeError>,
    ) -> Result<V::Value, DecodeError> {
        let kind = self.kind;
        match self.source.value()? {
            // As the elements of `Vec<u8>` or `[u8; N]`, which bytes are too.
            SourceValue::B(bytes) if self.is_element => {
                visitor.visit_seq(SeqDeserializer::new(bytes.into_iter()))
            }
            SourceValue::L(list) => visit_members(kind, Elements::new(list), visitor),
            SourceValue::Set(found, list) if found == kind => {
                visit_members(kind, Elements::new(list), visitor)
            }
            other @ SourceValue::Set(..) => Err(other.instead_of(kind.name())),
            other => otherwise(other, visitor),
        }
    }
}

macro_rules! as_any_other {
    ($($method:ident($($name:ident: $type:ty),*))*) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value, DecodeError> {
            ValueReader(self.source).$method($($name,)* visitor)
        }
    )*};
}

type FieldNames = &'static [&'static str];

impl<'de> Deserializer<'de> for SetReader<'_, 'de> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.value(visitor, visit_value)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let expected = if self.is_element {
            "list"
        } else {
            self.kind.name()
        };
        self.value(visitor, |other, _| Err(other.instead_of(expected)))
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

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        if self.source.is_null()? {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        if SetKind::marked_by(name).is_none() && name.starts_with('\0') {
            return ValueReader(self.source).deserialize_newtype_struct(name, visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    as_any_other! {
        deserialize_bool() deserialize_char() deserialize_str() deserialize_string() deserialize_bytes() deserialize_byte_buf()
        deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64() deserialize_i128()
        deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128()
        deserialize_f32() deserialize_f64() deserialize_unit() deserialize_map() deserialize_identifier() deserialize_ignored_any()
        deserialize_unit_struct(name: &'static str)
        deserialize_struct(name: &'static str, fields: FieldNames)
        deserialize_enum(name: &'static str, variants: FieldNames)
    }
}

/// Hands over the elements of a set.
pub(super) fn visit_members<'de, V: Visitor<'de>>(
    kind: SetKind,
    elements: Elements<'_, 'de>,
    visitor: V,
) -> Result<V::Value, DecodeError> {
    let mut members = Members { kind, elements };
    let value = visitor.visit_seq(&mut members)?;
    members.elements.finish()?;
    Ok(value)
}

struct Members<'c, 'de> {
    kind: SetKind,
    elements: Elements<'c, 'de>,
}

impl<'de> SeqAccess<'de> for Members<'_, 'de> {
    type Error = DecodeError;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, DecodeError> {
        let index = self.elements.taken;
        let Some(source) = self.elements.next()? else {
            return Ok(None);
        };
        let element = SetReader {
            kind: self.kind,
            source,
            is_element: true,
        };
        match seed.deserialize(element) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error.in_element(index)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        self.elements.left()
    }
}
