//! Values to DynamoDB JSON, in one pass: what `ser` puts into attributes, as text.
//!
//! What it refuses has no place and no reason. The caller then writes the value as attributes, which has both, or succeeds: a few rare
//! forms, such as a negative number of 38 digits, are only known there.

use std::borrow::Borrow;
use std::fmt::{self, Display, Write as _};
use std::ops::Range;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use base64ct::{Base64, Encoding};
use serde::Serialize;
use serde::ser::{self, Serializer};

use super::strings;
use crate::codec::keys::KeyWriter;
use crate::codec::number::MAX_DIGITS;
use crate::codec::number::{NUMBER, is_in_range};
use crate::codec::readback;
use crate::codec::ser::{Fields, ValueWriter};
use crate::codec::sets::SetKind;
use crate::codec::size::MAX_DEPTH;

const NULL: &str = r#"{"NULL":true}"#;

/// The value is not written here.
#[derive(Debug)]
pub(crate) struct Refused;

impl Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot be written as JSON in one pass")
    }
}

impl std::error::Error for Refused {}

impl ser::Error for Refused {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

pub(super) type Written = Result<(), Refused>;

/// Writes the value it is given as one attribute: `{"S":"text"}`. Of `None` it writes nothing: what that means depends on where it stands.
pub(super) struct JsonWriter<'o> {
    out: &'o mut String,
    at: Place,
}

/// Where a value stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Whether a `None` in the field of a struct is stored, as NULL.
    stores_null: bool,
    /// Whether it is what a `Some` holds.
    is_some: bool,
    /// How many lists and maps it is inside of.
    depth: usize,
}

impl Place {
    /// The value of an attribute.
    #[inline]
    pub(super) fn attribute(stores_null: bool) -> Self {
        Self {
            stores_null,
            is_some: false,
            depth: 0,
        }
    }

