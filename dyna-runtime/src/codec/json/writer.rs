//! Values to DynamoDB JSON, in one pass: what `ser` puts into attributes, as text.
//!
//! Its errors have no path and no reason. On an error the caller encodes the value as attributes instead, which reports both, or succeeds: a
//! few rare forms, such as a negative number of 38 digits, are only supported there.

use super::strings;
use crate::codec::json::attribute_writer::attribute;
use crate::codec::json::attribute_writer::binary;
use crate::codec::json::nested_writers::FieldsWriter;
use crate::codec::json::nested_writers::JsonListWriter;
use crate::codec::json::nested_writers::JsonMapWriter;
use crate::codec::json::nested_writers::element;
use crate::codec::number::MAX_DIGITS;
use crate::codec::number::{NUMBER, is_in_range};
use crate::codec::readback::{self, PlaceId};
use crate::codec::ser::{FieldOrder, ValueWriter};
use crate::codec::sets::SetKind;
use crate::codec::size::MAX_DEPTH;
use serde::Serialize;
use serde::ser::{self, Serializer};
use std::fmt::{self, Display, Write as _};

pub(super) const NULL: &str = r#"{"NULL":true}"#;

/// The value is not written here.
#[derive(Debug)]
pub(crate) struct Unsupported;

impl Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot be written as JSON in one pass")
    }
}

impl std::error::Error for Unsupported {}

impl ser::Error for Unsupported {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

pub(super) type WriteResult = Result<(), Unsupported>;

/// Writes the value it is given as one attribute: `{"S":"text"}`. Of `None` it writes nothing: what that means depends on where it stands.
pub(super) struct JsonWriter<'o> {
    pub(super) out: &'o mut String,
    pub(super) at: ValuePosition,
}

/// Where a value stands.
#[derive(Clone, Copy)]
pub(super) struct ValuePosition {
    /// Whether a `None` in the field of a struct is stored, as NULL.
    pub(super) stores_null: bool,
    /// Whether it is what a `Some` holds.
    pub(super) is_some: bool,
    /// How many lists and maps it is inside of.
    pub(super) depth: usize,
    pub(super) id: PlaceId,
}

impl ValuePosition {
    /// The value of an attribute.
    #[inline]
    pub(super) fn attribute(stores_null: bool, id: PlaceId) -> Self {
        Self {
            stores_null,
            is_some: false,
            depth: 0,
            id,
        }
    }

    /// What is inside of it, if DynamoDB takes that.
    #[inline]
    fn inside(self, is_variant: bool) -> Result<Self, Unsupported> {
        let depth = self.depth + 1 + usize::from(is_variant);
        if depth > MAX_DEPTH {
            return Err(Unsupported);
        }
        Ok(Self {
            depth,
            is_some: false,
            ..self
        })
    }
}

