//! The top level of a value to the JSON of an item.

use std::ops::Range;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde::ser::{self, Impossible, Serializer};

use super::strings;
use super::writer::{Unsupported, ValuePosition, WriteResult};
use super::{attribute_writer, nested_writers};
use crate::codec::item_writer::insert;
use crate::codec::map_keys::MapKeyWriter;
use crate::codec::readback::{self, PlaceId};
use crate::codec::refuse::refuse;
use crate::codec::ser::FieldOrder;
use crate::codec::sets::SetKind;
use crate::codec::{Item, Nulls, Rules};

/// An item that is written at the end of a text, to be put into a request.
pub(crate) struct ItemJson<'o>(&'o mut String);

/// The names of the attributes that are not written as they come: keys, and what someone looks at first.
#[derive(Default)]
pub(crate) struct NameSet {
    names: Vec<&'static str>,
    /// A bit for each of their lengths: most names of fields have another.
    lengths: u64,
}

impl NameSet {
    #[inline]
    fn has(&self, name: &str) -> bool {
        self.lengths >> (name.len() % 64) & 1 == 1 && self.names.contains(&name)
    }
}

impl FromIterator<&'static str> for NameSet {
    fn from_iter<I: IntoIterator<Item = &'static str>>(names: I) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        let lengths = names.iter().map(|name| 1 << (name.len() % 64));
        Self {
            lengths: lengths.fold(0, |all, one: u64| all | one),
            names,
        }
    }
}

/// The type whose fields are written.
#[derive(Clone, Copy)]
pub(crate) struct Whole {
    pub(crate) id: PlaceId,
    /// Whether a field that is absent may be read as something else than `None`.
    pub(crate) has_defaults: bool,
}

impl Whole {
    /// A type that is no entity.
    #[cfg(test)]
    pub(crate) const UNKNOWN: Self = Self {
        id: PlaceId::UNKNOWN,
        has_defaults: false,
    };

    /// Notes that a field is absent, if that matters.
    fn lacks(self, field: PlaceId) {
        if self.has_defaults {
            readback::note_absent(field);
        }
    }
}

/// Where those attributes go, and not into the text.
pub(crate) struct Deferred<'a> {
    /// The attributes so far, keys included.
    pub(crate) item: &'a mut Item,
    /// The attributes that are not written.
    pub(crate) rules: Rules<'a>,
}

impl<'o> ItemJson<'o> {
    /// An item without attributes yet.
    #[inline]
    pub(crate) fn new(text: &'o mut String) -> Self {
        text.push('{');
        Self(text)
    }

    /// Where the next attribute will be.
    pub(crate) fn next(&self) -> usize {
        self.0.len() + usize::from(!self.is_empty())
    }

    /// Where the last one ends.
    pub(crate) fn end(&self) -> usize {
        self.0.len()
    }

    /// Adds an attribute that is text.
    pub(crate) fn text(&mut self, name: &str, text: &str) {
        self.name(name);
        strings::between(self.0, r#"{"S":""#, text, r#""}"#);
    }

    /// Adds an attribute that is a number.
    pub(crate) fn number(&mut self, name: &str, digits: &str) {
        self.name(name);
        strings::between(self.0, r#"{"N":""#, digits, r#""}"#);
    }

    /// Adds an attribute of bytes.
    pub(crate) fn bytes(&mut self, name: &str, bytes: &[u8]) {
        self.name(name);
        attribute_writer::binary(self.0, bytes);
    }

    /// Adds an attribute that there is already.
    pub(crate) fn attribute(&mut self, name: &str, value: &AttributeValue) -> WriteResult {
        self.name(name);
        attribute_writer::attribute(self.0, value)
    }

    /// Adds the fields of a struct, or the entries of a map, of this place. Those of these names go apart, or are refused.
    pub(crate) fn fields<T: Serialize + ?Sized>(
        &mut self,
        value: &T,
        of: Whole,
        names: &NameSet,
        nulls: Nulls<'_>,
        deferred: Option<Deferred<'_>>,
    ) -> WriteResult {
        value.serialize(JsonItemWriter {
            item: self,
            of,
            names,
            nulls,
            deferred,
        })
    }

    /// Ends the item; where that is.
    #[inline]
    pub(crate) fn finish(self) -> usize {
        self.0.push('}');
        self.0.len()
    }

    /// Whether there is no attribute yet: behind one there is no opening brace.
    #[inline]
    fn is_empty(&self) -> bool {
        self.0.as_bytes().last() == Some(&b'{')
    }

    #[expect(
        clippy::inline_always,
        reason = "once for each type of a field, and most of what a field costs"
    )]
    #[inline(always)]
    fn name(&mut self, name: &str) {
        if self.is_empty() {
            self.0.push('"');
        } else {
            self.0.push_str(",\"");
        }
        strings::between(self.0, "", name, "\":");
    }
}

