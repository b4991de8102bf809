//! Lists, maps and structs inside of an item, as JSON.

use super::strings;
use crate::codec::json::writer::JsonWriter;
use crate::codec::json::writer::NULL;
use crate::codec::json::writer::Unsupported;
use crate::codec::json::writer::ValuePosition;
use crate::codec::json::writer::WriteResult;
use crate::codec::json::writer::close_variant;
use crate::codec::map_keys::MapKeyWriter;
use crate::codec::readback;
use crate::codec::readback::PlaceId;
use crate::codec::ser::FieldOrder;
use serde::Serialize;
use serde::ser::{self};
use std::ops::Range;

/// Writes the elements of a sequence or a tuple.
pub(super) struct JsonListWriter<'o> {
    pub(super) out: &'o mut String,
    pub(super) at: ValuePosition,
    pub(super) first: bool,
    /// Whether it is what a variant of an enum holds.
    pub(super) is_variant: bool,
}

macro_rules! list_of {
    ($($trait:ident::$method:ident)*) => {$(
        impl ser::$trait for JsonListWriter<'_> {
            type Ok = ();
            type Error = Unsupported;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> WriteResult {
                separate(self.out, &mut self.first);
                element(self.out, self.at, value)
            }

            fn end(self) -> WriteResult {
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
pub(super) fn element<T: Serialize + ?Sized>(
    out: &mut String,
    at: ValuePosition,
    value: &T,
) -> WriteResult {
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
    at: ValuePosition,
    value: &T,
) -> Result<bool, Unsupported> {
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
pub(super) fn separate(out: &mut String, first: &mut bool) {
    if !std::mem::replace(first, false) {
        out.push(',');
    }
}

/// Writes the fields of a struct.
pub(super) struct FieldsWriter<'o> {
    pub(super) out: &'o mut String,
    pub(super) at: ValuePosition,
    pub(super) first: bool,
    /// Whether it is what a variant of an enum holds.
    pub(super) is_variant: bool,
}

impl FieldsWriter<'_> {
    /// Writes the name of the next field; where it is.
    #[inline]
    pub(super) fn name(&mut self, name: &str) -> Range<usize> {
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
        id: PlaceId,
        value: &T,
    ) -> Result<Option<Range<usize>>, Unsupported> {
        let (start, first) = (self.out.len(), self.first);
        let at = self.name(name);
        if field(self.out, ValuePosition { id, ..self.at }, value)? {
            return Ok(Some(at));
        }
        readback::note_absent(id);
        self.out.truncate(start);
        self.first = first;
        Ok(None)
    }
}

macro_rules! fields_of {
    ($($trait:ident)*) => {$(
        impl ser::$trait for FieldsWriter<'_> {
            type Ok = ();
            type Error = Unsupported;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> WriteResult {
                let id = self.at.id.then(name);
                self.field(name, id, value).map(drop)
            }

            fn skip_field(&mut self, name: &'static str) -> WriteResult {
                readback::note_absent(self.at.id.then(name));
                Ok(())
            }

            fn end(self) -> WriteResult {
                self.out.push_str("}}");
                close_variant(self.out, self.is_variant);
                Ok(())
            }
        }
    )*};
}

fields_of! { SerializeStruct SerializeStructVariant }

/// Writes the entries of a map. A name that is written twice is refused; where it is, attributes tell.
pub(super) struct JsonMapWriter<'o> {
    pub(super) writer: FieldsWriter<'o>,
    pub(super) fields: FieldOrder,
    pub(super) key: String,
    pub(super) keys: Vec<Range<usize>>,
    /// The names of fields that are absent and not stored.
    pub(super) left_out: Vec<String>,
}

impl ser::SerializeMap for JsonMapWriter<'_> {
    type Ok = ();
    type Error = Unsupported;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, key: &K) -> WriteResult {
        self.key = key.serialize(MapKeyWriter).map_err(|_| Unsupported)?;
        self.fields.key::<K>();
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> WriteResult {
        if self.fields.is_field() {
            let id = self.writer.at.id.entry(&self.key);
            match self.writer.field(&self.key, id, value)? {
                Some(at) => self.keys.push(at),
                None => self.left_out.push(std::mem::take(&mut self.key)),
            }
            return Ok(());
        }
        self.keys.push(self.writer.name(&self.key));
        element(self.writer.out, self.writer.at, value)
    }

    fn end(mut self) -> WriteResult {
        refuse_repeated(self.writer.out, &mut self.keys)?;
        if !self.left_out.is_empty() {
            let written = |name: &String| {
                let text = serialized_name(name);
                let mut names = self.keys.iter();
                names.any(|at| self.writer.out.get(at.clone()) == Some(&text))
            };
            if self.left_out.iter().any(written) {
                return Err(Unsupported);
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

/// Fails if two names are equal.
pub(super) fn refuse_repeated(out: &str, names: &mut [Range<usize>]) -> WriteResult {
    let name = |range: &Range<usize>| out.get(range.clone());
    names.sort_unstable_by(|a, b| name(a).cmp(&name(b)));
    // A name that is not where it was written sorts first, and fails too.
    let is_repeated = |pair: &[Range<usize>]| match pair {
        [a, b] => name(a).is_none() || name(a) == name(b),
        _ => false,
    };
    if names.windows(2).any(is_repeated) {
        return Err(Unsupported);
    }
    Ok(())
}
