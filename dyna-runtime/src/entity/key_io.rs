//! The keys of an entity: written from its fields, and read back into them.

use crate::codec::{EncodeError, Item};
use crate::entity::IndexMeta;
use crate::entity::Key;
use crate::entity::RestoredFields;
use crate::entity::meta::EntityMeta;
use crate::entity::meta::FieldMeta;
use crate::entity::owner;
use crate::entity::traits::Entity;
use crate::error::{Error, Misfit, Result};
use crate::key::KeyId;
use crate::key::{
    IndexParts, KeyError, KeyTemplates, KeyValue, ParsedPart, Parts, partition, sort,
};
use crate::schema::{IndexSchema, KeyAttribute, TagAttribute};
use aws_sdk_dynamodb::types::AttributeValue;

/// The attributes of keys, those of the primary key first.
pub(crate) type Keys = Vec<(&'static str, KeyValue)>;

/// Collects the key attributes of an item.
#[derive(Debug)]
pub struct KeyWriter {
    meta: &'static EntityMeta,
    keys: Keys,
    /// The tag that the item gets.
    tag: Option<&'static TagAttribute>,
    error: Option<Box<KeyError>>,
}

impl KeyWriter {
    pub(crate) fn new(meta: &'static EntityMeta) -> Self {
        Self {
            meta,
            keys: Vec::with_capacity(2 + 2 * meta.indexes.len()),
            tag: meta.schema.tag.as_ref(),
            error: None,
        }
    }

    /// The same, but only for keys, in room that there is already.
    pub(crate) fn without_tag(meta: &'static EntityMeta, room: Keys) -> Self {
        Self {
            meta,
            keys: room,
            tag: None,
            error: None,
        }
    }

    /// Writes the primary key of an `E`.
    #[inline]
    pub fn primary<E: Entity>(&mut self, pk: impl Parts, sk: impl Parts) {
        match Key::<E>::build(&pk, &sk) {
            Ok(key) => self.keys.extend(key.into_named(&E::META.schema.key)),
            Err(error) => self.error = self.error.take().or(Some(error)),
        }
    }

    /// Writes the key of index `n` of the entity, unless a value is missing.
    #[inline]
    pub fn index(&mut self, n: usize, pk: impl IndexParts, sk: impl IndexParts) {
        if let (Some(index), Some(pk), Some(sk)) = (self.meta.indexes.get(n), pk.all(), sk.all()) {
            self.write(index.schema, &index.keys, &pk, &sk);
        }
    }

    #[inline]
    fn write(
        &mut self,
        schema: &IndexSchema,
        keys: &'static KeyTemplates,
        pk: &impl Parts,
        sk: &impl Parts,
    ) {
        let mut put = |attribute: &KeyAttribute, value: KeyValue| {
            self.keys.push((attribute.name, value));
        };
        let written = partition(self.meta.name, schema, keys, pk, &mut put)
            .and_then(|()| sort(self.meta.name, schema, keys, sk, &mut put));
        if let Err(error) = written {
            self.error = self.error.take().or(Some(error));
        }
    }

    /// The attributes of the keys. An attribute that several keys share is there for each of them, and says the same.
    pub(crate) fn finish_keys(self) -> Result<Keys, Box<KeyError>> {
        self.error.map_or(Ok(self.keys), Err)
    }

    /// The item with its keys and its tag.
    pub(crate) fn finish(self) -> Result<Item, Box<KeyError>> {
        let meta = self.meta;
        let mut item = Item::with_capacity(meta.fields.len() + 2 * meta.indexes.len() + 3);
        if let Some(tag) = self.tag {
            let value = AttributeValue::S(meta.tag.to_owned());
            item.insert(tag.attribute.name.to_owned(), value);
        }
        for (name, value) in self.finish_keys()? {
            item.insert(name.to_owned(), value.into_attribute());
        }
        Ok(item)
    }
}

/// Puts the fields of a key back into an item.
#[derive(Debug)]
pub struct KeyReader {
    meta: &'static EntityMeta,
    fields: RestoredFields,
    item: Result<Item>,
    /// The index whose key is read.
    index: &'static str,
    /// What the keys of indexes say of the fields that are stored there alone.
    found: Vec<(&'static str, Option<AttributeValue>)>,
}

impl KeyReader {
    pub(crate) fn new(meta: &'static EntityMeta, item: Item, fields: RestoredFields) -> Self {
        Self {
            meta,
            fields,
            item: Ok(item),
            index: "",
            found: Vec::new(),
        }
    }

    /// Goes on with the key of an index.
    pub(crate) fn enter(&mut self, index: &'static IndexMeta) {
        self.index = index.schema.name;
    }

    /// A field that is stored in the keys of indexes alone. All of them say the same.
    pub fn index_field<T>(
        &mut self,
        attribute: &'static str,
        found: ParsedPart<'_>,
        read: fn(ParsedPart<'_>) -> Result<T, KeyError>,
        write: fn(&T) -> Result<AttributeValue, EncodeError>,
    ) {
        let entity = self.meta.name;
        let value = if found.is_empty() {
            Ok(None)
        } else {
            let value = read(found).map_err(|error| Box::new(error).into());
            value.and_then(|value| {
                let value = write(&value).map_err(|source| Error::Encode { entity, source })?;
                Ok(Some(value))
            })
        };
        self.take_index_field(attribute, value);
    }

    fn take_index_field(&mut self, attribute: &'static str, value: Result<Option<AttributeValue>>) {
        let Ok(item) = &mut self.item else {
            return;
        };
        let value = match value {
            Ok(value) => value,
            Err(error) => {
                self.item = Err(error);
                return;
            }
        };
        if let Some((_, before)) = self.found.iter().find(|(name, _)| *name == attribute) {
            if *before != value {
                let key = KeyId::of_item(&self.meta.schema.key, item);
                self.item = Err(owner::misfit(self.meta, key, Misfit::Index(self.index)));
            }
            return;
        }
        match &value {
            Some(value) => item.insert(attribute.to_owned(), value.clone()),
            None => item.remove(attribute),
        };
        self.found.push((attribute, value));
    }

    /// The item, or the first error.
    pub(crate) fn finish(self) -> Result<Item> {
        self.item
    }

    /// The field that would be stored in `attribute`, if it is wanted.
    pub fn field<T>(
        &mut self,
        attribute: &'static str,
        found: ParsedPart<'_>,
        read: fn(ParsedPart<'_>) -> Result<T, KeyError>,
        write: fn(&T) -> Result<AttributeValue, EncodeError>,
    ) {
        let Ok(item) = &mut self.item else {
            return;
        };
        let is_key_only = FieldMeta::is_key_only(self.meta.fields, attribute);
        if !is_key_only && (self.fields == RestoredFields::KeyOnly || item.contains_key(attribute))
        {
            return;
        }
        let entity = self.meta.name;
        let value = read(found).map_err(|error| Box::new(error).into());
        match value
            .and_then(|value| write(&value).map_err(|source| Error::Encode { entity, source }))
        {
            Ok(value) => {
                item.insert(attribute.to_owned(), value);
            }
            Err(error) => self.item = Err(error),
        }
    }
}
