//! Any value to one attribute.

use std::fmt::Display;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde::ser::{self, Serializer};

use super::Item;
use super::error::EncodeError;
use super::flatten::REPEATED;
use super::map_keys::MapKeyWriter;
use super::number::{NUMBER, in_range, of_text, within_digits};
use super::readback;
use super::sets::SetKind;
use super::size::{MAX_DEPTH, too_deep};

/// Nothing, if the value is `None`: what that means depends on where it stands.
type ValueResult = Result<Option<AttributeValue>, EncodeError>;

/// Writes the value it is given as one attribute.
#[derive(Debug, Clone, Copy)]
pub struct ValueWriter {
    /// Whether a `None` in the field of a struct is stored, as NULL.
    pub(crate) stores_null: bool,
    /// How many lists and maps the value is inside of.
    depth: u8,
}

/// What was written of a value that is always stored: `None` is NULL.
#[doc(hidden)]
#[inline]
pub fn stored(written: ValueResult) -> Result<AttributeValue, EncodeError> {
    match written {
        Ok(Some(attribute)) => Ok(attribute),
        Ok(None) => Ok(AttributeValue::Null(true)),
        Err(error) => Err(error),
    }
}

impl ValueWriter {
    /// Stores no `None`.
    pub const OMITTING: Self = Self::new(false);

    /// Writes the value of an attribute. `None` in the field of a struct is stored or not.
    pub(crate) const fn new(stores_null: bool) -> Self {
        Self {
            stores_null,
            depth: 0,
        }
    }

    /// Writes what is inside of the value.
    const fn inside(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }

    /// Writes the content of an enum's variant, if it does not lie too deep: it may be empty.
    fn inside_of(self, variant: &'static str) -> Result<Self, EncodeError> {
        let inside = self.inside();
        if usize::from(inside.depth) > MAX_DEPTH {
            return Err(too_deep().in_field(variant));
        }
        Ok(inside)
    }

    /// Writes a value where there has to be one: `None` is NULL.
    pub(super) fn element<T: Serialize + ?Sized>(
        self,
        value: &T,
    ) -> Result<AttributeValue, EncodeError> {
        stored(self.write(value))
    }

    /// Writes a value: nothing, if it is `None`.
    #[inline]
    fn write<T: Serialize + ?Sized>(self, value: &T) -> ValueResult {
        if usize::from(self.depth) > MAX_DEPTH {
            return Err(too_deep());
        }
        value.serialize(self)
    }
}

macro_rules! integers {
    ($($method:ident($type:ty))*) => {$(
        fn $method(self, value: $type) -> ValueResult {
            Ok(Some(AttributeValue::N(value.to_string())))
        }
    )*};
}

macro_rules! wide_integers {
    ($($method:ident($type:ty))*) => {$(
        fn $method(self, value: $type) -> ValueResult {
            readback::note();
            within_digits(value.to_string()).map(Some)
        }
    )*};
}

macro_rules! floats {
    ($($method:ident($type:ty))*) => {$(
        fn $method(self, value: $type) -> ValueResult {
            in_range(value.into())?;
            Ok(Some(AttributeValue::N(value.to_string())))
        }
    )*};
}

impl Serializer for ValueWriter {
    type Ok = Option<AttributeValue>;
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

    fn serialize_bool(self, value: bool) -> ValueResult {
        Ok(Some(AttributeValue::Bool(value)))
    }

    fn serialize_char(self, value: char) -> ValueResult {
        Ok(Some(AttributeValue::S(value.to_string())))
    }

