//! The top level of a value to the attributes of an item.

use std::collections::hash_map::Entry;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde::ser::{self, Impossible, Serializer};

use super::error::EncodeError;
use super::flatten::REPEATED;
use super::map_keys::MapKeyWriter;
use super::number::is_same_number;
use super::readback;
use super::refuse::refuse;
use super::ser::{FieldOrder, ValueWriter};
use super::sets::SetKind;
use super::{Item, Rules};

/// Writes the fields of the value it is given into an item, around the attributes that are already there.
pub(super) struct ItemWriter<'a> {
    item: &'a mut Item,
    rules: Rules<'a>,
}

impl<'a> ItemWriter<'a> {
    pub(super) fn new(item: &'a mut Item, rules: Rules<'a>) -> Self {
        Self { item, rules }
    }

    #[cold]
    fn refused(kind: &str) -> EncodeError {
        EncodeError::new(format!("expected a struct or a map, found {kind}"))
    }

    fn write<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), EncodeError> {
        if self.rules.omit.contains(&name) {
            return Ok(());
        }
        let written = value.serialize(self.rules.nulls.writer(name));
        insert(self.item, self.rules, name, written).map_err(|error| error.in_field(name))
    }

    /// Adds the content of an enum's variant, as the attribute of that name.
    fn adopt(self, variant: &'static str, content: AttributeValue) {
        if !self.rules.omit.contains(&variant) {
            self.item.entry(variant.to_owned()).or_insert(content);
        }
    }
}

/// Adds what was written of a field, unless it is a key that is there already, or absent and not stored.
pub(super) fn insert(
    item: &mut Item,
    rules: Rules<'_>,
    name: &str,
    written: Result<Option<AttributeValue>, EncodeError>,
) -> Result<(), EncodeError> {
    let attribute = match written {
        Ok(Some(attribute)) if !attribute.is_null() => attribute,
        Ok(attribute) => return insert_null(item, rules, name, attribute),
        Err(error) => return Err(error),
    };
    match item.entry(name.to_owned()) {
        Entry::Occupied(key) => same_as_key(key.get(), Some(&attribute)),
        Entry::Vacant(place) => {
            place.insert(attribute);
            Ok(())
        }
    }
}

/// The same of NULL, and of a field that is absent.
fn insert_null(
    item: &mut Item,
    rules: Rules<'_>,
    name: &str,
    attribute: Option<AttributeValue>,
) -> Result<(), EncodeError> {
    match item.entry(name.to_owned()) {
        Entry::Occupied(key) => same_as_key(key.get(), attribute.as_ref()),
        Entry::Vacant(place) => {
            if let Some(null) = rules.stored(name, attribute) {
                place.insert(null);
            }
            Ok(())
        }
    }
}

/// A field that is stored as a key is read back from that key: what the key says must be what serde wrote.
fn same_as_key(key: &AttributeValue, field: Option<&AttributeValue>) -> Result<(), EncodeError> {
    let is_same = match (key, field) {
        (AttributeValue::N(key), Some(AttributeValue::N(field))) => is_same_number(key, field),
        (key, field) => Some(key) == field,
    };
    if is_same {
        return Ok(());
    }
    Err(EncodeError::new(
        "is stored as a key, whose text is not the one that serde writes for the field",
    ))
}

impl Rules<'_> {
    /// The attribute that is stored for a field.
    #[inline]
    fn stored(&self, name: &str, attribute: Option<AttributeValue>) -> Option<AttributeValue> {
        match attribute {
            Some(attribute) if !attribute.is_null() => Some(attribute),
            Some(_) => self.null(name),
            None if self.nulls.stores(name) => self.null(name),
            None => None,
        }
    }

    /// NULL, unless the attribute must not have it.
    fn null(&self, name: &str) -> Option<AttributeValue> {
        let is_dropped = self.omit_null.contains(&name);
        (!is_dropped).then_some(AttributeValue::Null(true))
    }
}

impl<'a> Serializer for ItemWriter<'a> {
    type Ok = ();
    type Error = EncodeError;
    type SerializeSeq = Impossible<(), EncodeError>;
    type SerializeTuple = Impossible<(), EncodeError>;
    type SerializeTupleStruct = Impossible<(), EncodeError>;
    type SerializeTupleVariant = ItemVariantWriter<'a, <ValueWriter as Serializer>::SerializeTuple>;
    type SerializeMap = EntriesWriter<'a>;
    type SerializeStruct = Self;
    type SerializeStructVariant =
        ItemVariantWriter<'a, <ValueWriter as Serializer>::SerializeStruct>;