impl Deferred<'_> {
    fn put<T: Serialize + ?Sized>(
        &mut self,
        name: &str,
        id: PlaceId,
        of: Whole,
        value: &T,
    ) -> WriteResult {
        if self.rules.omit.contains(&name) {
            return Ok(());
        }
        let written = value.serialize(self.rules.nulls.writer(name));
        if let Ok(None) = written {
            of.lacks(id);
        }
        insert(self.item, self.rules, name, written).map_err(|_| Unsupported)
    }
}

/// Writes the fields of the value it is given into an item.
struct JsonItemWriter<'i, 'o, 'a> {
    item: &'i mut ItemJson<'o>,
    of: Whole,
    names: &'i NameSet,
    nulls: Nulls<'i>,
    deferred: Option<Deferred<'a>>,
}

impl JsonItemWriter<'_, '_, '_> {
    fn refused(_: &str) -> Unsupported {
        Unsupported
    }
}

impl<'i, 'o, 'a> Serializer for JsonItemWriter<'i, 'o, 'a> {
    type Ok = ();
    type Error = Unsupported;
    type SerializeSeq = Impossible<(), Unsupported>;
    type SerializeTuple = Impossible<(), Unsupported>;
    type SerializeTupleStruct = Impossible<(), Unsupported>;
    type SerializeTupleVariant = Impossible<(), Unsupported>;
    type SerializeMap = JsonEntriesWriter<'i, 'o, 'a>;
    type SerializeStruct = Self;
    type SerializeStructVariant = Impossible<(), Unsupported>;

    refuse! {
        bool integer float char str bytes none unit unit_variant newtype_variant list compound_variant
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> WriteResult {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> WriteResult {
        match SetKind::marked_by(name) {
            Some(_) => Err(Unsupported),
            None => value.serialize(self),
        }
    }

    fn serialize_map(
        self,
        length: Option<usize>,
    ) -> Result<JsonEntriesWriter<'i, 'o, 'a>, Unsupported> {
        // Any name can be among its entries, that of a key too.
        let deferred = self.deferred.ok_or(Unsupported)?;
        Ok(JsonEntriesWriter {
            item: self.item,
            of: self.of,
            names: self.names,
            deferred,
            name: String::new(),
            fields: FieldOrder::of_map(length),
            written: Vec::new(),
        })
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Self, Unsupported> {
        Ok(self)
    }
}

impl ser::SerializeStruct for JsonItemWriter<'_, '_, '_> {
    type Ok = ();
    type Error = Unsupported;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> WriteResult {
        if self.names.has(name) {
            let deferred = self.deferred.as_mut().ok_or(Unsupported)?;
            return deferred.put(name, self.of.id.then(name), self.of, value);
        }
        let start = self.item.end();
        self.item.name(name);
        let id = self.of.id.then(name);
        let at = ValuePosition::attribute(self.nulls.stores(name), id);
        if !nested_writers::field(self.item.0, at, value)? {
            self.item.0.truncate(start);
            self.of.lacks(id);
        }
        Ok(())
    }

    fn skip_field(&mut self, name: &'static str) -> WriteResult {
        readback::note_absent(self.of.id.then(name));
        Ok(())
    }

    fn end(self) -> WriteResult {
        Ok(())
    }
}

/// Writes the entries of a map, and the structs that serde writes as maps because a field is flattened. A name that is
/// written twice is refused; where it is, attributes tell.
struct JsonEntriesWriter<'i, 'o, 'a> {
    item: &'i mut ItemJson<'o>,
    of: Whole,
    names: &'i NameSet,
    deferred: Deferred<'a>,
    name: String,
    fields: FieldOrder,
    written: Vec<Range<usize>>,
}

impl ser::SerializeMap for JsonEntriesWriter<'_, '_, '_> {
    type Ok = ();
    type Error = Unsupported;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, key: &K) -> WriteResult {
        self.name = key.serialize(MapKeyWriter).map_err(|_| Unsupported)?;
        self.fields.key::<K>();
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> WriteResult {
        if self.names.has(&self.name) {
            let id = self.of.id.entry(&self.name);
            return self.deferred.put(&self.name, id, self.of, value);
        }
        let (start, at) = (self.item.end(), self.item.next());
        self.item.name(&self.name);
        let at = at..self.item.end();
        // An entry of a flattened map is stored in any case.
        let nulls = self.deferred.rules.nulls;
        let position =
            ValuePosition::attribute(nulls.stores(&self.name), self.of.id.entry(&self.name));
        let is_stored = if self.fields.is_field() {
            nested_writers::field(self.item.0, position, value)?
        } else {
            nested_writers::element(self.item.0, position, value)?;
            true
        };
        if is_stored {
            self.written.push(at);
        } else {
            readback::note();
            self.item.0.truncate(start);
        }
        Ok(())
    }

    fn end(mut self) -> WriteResult {
        nested_writers::refuse_repeated(self.item.0, &mut self.written)
    }
}
