//! The keys of maps: text in the attribute, and any simple type in Rust.

use std::borrow::Cow;
use std::mem;

use serde::Serialize;
use serde::de::{self, IntoDeserializer, Visitor};
use serde::ser::{Impossible, Serializer};

use super::error::{DecodeError, EncodeError};
use super::readback;
use super::refuse::refuse;

type KeyResult = Result<String, EncodeError>;

/// Writes the value it is given as a key.
pub(super) struct MapKeyWriter;

/// What is wrong with an empty key, at any depth.
pub(crate) const EMPTY_NAME: &str =
    "DynamoDB takes no attribute without a name: a map has an empty key";

impl MapKeyWriter {
    #[cold]
    fn refused(kind: &str) -> EncodeError {
        EncodeError::new(format!(
            "expected a string, an integer, a boolean or a unit variant as the key of a map, found {kind}"
        ))
    }
}

macro_rules! displayed {
    ($($method:ident($type:ty))*) => {$(
        fn $method(self, value: $type) -> KeyResult {
            Ok(value.to_string())
        }
    )*};
}

/// Of a map that serde reads ahead, only keys that are text can be read.
macro_rules! noted {
    ($($method:ident($type:ty))*) => {$(
        fn $method(self, value: $type) -> KeyResult {
            readback::note();
            Ok(value.to_string())
        }
    )*};
}

impl Serializer for MapKeyWriter {
    type Ok = String;
    type Error = EncodeError;
    type SerializeSeq = Impossible<String, EncodeError>;
    type SerializeTuple = Impossible<String, EncodeError>;
    type SerializeTupleStruct = Impossible<String, EncodeError>;
    type SerializeTupleVariant = Impossible<String, EncodeError>;
    type SerializeMap = Impossible<String, EncodeError>;
    type SerializeStruct = Impossible<String, EncodeError>;
    type SerializeStructVariant = Impossible<String, EncodeError>;

    displayed! { serialize_char(char) }
    noted! {
        serialize_bool(bool)
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
    }

    fn serialize_str(self, value: &str) -> KeyResult {
        if value.is_empty() {
            return Err(EncodeError::new(EMPTY_NAME));
        }
        Ok(value.to_owned())
    }

    refuse! { float bytes none some unit newtype_variant list map compound_variant }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> KeyResult {
        Ok(variant.to_owned())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> KeyResult {
        value.serialize(self)
    }
}

/// Reads a key. A key that turns out to be the name of a field stays where it is, for the path of a later error;
/// one that is wanted as a value is taken, and leaves an empty string.
pub(super) struct MapKeyReader<'a, 'de>(pub(super) &'a mut Cow<'de, str>);

macro_rules! parsed {
    ($($method:ident $visit:ident($type:ident))*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            match mem::take(self.0).parse::<$type>() {
                Ok(key) => visitor.$visit(key),
                Err(_) => Err(DecodeError::new(concat!(
                    "expected ", stringify!($type), " as the key of a map, found another string"
                ))),
            }
        }
    )*};
}

impl<'de> de::Deserializer<'de> for MapKeyReader<'_, 'de> {
    type Error = DecodeError;

    parsed! {
        deserialize_bool visit_bool(bool)
        deserialize_i8 visit_i8(i8) deserialize_i16 visit_i16(i16) deserialize_i32 visit_i32(i32)
        deserialize_i64 visit_i64(i64) deserialize_i128 visit_i128(i128)
        deserialize_u8 visit_u8(u8) deserialize_u16 visit_u16(u16) deserialize_u32 visit_u32(u32)
        deserialize_u64 visit_u64(u64) deserialize_u128 visit_u128(u128)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match mem::take(self.0) {
            Cow::Borrowed(key) => visitor.visit_borrowed_str(key),
            Cow::Owned(key) => visitor.visit_string(key),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            Cow::Borrowed(key) => visitor.visit_borrowed_str(key),
            Cow::Owned(key) => visitor.visit_str(key),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_enum(mem::take(self.0).into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple tuple_struct map struct ignored_any
    }
}