    refuse! { bool integer float char str bytes none unit unit_variant list }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), EncodeError> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), EncodeError> {
        match SetKind::marked_by(name) {
            Some(_) => Err(Self::refused("set")),
            None => value.serialize(self),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), EncodeError> {
        match self.rules.nulls.writer(variant).element(value) {
            Ok(content) => self.adopt(variant, content),
            Err(error) => return Err(error.in_field(variant)),
        }
        Ok(())
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Self::SerializeTupleVariant, EncodeError> {
        let content = self.rules.nulls.writer(variant).serialize_tuple(length)?;
        Ok(ItemVariantWriter {
            item: self,
            variant,
            content,
        })
    }

    fn serialize_map(self, length: Option<usize>) -> Result<EntriesWriter<'a>, EncodeError> {
        let room = length.unwrap_or(0) + self.item.len();
        Ok(EntriesWriter {
            item: self.item,
            rules: self.rules,
            entries: Item::with_capacity(room),
            left_out: Vec::new(),
            name: None,
            fields: FieldOrder::of_map(length),
        })
    }

    fn serialize_struct(self, _name: &'static str, length: usize) -> Result<Self, EncodeError> {
        self.item.reserve(length);
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Self::SerializeStructVariant, EncodeError> {
        let writer = self.rules.nulls.writer(variant);
        let content = writer.serialize_struct(name, length)?;
        Ok(ItemVariantWriter {
            item: self,
            variant,
            content,
        })
    }
}

impl ser::SerializeStruct for ItemWriter<'_> {
    type Ok = ();
    type Error = EncodeError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), EncodeError> {
        self.write(name, value)
    }

    fn skip_field(&mut self, _name: &'static str) -> Result<(), EncodeError> {
        readback::note_absent_somewhere();
        Ok(())
    }

    fn end(self) -> Result<(), EncodeError> {
        Ok(())
    }
}

/// Writes the entries of a map, and the structs that serde writes as maps because a field is flattened.
///
/// A name that is written twice (a flattened map can hold the name of a field) is an error, so entries are collected apart from the
/// attributes that are there already.
pub(super) struct EntriesWriter<'a> {
    item: &'a mut Item,
    rules: Rules<'a>,
    entries: Item,
    /// The names of entries that are absent and not written.
    left_out: Vec<String>,
    name: Option<String>,
    fields: FieldOrder,
}

impl EntriesWriter<'_> {
    /// Adds an entry, unless it is a key that is there already.
    fn put(&mut self, name: String, attribute: Option<AttributeValue>) -> Result<(), EncodeError> {
        if self.entries.contains_key(&name) || self.left_out.contains(&name) {
            return Err(EncodeError::new(REPEATED).in_field(name));
        }
        if let Some(key) = self.item.get(&name) {
            let same = same_as_key(key, attribute.as_ref());
            return same.map_err(|error| error.in_field(name));
        }
        match self.rules.stored(&name, attribute) {
            Some(attribute) => drop(self.entries.insert(name, attribute)),
            None => {
                readback::note();
                self.left_out.push(name);
            }
        }
        Ok(())
    }
}

impl ser::SerializeMap for EntriesWriter<'_> {
    type Ok = ();
    type Error = EncodeError;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<(), EncodeError> {
        self.name = Some(key.serialize(MapKeyWriter)?);
        self.fields.key::<K>();
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        let Some(name) = self.name.take() else {
            return Err(EncodeError::new("a map's value was written before its key"));
        };
        if self.rules.omit.contains(&name.as_str()) {
            return Ok(());
        }
        // An attribute's name is the table's schema, unlike the keys of a map inside an attribute.
        let writer = self.rules.nulls.writer(&name);
        let written = if self.fields.is_field() {
            value.serialize(writer)
        } else {
            writer.element(value).map(Some)
        };
        let attribute = match written {
            Ok(attribute) => attribute,
            Err(error) => return Err(error.in_field(name)),
        };
        self.put(name, attribute)
    }

    fn end(mut self) -> Result<(), EncodeError> {
        self.entries.extend(self.item.drain());
        *self.item = self.entries;
        Ok(())
    }
}

/// Writes an enum's variant as the item's only attribute.
pub(super) struct ItemVariantWriter<'a, C> {
    item: ItemWriter<'a>,
    variant: &'static str,
    content: C,
}

macro_rules! variant_of {
    ($($trait:ident as $content:ident::$method:ident($($name:ident: $type:ty)?))*) => {$(
        impl<C> ser::$trait for ItemVariantWriter<'_, C>
        where
            C: ser::$content<Ok = Option<AttributeValue>, Error = EncodeError>,
        {
            type Ok = ();
            type Error = EncodeError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                $($name: $type,)?
                value: &T,
            ) -> Result<(), EncodeError> {
                let written = self.content.$method($($name,)? value);
                written.map_err(|error| error.in_field(self.variant))
            }

            fn end(self) -> Result<(), EncodeError> {
                if let Some(content) = self.content.end()? {
                    self.item.adopt(self.variant, content);
                }
                Ok(())
            }
        }
    )*};
}

variant_of! {
    SerializeTupleVariant as SerializeTuple::serialize_element()
    SerializeStructVariant as SerializeStruct::serialize_field(name: &'static str)
}