impl<'o> JsonWriter<'o> {
    #[inline]
    pub(super) fn text(self, text: &str) {
        strings::between(self.out, r#"{"S":""#, text, r#""}"#);
    }

    fn number(self, digits: impl Display) -> WriteResult {
        write!(self.out, r#"{{"N":"{digits}"}}"#).map_err(|_| Unsupported)
    }

    /// A number that may have more digits than DynamoDB keeps.
    fn wide(self, digits: &str) -> WriteResult {
        if digits.len() > usize::from(MAX_DIGITS) {
            return Err(Unsupported);
        }
        self.number(digits)
    }

    pub(super) fn list(
        self,
        variant: Option<&'static str>,
    ) -> Result<JsonListWriter<'o>, Unsupported> {
        let mut at = self.at.inside(variant.is_some())?;
        if let Some(variant) = variant {
            at.id = at.id.then(variant);
        }
        open_variant(self.out, variant);
        self.out.push_str(r#"{"L":["#);
        Ok(JsonListWriter {
            out: self.out,
            at,
            first: true,
            is_variant: variant.is_some(),
        })
    }

    pub(super) fn fields(
        self,
        name: &'static str,
        variant: Option<&'static str>,
    ) -> Result<FieldsWriter<'o>, Unsupported> {
        let mut at = self.at.inside(variant.is_some())?;
        at.id = at.id.then(variant.unwrap_or(name));
        open_variant(self.out, variant);
        self.out.push_str(r#"{"M":{"#);
        Ok(FieldsWriter {
            out: self.out,
            at,
            first: true,
            is_variant: variant.is_some(),
        })
    }
}

/// The beginning of the externally tagged form of an enum's variant.
fn open_variant(out: &mut String, variant: Option<&str>) {
    if let Some(variant) = variant {
        strings::between(out, r#"{"M":{""#, variant, r#"":"#);
    }
}

#[inline]
pub(super) fn close_variant(out: &mut String, is_variant: bool) {
    if is_variant {
        out.push_str("}}");
    }
}

macro_rules! integers {
    ($($method:ident($type:ty))*) => {$(
        #[inline]
        fn $method(self, value: $type) -> WriteResult {
            self.out.push_str(r#"{"N":""#);
            self.out.push_str(itoa::Buffer::new().format(value));
            self.out.push_str(r#""}"#);
            Ok(())
        }
    )*};
}

impl<'o> Serializer for JsonWriter<'o> {
    type Ok = ();
    type Error = Unsupported;
    type SerializeSeq = JsonListWriter<'o>;
    type SerializeTuple = JsonListWriter<'o>;
    type SerializeTupleStruct = JsonListWriter<'o>;
    type SerializeTupleVariant = JsonListWriter<'o>;
    type SerializeMap = JsonMapWriter<'o>;
    type SerializeStruct = FieldsWriter<'o>;
    type SerializeStructVariant = FieldsWriter<'o>;

    integers! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
    }

    fn serialize_i128(self, value: i128) -> WriteResult {
        readback::note();
        self.wide(itoa::Buffer::new().format(value))
    }

    fn serialize_u128(self, value: u128) -> WriteResult {
        readback::note();
        self.wide(itoa::Buffer::new().format(value))
    }

    fn serialize_f32(self, value: f32) -> WriteResult {
        if value.is_finite() {
            self.number(value)
        } else {
            Err(Unsupported)
        }
    }

    fn serialize_f64(self, value: f64) -> WriteResult {
        if is_in_range(value) {
            self.number(value)
        } else {
            Err(Unsupported)
        }
    }

    fn serialize_bool(self, value: bool) -> WriteResult {
        self.out.push_str(if value {
            r#"{"BOOL":true}"#
        } else {
            r#"{"BOOL":false}"#
        });
        Ok(())
    }

    fn serialize_char(self, value: char) -> WriteResult {
        self.text(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, value: &str) -> WriteResult {
        self.text(value);
        Ok(())
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> WriteResult {
        self.out.push_str(r#"{"S":""#);
        write!(strings::Escaping(self.out), "{value}").map_err(|_| Unsupported)?;
        self.out.push_str(r#""}"#);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> WriteResult {
        binary(self.out, value);
        Ok(())
    }

    #[inline]
    fn serialize_none(self) -> WriteResult {
        if self.at.is_some {
            readback::note_nothing();
        }
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> WriteResult {
        let at = ValuePosition {
            is_some: true,
            ..self.at
        };
        value.serialize(JsonWriter { at, ..self })
    }

    fn serialize_unit(self) -> WriteResult {
        if self.at.is_some {
            readback::note_nothing();
        }
        self.out.push_str(NULL);
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> WriteResult {
        self.serialize_unit()
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> WriteResult {
        let kind = SetKind::written_by(name).map_err(|_| Unsupported)?;
        if name != NUMBER && kind.is_none() {
            return value.serialize(self);
        }
        // Only its elements tell what the set can hold.
        let stores_null = self.at.stores_null;
        let writer = ValueWriter::new(stores_null);
        let written = writer.serialize_newtype_struct(name, value);
        match written.map_err(|_| Unsupported)? {
            Some(written) => attribute(self.out, &written),
            None => Ok(()),
        }
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> WriteResult {
        self.text(variant);
        Ok(())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> WriteResult {
        let mut at = self.at.inside(false)?;
        at.id = at.id.then(variant);
        open_variant(self.out, Some(variant));
        element(self.out, at, value)?;
        self.out.push_str("}}");
        Ok(())
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<JsonListWriter<'o>, Unsupported> {
        self.list(None)
    }

    fn serialize_tuple(self, _length: usize) -> Result<JsonListWriter<'o>, Unsupported> {
        self.list(None)
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<JsonListWriter<'o>, Unsupported> {
        self.list(None)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<JsonListWriter<'o>, Unsupported> {
        self.list(Some(variant))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<JsonMapWriter<'o>, Unsupported> {
        if length.is_none() {
            // A flattened field that is `None` writes nothing, and may be read all the same; a flattened map may read what is beside it.
            readback::note();
        }
        Ok(JsonMapWriter {
            writer: self.fields("", None)?,
            fields: FieldOrder::of_map(length),
            key: String::new(),
            keys: Vec::new(),
            left_out: Vec::new(),
        })
    }

    fn serialize_struct(
        self,
        name: &'static str,
        _length: usize,
    ) -> Result<FieldsWriter<'o>, Unsupported> {
        self.fields(name, None)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<FieldsWriter<'o>, Unsupported> {
        self.fields(name, Some(variant))
    }
}
