//! The top level of a value to the JSON of an item.

use std::ops::Range;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde::ser::{self, Impossible, Serializer};

use super::strings;
use super::write;
use super::write::{Place, Refused, Written};
use crate::codec::item::insert;
use crate::codec::keys::KeyWriter;
use crate::codec::readback;
use crate::codec::refuse::refuse;
use crate::codec::ser::Fields;
use crate::codec::sets::SetKind;
use crate::codec::{Item, Nulls, Rules};

/// An item that is written at the end of a text, to be put into a request.
pub(crate) struct ItemJson<'o>(&'o mut String);

/// The names of the attributes that are not written as they come: keys, and what someone looks at first.
#[derive(Default)]
pub(crate) struct Names {
    names: Vec<&'static str>,
    /// A bit for each of their lengths: most names of fields have another.
    lengths: u64,
}

impl Names {
    #[inline]
    fn has(&self, name: &str) -> bool {
        self.lengths >> (name.len() % 64) & 1 == 1 && self.names.contains(&name)
    }
}

impl FromIterator<&'static str> for Names {
    fn from_iter<I: IntoIterator<Item = &'static str>>(names: I) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        let lengths = names.iter().map(|name| 1 << (name.len() % 64));
        Self {
            lengths: lengths.fold(0, |all, one: u64| all | one),
            names,
        }
    }
}

/// Where those attributes go, and not into the text.
pub(crate) struct Apart<'a> {
    /// What there is of them, keys included.
    pub(crate) item: &'a mut Item,
    /// Which of them are not written.
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
        write::binary(self.0, bytes);
    }

    /// Adds an attribute that there is already.
    pub(crate) fn attribute(&mut self, name: &str, value: &AttributeValue) -> Written {
        self.name(name);
        write::attribute(self.0, value)
    }

    /// Adds the fields of a struct, or the entries of a map. Those of these names go apart, or are refused.
    pub(crate) fn fields<T: Serialize + ?Sized>(
        &mut self,
        value: &T,
        names: &Names,
        nulls: Nulls<'_>,
        apart: Option<Apart<'_>>,
    ) -> Written {
        value.serialize(ItemWriter {
            item: self,
            names,
            nulls,
            apart,
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

impl Apart<'_> {
    fn put<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Written {
        if self.rules.omit.contains(&name) {
            return Ok(());
        }
        let value = value.serialize(self.rules.nulls.writer(name));
        let value = value.map_err(|_| Refused)?;
        insert(self.item, self.rules, name, value).map_err(|_| Refused)
    }
}

/// Writes the fields of the value it is given into an item.
struct ItemWriter<'i, 'o, 'a> {
    item: &'i mut ItemJson<'o>,
    names: &'i Names,
    nulls: Nulls<'i>,
    apart: Option<Apart<'a>>,
}

impl ItemWriter<'_, '_, '_> {
    fn refused(_: &str) -> Refused {
        Refused
    }
}

impl<'i, 'o, 'a> Serializer for ItemWriter<'i, 'o, 'a> {
    type Ok = ();
    type Error = Refused;
    type SerializeSeq = Impossible<(), Refused>;
    type SerializeTuple = Impossible<(), Refused>;
    type SerializeTupleStruct = Impossible<(), Refused>;
    type SerializeTupleVariant = Impossible<(), Refused>;
    type SerializeMap = EntriesWriter<'i, 'o, 'a>;
    type SerializeStruct = Self;
    type SerializeStructVariant = Impossible<(), Refused>;

    refuse! {
        bool integer float char str bytes none unit unit_variant newtype_variant list compound_variant
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Written {
        match SetKind::marked_by(name) {
            Some(_) => Err(Refused),
            None => value.serialize(self),
        }
    }

    fn serialize_map(self, length: Option<usize>) -> Result<EntriesWriter<'i, 'o, 'a>, Refused> {
        // Any name can be among its entries, that of a key too.
        let apart = self.apart.ok_or(Refused)?;
        Ok(EntriesWriter {
            item: self.item,
            names: self.names,
            apart,
            name: String::new(),
            fields: Fields::of_map(length),
            written: Vec::new(),
        })
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Self, Refused> {
        Ok(self)
    }
}

impl ser::SerializeStruct for ItemWriter<'_, '_, '_> {
    type Ok = ();
    type Error = Refused;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Written {
        if self.names.has(name) {
            let apart = self.apart.as_mut().ok_or(Refused)?;
            return apart.put(name, value);
        }
        let start = self.item.end();
        self.item.name(name);
        if !write::field(
            self.item.0,
            Place::attribute(self.nulls.stores(name)),
            value,
        )? {
            self.item.0.truncate(start);
        }
        Ok(())
    }

    fn end(self) -> Written {
        Ok(())
    }
}

/// Writes the entries of a map, and the structs that serde writes as maps because a field is flattened. A name that is
/// written twice is refused; where it is, attributes tell.
struct EntriesWriter<'i, 'o, 'a> {
    item: &'i mut ItemJson<'o>,
    names: &'i Names,
    apart: Apart<'a>,
    name: String,
    fields: Fields,
    written: Vec<Range<usize>>,
}

impl ser::SerializeMap for EntriesWriter<'_, '_, '_> {
    type Ok = ();
    type Error = Refused;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, key: &K) -> Written {
        self.name = key.serialize(KeyWriter).map_err(|_| Refused)?;
        self.fields.key::<K>();
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        if self.names.has(&self.name) {
            return self.apart.put(&self.name, value);
        }
        let (start, at) = (self.item.end(), self.item.next());
        self.item.name(&self.name);
        let at = at..self.item.end();
        // An entry of a flattened map is stored in any case.
        let nulls = self.apart.rules.nulls;
        let place = Place::attribute(nulls.stores(&self.name));
        let is_stored = if self.fields.is_field() {
            write::field(self.item.0, place, value)?
        } else {
            write::element(self.item.0, place, value)?;
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

    fn end(mut self) -> Written {
        write::refuse_repeated(self.item.0, &mut self.written)
    }
}
