//! Any value to one attribute.

use std::fmt::Display;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde::ser::{self, Serializer};

use super::Item;
use super::error::EncodeError;
use super::flatten::REPEATED;
use super::keys::KeyWriter;
use super::number::{NUMBER, in_range, of_text, within_digits};
use super::readback;
use super::sets::SetKind;

type Written = Result<AttributeValue, EncodeError>;

/// Writes the value it is given as one attribute.
#[derive(Debug)]
pub struct ValueWriter;

macro_rules! integers {
    ($($method:ident($type:ty))*) => {$(
        fn $method(self, value: $type) -> Written {
            Ok(AttributeValue::N(value.to_string()))
        }
    )*};
}

macro_rules! wide_integers {
    ($($method:ident($type:ty))*) => {$(
        fn $method(self, value: $type) -> Written {
            readback::note();
            within_digits(value.to_string())
        }
    )*};
}

macro_rules! floats {
    ($($method:ident($type:ty))*) => {$(
        fn $method(self, value: $type) -> Written {
            in_range(value.into())?;
            Ok(AttributeValue::N(value.to_string()))
        }
    )*};
}

impl Serializer for ValueWriter {
    type Ok = AttributeValue;
    type Error = EncodeError;
    type SerializeSeq = ListWriter;
    type SerializeTuple = ListWriter;
    type SerializeTupleStruct = ListWriter;
    type SerializeTupleVariant = VariantWriter<ListWriter>;
    type SerializeMap = MapWriter;
    type SerializeStruct = StructWriter;
    type SerializeStructVariant = VariantWriter<StructWriter>;

    integers! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
    }
    wide_integers! { serialize_i128(i128) serialize_u128(u128) }
    floats! { serialize_f32(f32) serialize_f64(f64) }

    fn serialize_bool(self, value: bool) -> Written {
        Ok(AttributeValue::Bool(value))
    }

    fn serialize_char(self, value: char) -> Written {
        Ok(AttributeValue::S(value.to_string()))
    }

    fn serialize_str(self, value: &str) -> Written {
        Ok(AttributeValue::S(value.to_owned()))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Written {
        Ok(AttributeValue::S(value.to_string()))
    }

    fn serialize_bytes(self, value: &[u8]) -> Written {
        Ok(AttributeValue::B(Blob::new(value)))
    }

    fn serialize_none(self) -> Written {
        Ok(AttributeValue::Null(true))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        Ok(AttributeValue::Null(true))
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Written {
        Ok(AttributeValue::Null(true))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Written {
        let written = value.serialize(self)?;
        if name == NUMBER {
            return of_text(written);
        }
        match SetKind::written_by(name)? {
            Some(kind) => kind.set_of(written),
            None => Ok(written),
        }
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Written {
        Ok(AttributeValue::S(variant.to_owned()))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        match value.serialize(ValueWriter) {
            Ok(content) => Ok(tagged(variant, content)),
            Err(error) => Err(error.in_field(variant)),
        }
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<ListWriter, EncodeError> {
        Ok(ListWriter::new(length.unwrap_or(0)))
    }

    fn serialize_tuple(self, length: usize) -> Result<ListWriter, EncodeError> {
        Ok(ListWriter::new(length))
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        length: usize,
    ) -> Result<ListWriter, EncodeError> {
        Ok(ListWriter::new(length))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<VariantWriter<ListWriter>, EncodeError> {
        let content = ListWriter::new(length);
        Ok(VariantWriter { variant, content })
    }

    fn serialize_map(self, length: Option<usize>) -> Result<MapWriter, EncodeError> {
        Ok(MapWriter::new(length))
    }

    fn serialize_struct(
        self,
        _name: &'static str,
        length: usize,
    ) -> Result<StructWriter, EncodeError> {
        Ok(StructWriter::new(length))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<VariantWriter<StructWriter>, EncodeError> {
        let content = StructWriter::new(length);
        Ok(VariantWriter { variant, content })
    }
}

/// The externally tagged form of an enum's variant.
fn tagged(variant: &str, content: AttributeValue) -> AttributeValue {
    AttributeValue::M(Item::from([(variant.to_owned(), content)]))
}

/// Writes the elements of a sequence or a tuple.
#[derive(Debug)]
pub struct ListWriter(Vec<AttributeValue>);

impl ListWriter {
    pub(super) fn new(length: usize) -> Self {
        Self(Vec::with_capacity(length))
    }

    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        match value.serialize(ValueWriter) {
            Ok(element) => self.0.push(element),
            Err(error) => return Err(error.in_element(self.0.len())),
        }
        Ok(())
    }
}

macro_rules! list_of {
    ($($trait:ident::$method:ident)*) => {$(
        impl ser::$trait for ListWriter {
            type Ok = AttributeValue;
            type Error = EncodeError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
                self.push(value)
            }

            fn end(self) -> Written {
                Ok(AttributeValue::L(self.0))
            }
        }
    )*};
}

list_of! {
    SerializeSeq::serialize_element
    SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field
}

/// Writes the fields of a struct.
#[derive(Debug)]
pub struct StructWriter(Item);

impl StructWriter {
    pub(super) fn new(length: usize) -> Self {
        Self(Item::with_capacity(length))
    }
}

impl ser::SerializeStruct for StructWriter {
    type Ok = AttributeValue;
    type Error = EncodeError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), EncodeError> {
        match value.serialize(ValueWriter) {
            Ok(attribute) => self.0.insert(name.to_owned(), attribute),
            Err(error) => return Err(error.in_field(name)),
        };
        Ok(())
    }

    fn end(self) -> Written {
        Ok(AttributeValue::M(self.0))
    }
}

/// Writes the entries of a map, and the structs that serde writes as maps because a field is flattened.
#[derive(Debug)]
pub struct MapWriter {
    entries: Item,
    key: Option<String>,
}

impl MapWriter {
    fn new(length: Option<usize>) -> Self {
        Self {
            entries: Item::with_capacity(length.unwrap_or(0)),
            key: None,
        }
    }
}

impl ser::SerializeMap for MapWriter {
    type Ok = AttributeValue;
    type Error = EncodeError;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<(), EncodeError> {
        self.key = Some(key.serialize(KeyWriter)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        let Some(key) = self.key.take() else {
            return Err(EncodeError::new("a map's value was written before its key"));
        };
        match value.serialize(ValueWriter) {
            Ok(attribute) => match self.entries.insert(key, attribute) {
                None => Ok(()),
                // The key of a map is contents, so it is not named.
                Some(_) => Err(EncodeError::new(REPEATED).in_entry()),
            },
            Err(error) => Err(error.in_entry()),
        }
    }

    fn end(self) -> Written {
        Ok(AttributeValue::M(self.entries))
    }
}

/// Writes the content of an enum's variant and tags it.
#[derive(Debug)]
pub struct VariantWriter<C> {
    variant: &'static str,
    content: C,
}

impl ser::SerializeTupleVariant for VariantWriter<ListWriter> {
    type Ok = AttributeValue;
    type Error = EncodeError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.content
            .push(value)
            .map_err(|error| error.in_field(self.variant))
    }

    fn end(self) -> Written {
        ser::SerializeTuple::end(self.content).map(|content| tagged(self.variant, content))
    }
}

impl ser::SerializeStructVariant for VariantWriter<StructWriter> {
    type Ok = AttributeValue;
    type Error = EncodeError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), EncodeError> {
        ser::SerializeStruct::serialize_field(&mut self.content, name, value)
            .map_err(|error| error.in_field(self.variant))
    }

    fn end(self) -> Written {
        ser::SerializeStruct::end(self.content).map(|content| tagged(self.variant, content))
    }
}
