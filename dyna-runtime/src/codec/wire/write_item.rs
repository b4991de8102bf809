//! The top level of a value to the JSON of an item.

use std::ops::Range;

use serde::Serialize;
use serde::ser::{self, Impossible, Serializer};

use super::strings;
use super::write::{self, JsonWriter, NULL, Refused, Written};
use crate::codec::Rules;
use crate::codec::refuse::refuse;
use crate::codec::sets::SetKind;

/// The JSON of an item, to be put into a request.
pub(crate) struct ItemJson {
    text: String,
    /// Where the values of the attributes are that were there before the fields.
    keys: Vec<(&'static str, Range<usize>)>,
}

/// What an attribute of a key says.
#[derive(Clone, Copy)]
pub(crate) enum KeyText<'k> {
    S(&'k str),
    N(&'k str),
    B(&'k [u8]),
}

impl ItemJson {
    /// An item without attributes yet.
    pub(crate) fn new() -> Self {
        let mut text = String::with_capacity(1024);
        text.push('{');
        Self {
            text,
            keys: Vec::with_capacity(8),
        }
    }

    /// Adds an attribute of a key. One that is there already stays as it is: all say the same.
    pub(crate) fn key(&mut self, name: &'static str, value: KeyText<'_>) {
        if self.keys.iter().any(|(key, _)| *key == name) {
            return;
        }
        self.name(name);
        let start = self.text.len();
        match value {
            KeyText::S(text) => self.tagged(r#"{"S":"#, text),
            KeyText::N(digits) => self.tagged(r#"{"N":"#, digits),
            KeyText::B(bytes) => write::binary(&mut self.text, bytes),
        }
        self.keys.push((name, start..self.text.len()));
    }

    fn tagged(&mut self, kind: &str, text: &str) {
        self.text.push_str(kind);
        strings::write(&mut self.text, text);
        self.text.push('}');
    }

    /// Adds the fields of a struct.
    pub(crate) fn fields<T: Serialize + ?Sized>(
        &mut self,
        value: &T,
        rules: Rules<'_>,
    ) -> Result<(), Refused> {
        value.serialize(ItemWriter { item: self, rules })?;
        self.text.push('}');
        Ok(())
    }

    /// The item, complete.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    fn name(&mut self, name: &str) {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        strings::write(&mut self.text, name);
        self.text.push(':');
    }

    fn field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
        rules: Rules<'_>,
    ) -> Written {
        if rules.omit.contains(&name) {
            return Ok(());
        }
        let before = self.text.len();
        self.name(name);
        let start = self.text.len();
        value.serialize(JsonWriter(&mut self.text))?;
        let written = self.text.get(start..).unwrap_or_default();
        let key = self.keys.iter().find(|(key, _)| *key == name);
        if let Some((_, key)) = key {
            // A field that is stored as a key is read back from that key.
            if self.text.get(key.clone()) != Some(written) {
                return Err(Refused);
            }
            self.text.truncate(before);
        } else if written == NULL && rules.omit_null.contains(&name) {
            self.text.truncate(before);
        }
        Ok(())
    }
}

/// Writes the fields of the value it is given into an item.
struct ItemWriter<'i, 'r> {
    item: &'i mut ItemJson,
    rules: Rules<'r>,
}

impl ItemWriter<'_, '_> {
    fn refused(_: &str) -> Refused {
        Refused
    }
}

impl Serializer for ItemWriter<'_, '_> {
    type Ok = ();
    type Error = Refused;
    type SerializeSeq = Impossible<(), Refused>;
    type SerializeTuple = Impossible<(), Refused>;
    type SerializeTupleStruct = Impossible<(), Refused>;
    type SerializeTupleVariant = Impossible<(), Refused>;
    type SerializeMap = Impossible<(), Refused>;
    type SerializeStruct = Self;
    type SerializeStructVariant = Impossible<(), Refused>;

    // Maps, and structs with a flattened field, are written as attributes first: their entries may repeat.
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

    fn serialize_map(self, _length: Option<usize>) -> Result<Self::SerializeMap, Refused> {
        Err(Refused)
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Self, Refused> {
        Ok(self)
    }
}

impl ser::SerializeStruct for ItemWriter<'_, '_> {
    type Ok = ();
    type Error = Refused;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Written {
        self.item.field(name, value, self.rules)
    }

    fn end(self) -> Written {
        Ok(())
    }
}