    /// What is inside of it, if DynamoDB takes that.
    #[inline]
    fn inside(self, is_variant: bool) -> Result<Self, Refused> {
        let depth = self.depth + 1 + usize::from(is_variant);
        if depth > MAX_DEPTH {
            return Err(Refused);
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
    fn text(self, text: &str) {
        strings::between(self.out, r#"{"S":""#, text, r#""}"#);
    }

    fn number(self, digits: impl Display) -> Written {
        write!(self.out, r#"{{"N":"{digits}"}}"#).map_err(|_| Refused)
    }

    /// A number that may have more digits than DynamoDB keeps.
    fn wide(self, digits: &str) -> Written {
        if digits.len() > usize::from(MAX_DIGITS) {
            return Err(Refused);
        }
        self.number(digits)
    }

    fn list(self, variant: Option<&str>) -> Result<ListWriter<'o>, Refused> {
        let at = self.at.inside(variant.is_some())?;
        open_variant(self.out, variant);
        self.out.push_str(r#"{"L":["#);
        Ok(ListWriter {
            out: self.out,
            at,
            first: true,
            is_variant: variant.is_some(),
        })
    }

    fn fields(self, variant: Option<&str>) -> Result<FieldsWriter<'o>, Refused> {
        let at = self.at.inside(variant.is_some())?;
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
fn close_variant(out: &mut String, is_variant: bool) {
    if is_variant {
        out.push_str("}}");
    }
}

macro_rules! integers {
    ($($method:ident($type:ty))*) => {$(
        #[inline]
        fn $method(self, value: $type) -> Written {
            self.out.push_str(r#"{"N":""#);
            self.out.push_str(itoa::Buffer::new().format(value));
            self.out.push_str(r#""}"#);
            Ok(())
        }
    )*};
}

impl<'o> Serializer for JsonWriter<'o> {
    type Ok = ();
    type Error = Refused;
    type SerializeSeq = ListWriter<'o>;
    type SerializeTuple = ListWriter<'o>;
    type SerializeTupleStruct = ListWriter<'o>;
    type SerializeTupleVariant = ListWriter<'o>;
    type SerializeMap = MapWriter<'o>;
    type SerializeStruct = FieldsWriter<'o>;
    type SerializeStructVariant = FieldsWriter<'o>;

    integers! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
    }

    fn serialize_i128(self, value: i128) -> Written {
        readback::note();
        self.wide(itoa::Buffer::new().format(value))
    }

    fn serialize_u128(self, value: u128) -> Written {
        readback::note();
        self.wide(itoa::Buffer::new().format(value))
    }

    fn serialize_f32(self, value: f32) -> Written {
        if value.is_finite() {
            self.number(value)
        } else {
            Err(Refused)
        }
    }

    fn serialize_f64(self, value: f64) -> Written {
        if is_in_range(value) {
            self.number(value)
        } else {
            Err(Refused)
        }
    }

    fn serialize_bool(self, value: bool) -> Written {
        self.out.push_str(if value {
            r#"{"BOOL":true}"#
        } else {
            r#"{"BOOL":false}"#
        });
        Ok(())
    }

    fn serialize_char(self, value: char) -> Written {
        self.text(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Written {
        self.text(value);
        Ok(())
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Written {
        self.out.push_str(r#"{"S":""#);
        write!(strings::Escaping(self.out), "{value}").map_err(|_| Refused)?;
        self.out.push_str(r#""}"#);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Written {
        binary(self.out, value);
        Ok(())
    }

    #[inline]
    fn serialize_none(self) -> Written {
        if self.at.is_some {
            readback::note_nothing();
        }
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        let at = Place {
            is_some: true,
            ..self.at
        };
        value.serialize(JsonWriter { at, ..self })
    }

    fn serialize_unit(self) -> Written {
        if self.at.is_some {
            readback::note_nothing();
        }
        self.out.push_str(NULL);
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Written {
        self.serialize_unit()
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Written {
        let kind = SetKind::written_by(name).map_err(|_| Refused)?;
        if name != NUMBER && kind.is_none() {
            return value.serialize(self);
        }
        // Only its elements tell what the set can hold.
        let stores_null = self.at.stores_null;
        let written = ValueWriter { stores_null }.serialize_newtype_struct(name, value);
        match written.map_err(|_| Refused)? {
            Some(written) => attribute(self.out, &written),
            None => Ok(()),
        }
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Written {
        self.text(variant);
        Ok(())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        let at = self.at.inside(false)?;
        open_variant(self.out, Some(variant));
        element(self.out, at, value)?;
        self.out.push_str("}}");
        Ok(())
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<ListWriter<'o>, Refused> {
        self.list(None)
    }

    fn serialize_tuple(self, _length: usize) -> Result<ListWriter<'o>, Refused> {
        self.list(None)
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<ListWriter<'o>, Refused> {
        self.list(None)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<ListWriter<'o>, Refused> {
        self.list(Some(variant))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<MapWriter<'o>, Refused> {
        if length.is_none() {
            // A flattened field that is `None` writes nothing, and may be read all the same; a flattened map may read what is beside it.
            readback::note();
        }
        Ok(MapWriter {
            writer: self.fields(None)?,
            fields: Fields::of_map(length),
            key: String::new(),
            keys: Vec::new(),
            left_out: Vec::new(),
        })
    }

    fn serialize_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<FieldsWriter<'o>, Refused> {
        self.fields(None)
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<FieldsWriter<'o>, Refused> {
        self.fields(Some(variant))
    }
}

/// Writes the elements of a sequence or a tuple.
pub(super) struct ListWriter<'o> {
    out: &'o mut String,
    at: Place,
    first: bool,
    /// Whether it is what a variant of an enum holds.
    is_variant: bool,
}

macro_rules! list_of {
    ($($trait:ident::$method:ident)*) => {$(
        impl ser::$trait for ListWriter<'_> {
            type Ok = ();
            type Error = Refused;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
                separate(self.out, &mut self.first);
                element(self.out, self.at, value)
            }

            fn end(self) -> Written {
                self.out.push_str("]}");
                close_variant(self.out, self.is_variant);
                Ok(())
            }
        }
    )*};
}

list_of! {
    SerializeSeq::serialize_element
    SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field
    SerializeTupleVariant::serialize_field
}

/// Writes a value where there has to be one: `None` is NULL.
pub(super) fn element<T: Serialize + ?Sized>(out: &mut String, at: Place, value: &T) -> Written {
    let start = out.len();
    value.serialize(JsonWriter { out, at })?;
    if out.len() == start {
        out.push_str(NULL);
    }
    Ok(())
}

/// Writes the value of a field whose name is written; whether it is stored at all.
#[inline]
pub(super) fn field<T: Serialize + ?Sized>(
    out: &mut String,
    at: Place,
    value: &T,
) -> Result<bool, Refused> {
    let start = out.len();
    value.serialize(JsonWriter { out, at })?;
    if out.len() > start {
        return Ok(true);
    }
    if at.stores_null {
        out.push_str(NULL);
    }
    Ok(at.stores_null)
}

#[inline]
fn separate(out: &mut String, first: &mut bool) {
    if !std::mem::replace(first, false) {
        out.push(',');
    }
}

/// Writes the fields of a struct.
pub(super) struct FieldsWriter<'o> {
    out: &'o mut String,
    at: Place,
    first: bool,
    /// Whether it is what a variant of an enum holds.
    is_variant: bool,
}

impl FieldsWriter<'_> {
    /// Writes the name of the next field; where it is.
    #[inline]
    fn name(&mut self, name: &str) -> Range<usize> {
        separate(self.out, &mut self.first);
        let start = self.out.len();
        strings::between(self.out, "\"", name, "\":");
        start..self.out.len()
    }

    /// Writes a field, unless it is absent and not stored; where its name is.
    #[inline]
    fn field<T: Serialize + ?Sized>(
        &mut self,
        name: &str,
        value: &T,
    ) -> Result<Option<Range<usize>>, Refused> {
        let (start, first) = (self.out.len(), self.first);
        let at = self.name(name);
        if field(self.out, self.at, value)? {
            return Ok(Some(at));
        }
        self.out.truncate(start);
        self.first = first;
        Ok(None)
    }
}

macro_rules! fields_of {
    ($($trait:ident)*) => {$(
        impl ser::$trait for FieldsWriter<'_> {
            type Ok = ();
            type Error = Refused;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Written {
                self.field(name, value).map(drop)
            }

            fn end(self) -> Written {
                self.out.push_str("}}");
                close_variant(self.out, self.is_variant);
                Ok(())
            }
        }
    )*};
}

fields_of! { SerializeStruct SerializeStructVariant }

/// Writes the entries of a map. A name that is written twice is refused; where it is, attributes tell.
pub(super) struct MapWriter<'o> {
    writer: FieldsWriter<'o>,
    fields: Fields,
    key: String,
    keys: Vec<Range<usize>>,
    /// The names of fields that are absent and not stored.
    left_out: Vec<String>,
}

impl ser::SerializeMap for MapWriter<'_> {
    type Ok = ();
    type Error = Refused;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, key: &K) -> Written {
        self.key = key.serialize(KeyWriter).map_err(|_| Refused)?;
        self.fields.key::<K>();
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        if self.fields.is_field() {
            match self.writer.field(&self.key, value)? {
                Some(at) => self.keys.push(at),
                None => {
                    readback::note();
                    self.left_out.push(std::mem::take(&mut self.key));
                }
            }
            return Ok(());
        }
        self.keys.push(self.writer.name(&self.key));
        element(self.writer.out, self.writer.at, value)
    }

    fn end(mut self) -> Written {
        refuse_repeated(self.writer.out, &mut self.keys)?;
        if !self.left_out.is_empty() {
            let written = |name: &String| {
                let text = serialized_name(name);
                let mut names = self.keys.iter();
                names.any(|at| self.writer.out.get(at.clone()) == Some(&text))
            };
            if self.left_out.iter().any(written) {
                return Err(Refused);
            }
        }
        ser::SerializeStruct::end(self.writer)
    }
}

/// A name as it is written before its value.
fn serialized_name(name: &str) -> String {
    let mut text = String::new();
    strings::between(&mut text, "\"", name, "\":");
    text
}

/// Refuses names of which two are the same.
pub(super) fn refuse_repeated(out: &str, names: &mut [Range<usize>]) -> Written {
    let name = |range: &Range<usize>| out.get(range.clone()).unwrap_or_default();
    names.sort_unstable_by(|a, b| name(a).cmp(name(b)));
    let is_repeated = |pair: &[Range<usize>]| match pair {
        [a, b] => name(a) == name(b),
        _ => false,
    };
    if names.windows(2).any(is_repeated) {
        return Err(Refused);
    }
    Ok(())
}

pub(super) fn binary(out: &mut String, bytes: &[u8]) {
    out.push_str(r#"{"B":""#);
    out.push_str(&Base64::encode_string(bytes));
    out.push_str(r#""}"#);
}

/// Writes an attribute that there is already.
pub(super) fn attribute(out: &mut String, value: &AttributeValue) -> Written {
    let at = Place::attribute(true);
    match value {
        AttributeValue::S(text) => JsonWriter { out, at }.text(text),
        AttributeValue::N(digits) => strings::between(out, r#"{"N":""#, digits, r#""}"#),
        AttributeValue::B(bytes) => binary(out, bytes.as_ref()),
        AttributeValue::Bool(value) => {
            return JsonWriter { out, at }.serialize_bool(*value);
        }
        AttributeValue::Null(_) => out.push_str(NULL),
        AttributeValue::Ss(texts) => elements(out, r#"{"SS":["#, texts, strings::write),
        AttributeValue::Ns(digits) => elements(out, r#"{"NS":["#, digits, strings::write),
        AttributeValue::Bs(blobs) => elements(out, r#"{"BS":["#, blobs, |out, bytes: &Blob| {
            strings::write(out, &Base64::encode_string(bytes.as_ref()));
        }),
        AttributeValue::L(list) => {
            let mut writer = JsonWriter { out, at }.list(None)?;
            for element in list {
                separate(writer.out, &mut writer.first);
                attribute(writer.out, element)?;
            }
            return ser::SerializeSeq::end(writer);
        }
        AttributeValue::M(map) => {
            let mut writer = JsonWriter { out, at }.fields(None)?;
            for (name, value) in map {
                writer.name(name);
                attribute(writer.out, value)?;
            }
            return ser::SerializeStruct::end(writer);
        }
        _ => return Err(Refused),
    }
    Ok(())
}

fn elements<B: ?Sized, T: Borrow<B>>(
    out: &mut String,
    open: &str,
    set: &[T],
    write: impl Fn(&mut String, &B),
) {
    out.push_str(open);
    let mut first = true;
    for element in set {
        separate(out, &mut first);
        write(out, element.borrow());
    }
    out.push_str("]}");
}