    fn serialize_str(self, value: &str) -> ValueResult {
        Ok(Some(AttributeValue::S(value.to_owned())))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> ValueResult {
        Ok(Some(AttributeValue::S(value.to_string())))
    }

    fn serialize_bytes(self, value: &[u8]) -> ValueResult {
        Ok(Some(AttributeValue::B(Blob::new(value))))
    }

    fn serialize_none(self) -> ValueResult {
        Ok(None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> ValueResult {
        let written = value.serialize(self);
        if let Ok(None | Some(AttributeValue::Null(_))) = written {
            readback::note_nothing();
        }
        written
    }

    fn serialize_unit(self) -> ValueResult {
        Ok(Some(AttributeValue::Null(true)))
    }

    fn serialize_unit_struct(self, _name: &'static str) -> ValueResult {
        Ok(Some(AttributeValue::Null(true)))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> ValueResult {
        if !is_marker(name) {
            return value.serialize(self);
        }
        // What a set holds lies as deep as the set itself.
        let Some(written) = value.serialize(Self { depth: 0, ..self })? else {
            return Ok(None);
        };
        if name == NUMBER {
            return of_text(written).map(Some);
        }
        match SetKind::written_by(name)? {
            Some(kind) => kind.set_of(written).map(Some),
            None => Ok(Some(written)),
        }
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> ValueResult {
        Ok(Some(AttributeValue::S(variant.to_owned())))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> ValueResult {
        match self.inside().element(value) {
            Ok(content) => Ok(Some(tagged(variant, content))),
            Err(error) => Err(error.in_field(variant)),
        }
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<ListWriter, EncodeError> {
        Ok(ListWriter::new(self, length.unwrap_or(0)))
    }

    fn serialize_tuple(self, length: usize) -> Result<ListWriter, EncodeError> {
        Ok(ListWriter::new(self, length))
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        length: usize,
    ) -> Result<ListWriter, EncodeError> {
        Ok(ListWriter::new(self, length))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<VariantWriter<ListWriter>, EncodeError> {
        let content = ListWriter::new(self.inside_of(variant)?, length);
        Ok(VariantWriter { variant, content })
    }

    fn serialize_map(self, length: Option<usize>) -> Result<MapWriter, EncodeError> {
        if length.is_none() {
            // A flattened field that is `None` writes nothing, and may be read all the same; a flattened map may read what is beside it.
            readback::note();
        }
        Ok(MapWriter::new(self, length))
    }

    fn serialize_struct(
        self,
        _name: &'static str,
        length: usize,
    ) -> Result<StructWriter, EncodeError> {
        Ok(StructWriter::new(self, length))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<VariantWriter<StructWriter>, EncodeError> {
        let content = StructWriter::new(self.inside_of(variant)?, length);
        Ok(VariantWriter { variant, content })
    }
}

/// Tells the fields of a struct from the entries of a map, where serde hands both over as a map because a field is flattened. An absent
/// field is not stored, but an entry without its value would be another map.
#[derive(Debug, Clone, Copy)]
pub(super) struct FieldOrder {
    is_struct: bool,
    is_field: bool,
}

impl FieldOrder {
    /// The length of a struct with a flattened field is not known, and that of a map is.
    pub(super) const fn of_map(length: Option<usize>) -> Self {
        Self {
            is_struct: length.is_none(),
            is_field: false,
        }
    }

    /// The key of the next entry. A struct names its field by a `str`, and a map hands over a key that it holds, which is `Sized`: a
    /// reference to it is a thin one.
    pub(super) fn key<K: ?Sized>(&mut self) {
        self.is_field = self.is_struct && size_of::<&K>() > size_of::<usize>();
    }

    /// Whether the entry is the field of a struct.
    pub(super) const fn is_field(self) -> bool {
        self.is_field
    }
}

/// Whether a newtype struct of this name may be a marker, ours or one of `serde_dynamo`, whose names begin so.
#[inline]
fn is_marker(name: &str) -> bool {
    matches!(name.as_bytes(), [b'\0' | 0xcd, ..])
}

/// The externally tagged form of an enum's variant.
fn tagged(variant: &str, content: AttributeValue) -> AttributeValue {
    AttributeValue::M(Item::from([(variant.to_owned(), content)]))
}

/// Writes the elements of a sequence or a tuple.
#[derive(Debug)]
pub struct ListWriter {
    writer: ValueWriter,
    elements: Vec<AttributeValue>,
}

impl ListWriter {
    fn new(writer: ValueWriter, length: usize) -> Self {
        Self {
            writer: writer.inside(),
            elements: Vec::with_capacity(length),
        }
    }

    #[inline]
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.add(self.writer.write(value))
    }

    /// Adds what was written, which is moved once for that.
    #[inline(never)]
    fn add(&mut self, written: ValueResult) -> Result<(), EncodeError> {
        match written {
            Ok(Some(element)) => self.elements.push(element),
            Ok(None) => self.elements.push(AttributeValue::Null(true)),
            Err(error) => return Err(error.in_element(self.elements.len())),
        }
        Ok(())
    }
}

macro_rules! list_of {
    ($($trait:ident::$method:ident)*) => {$(
        impl ser::$trait for ListWriter {
            type Ok = Option<AttributeValue>;
            type Error = EncodeError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
                self.push(value)
            }

            fn end(self) -> ValueResult {
                Ok(Some(AttributeValue::L(self.elements)))
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
pub struct StructWriter {
    writer: ValueWriter,
    fields: Item,
}

impl StructWriter {
    fn new(writer: ValueWriter, length: usize) -> Self {
        Self {
            writer: writer.inside(),
            fields: Item::with_capacity(length),
        }
    }

    /// Adds what was written of a field, which is moved once for that.
    #[inline(never)]
    fn add(&mut self, name: &'static str, written: ValueResult) -> Result<(), EncodeError> {
        match written {
            Ok(Some(field)) => drop(self.fields.insert(name.to_owned(), field)),
            Ok(None) if self.writer.stores_null => {
                let null = AttributeValue::Null(true);
                self.fields.insert(name.to_owned(), null);
            }
            Ok(None) => readback::note_absent_somewhere(),
            Err(error) => return Err(error.in_field(name)),
        }
        Ok(())
    }
}

impl ser::SerializeStruct for StructWriter {
    type Ok = Option<AttributeValue>;
    type Error = EncodeError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), EncodeError> {
        self.add(name, self.writer.write(value))
    }

    fn skip_field(&mut self, _name: &'static str) -> Result<(), EncodeError> {
        readback::note_absent_somewhere();
        Ok(())
    }

    fn end(self) -> ValueResult {
        Ok(Some(AttributeValue::M(self.fields)))
    }
}

/// Writes the entries of a map, and the structs that serde writes as maps because a field is flattened.
#[derive(Debug)]
pub struct MapWriter {
    writer: ValueWriter,
    entries: Item,
    key: Option<String>,
    fields: FieldOrder,
    /// The names of fields that are absent and not stored.
    left_out: Vec<String>,
}

impl MapWriter {
    fn new(writer: ValueWriter, length: Option<usize>) -> Self {
        Self {
            writer: writer.inside(),
            entries: Item::with_capacity(length.unwrap_or(0)),
            key: None,
            fields: FieldOrder::of_map(length),
            left_out: Vec::new(),
        }
    }

    /// Adds what was written of an entry, which is moved once for that. The key of a map is contents, so it is not named in errors.
    #[inline(never)]
    fn add(&mut self, written: ValueResult) -> Result<(), EncodeError> {
        let Some(key) = self.key.take() else {
            return Err(EncodeError::new("a map's value was written before its key"));
        };
        let attribute = match written {
            Ok(Some(attribute)) => attribute,
            Ok(None) if self.fields.is_field() && !self.writer.stores_null => {
                return self.leave_out(key);
            }
            Ok(None) => AttributeValue::Null(true),
            Err(error) => return Err(error.in_entry()),
        };
        if self.left_out.contains(&key) {
            return Err(EncodeError::new(REPEATED).in_entry());
        }
        match self.entries.insert(key, attribute) {
            None => Ok(()),
            Some(_) => Err(EncodeError::new(REPEATED).in_entry()),
        }
    }

    /// An absent field that is not stored.
    fn leave_out(&mut self, key: String) -> Result<(), EncodeError> {
        if self.entries.contains_key(&key) || self.left_out.contains(&key) {
            return Err(EncodeError::new(REPEATED).in_entry());
        }
        readback::note();
        self.left_out.push(key);
        Ok(())
    }
}

impl ser::SerializeMap for MapWriter {
    type Ok = Option<AttributeValue>;
    type Error = EncodeError;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<(), EncodeError> {
        self.key = Some(key.serialize(MapKeyWriter)?);
        self.fields.key::<K>();
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.add(self.writer.write(value))
    }

    fn end(self) -> ValueResult {
        Ok(Some(AttributeValue::M(self.entries)))
    }
}

/// Writes the content of an enum's variant and tags it.
#[derive(Debug)]
pub struct VariantWriter<C> {
    variant: &'static str,
    content: C,
}

impl ser::SerializeTupleVariant for VariantWriter<ListWriter> {
    type Ok = Option<AttributeValue>;
    type Error = EncodeError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.content
            .push(value)
            .map_err(|error| error.in_field(self.variant))
    }

    fn end(self) -> ValueResult {
        ser::SerializeTuple::end(self.content)
            .map(|content| content.map(|content| tagged(self.variant, content)))
    }
}

impl ser::SerializeStructVariant for VariantWriter<StructWriter> {
    type Ok = Option<AttributeValue>;
    type Error = EncodeError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), EncodeError> {
        ser::SerializeStruct::serialize_field(&mut self.content, name, value)
            .map_err(|error| error.in_field(self.variant))
    }

    fn skip_field(&mut self, name: &'static str) -> Result<(), EncodeError> {
        ser::SerializeStruct::skip_field(&mut self.content, name)
    }

    fn end(self) -> ValueResult {
        ser::SerializeStruct::end(self.content)
            .map(|content| content.map(|content| tagged(self.variant, content)))
    }
}
