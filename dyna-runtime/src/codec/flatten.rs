//! The names that `#[serde(flatten)]` writes beside the fields of an entity. They come from data, so none may be one that is declared.

use std::cell::Cell;
use std::collections::HashSet;

use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde::ser::{Impossible, SerializeMap, SerializeStruct, SerializeStructVariant, Serializer};
use serde::{Serialize, forward_to_deserialize_any};

use super::error::{DecodeError, EncodeError};
use super::map_keys::MapKeyWriter;
use super::readback;
use super::refuse::refuse;

/// The flattened fields of one entity.
#[derive(Default)]
pub struct Flattened {
    fields: Vec<FlatField>,
    /// Names that the entity reads or writes and that are none of its listed fields, such as aliases.
    declared: &'static [&'static str],
    error: Option<EncodeError>,
}

struct FlatField {
    writes: Vec<String>,
    /// The fields that the struct declares, written or not.
    declares: &'static [&'static str],
}

impl Flattened {
    /// Adds a flattened field: the names that it writes, and those that its type declares.
    pub fn field(
        &mut self,
        declares: &'static [&'static str],
        write: impl FnOnce(NameWriter) -> Result<Vec<String>, EncodeError>,
    ) {
        match write(NameWriter) {
            Ok(writes) => self.fields.push(FlatField { writes, declares }),
            Err(error) => self.error = self.error.take().or(Some(error)),
        }
    }

    /// Names that the entity reads or writes and that are none of its listed fields.
    pub fn declared(&mut self, names: &'static [&'static str]) {
        self.declared = names;
    }

    /// Whether `skip_serializing_if` leaves out a field, which serde does not tell where something is flattened.
    pub fn skipped(&mut self, is_skipped: bool) {
        if is_skipped {
            readback::note();
        }
    }

    /// Fails if a flattened field writes a name that is written or declared elsewhere too. `problem` says what is wrong with one.
    pub(crate) fn check(
        self,
        problem: impl Fn(&str) -> Option<&'static str>,
    ) -> Result<(), EncodeError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        // What declares nothing, such as a map or an untagged enum, is shown all that stands after it, and leaves it there, as serde does
        // it: what follows reads the same again.
        let open = self.fields.iter().position(|it| it.declares.is_empty());
        if open.is_some_and(|at| at + 1 < self.fields.len()) {
            readback::note();
        }
        let mut seen = HashSet::new();
        for (at, field) in self.fields.iter().enumerate() {
            for name in field.writes.iter().map(String::as_str) {
                let is_declared = self.declared.contains(&name) || self.is_of_another(at, name);
                let declared = || is_declared.then_some(DECLARED);
                let repeated = || (!seen.insert(name)).then_some(REPEATED);
                if let Some(problem) = problem(name).or_else(declared).or_else(repeated) {
                    return Err(EncodeError::new(problem).in_field(name.to_owned()));
                }
            }
        }
        Ok(())
    }

    /// Whether another flattened field than this one declares the name.
    fn is_of_another(&self, at: usize, name: &str) -> bool {
        let mut fields = self.fields.iter().enumerate();
        fields.any(|(other, field)| other != at && field.declares.contains(&name))
    }
}

impl std::fmt::Debug for Flattened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Flattened")
    }
}

/// The problem of a name that the entity declares.
pub(crate) const DECLARED: &str =
    "is an attribute that the entity declares, so a flattened field cannot write it";
pub(super) const REPEATED: &str = "is written twice";

/// The fields of a struct, or the variants of an enum, that is flattened; nothing for a map.
pub fn declared_by<T: DeserializeOwned>() -> &'static [&'static str] {
    let names = Cell::new(&[][..]);
    // It always fails: the names are all that it is for.
    drop(T::deserialize(Declared(&names)));
    names.get()
}

/// Takes down what a type asks for, and reads nothing.
struct Declared<'n>(&'n Cell<&'static [&'static str]>);

impl<'de> Deserializer<'de> for Declared<'_> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, DecodeError> {
        Err(DecodeError::new("there is no value"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.0.set(fields);
        self.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.0.set(variants);
        self.deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map
        identifier ignored_any
    }
}

/// Collects the names that a flattened value writes, and looks at nothing else.
#[derive(Debug)]
pub struct NameWriter;

impl NameWriter {
    /// The names that a value writes.
    pub fn of<T: Serialize + ?Sized>(self, value: &T) -> Result<Vec<String>, EncodeError> {
        value.serialize(self)
    }

    /// What serde cannot flatten, it says itself.
    fn refused(_: &str) -> EncodeError {
        EncodeError::new("only structs and maps can be flattened")
    }
}

type NamesResult = Result<Vec<String>, EncodeError>;

impl Serializer for NameWriter {
    type Ok = Vec<String>;
    type Error = EncodeError;
    type SerializeSeq = Impossible<Vec<String>, EncodeError>;
    type SerializeTuple = Impossible<Vec<String>, EncodeError>;
    type SerializeTupleStruct = Impossible<Vec<String>, EncodeError>;
    type SerializeTupleVariant = Impossible<Vec<String>, EncodeError>;
    type SerializeMap = NameList;
    type SerializeStruct = NameList;
    type SerializeStructVariant = NameList;

    refuse! { bool integer float char str bytes list }

    /// Of the fields of the struct nothing is written, and they may be read all the same.
    fn serialize_none(self) -> NamesResult {
        readback::note();
        Ok(Vec::new())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> NamesResult {
        value.serialize(self)
    }

    fn serialize_unit(self) -> NamesResult {
        Ok(Vec::new())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> NamesResult {
        Ok(Vec::new())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> NamesResult {
        value.serialize(self)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> NamesResult {
        Ok(vec![variant.to_owned()])
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _value: &T,
    ) -> NamesResult {
        Ok(vec![variant.to_owned()])
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleVariant, EncodeError> {
        Err(Self::refused("list"))
    }

    /// A map, or a struct with a flattened field of its own, whose length is not known: a map beside it may read its fields too.
    fn serialize_map(self, length: Option<usize>) -> Result<NameList, EncodeError> {
        if length.is_none() {
            readback::note();
        }
        let names = Vec::with_capacity(length.unwrap_or(0));
        Ok(NameList {
            names,
            is_variant: false,
        })
    }

    fn serialize_struct(self, _name: &'static str, length: usize) -> Result<NameList, EncodeError> {
        self.serialize_map(Some(length))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<NameList, EncodeError> {
        Ok(NameList {
            names: vec![variant.to_owned()],
            is_variant: true,
        })
    }
}

/// The names so far.
#[derive(Debug)]
pub struct NameList {
    names: Vec<String>,
    /// Whether it is an enum's variant, whose fields are inside of it.
    is_variant: bool,
}

impl SerializeMap for NameList {
    type Ok = Vec<String>;
    type Error = EncodeError;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<(), EncodeError> {
        self.names.push(key.serialize(MapKeyWriter)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, _value: &T) -> Result<(), EncodeError> {
        Ok(())
    }

    fn end(self) -> NamesResult {
        Ok(self.names)
    }
}

macro_rules! fields_of {
    ($($trait:ident)*) => {$(
        impl $trait for NameList {
            type Ok = Vec<String>;
            type Error = EncodeError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                _value: &T,
            ) -> Result<(), EncodeError> {
                if !self.is_variant {
                    self.names.push(name.to_owned());
                }
                Ok(())
            }

            fn end(self) -> NamesResult {
                Ok(self.names)
            }
        }
    )*};
}

fields_of! { SerializeStruct SerializeStructVariant }
