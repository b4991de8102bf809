//! Whole items: from what is stored to the entity.

use crate::codec::DecodeError;
use crate::codec::Item;
use crate::codec::json::{ItemSource, Overlay, Visible};
use crate::entity::WhenAbsent;
use crate::entity::{
    AnyEntity, Deserialized, Entity, EntityMeta, KeyFunctions, KeyReader, KeyWriter, Keys, encode,
    owner,
};
use crate::error::{Error, Misfit, Result};
use crate::key::{KeyId, KeyValue, ParsedKey, StoredKey};
use crate::schema::{IndexSchema, KeyAttribute};
use aws_sdk_dynamodb::types::AttributeValue;

/// The entity of an item.
pub(crate) fn decode<E: Entity>(item: Item) -> Result<E> {
    read(ItemSource::map(item))
}

/// The item of the entity of an item: with the defaults of what it lacks.
pub(crate) fn reread<E: Entity>(item: Item) -> Result<Item> {
    encode(&decode::<E>(item)?)
}

/// The entity of an item that was found.
pub(crate) fn read<E: Entity>(item: ItemSource<'_, '_>) -> Result<E> {
    if item.checks_keys() {
        return check::<E>(item.check_keys(false));
    }
    let id = id_of(E::META, &item);
    if const { E::META.is_patched() } {
        let overlay = overlay(KeyFunctions::of::<E>(), &item)?;
        return match item.read_with(overlay) {
            Ok(Deserialized(entity)) => Ok(entity),
            Err(source) => Err(undecoded(E::META, id, source)),
        };
    }
    match item.read() {
        Ok(Deserialized(entity)) => Ok(entity),
        Err(source) => Err(undecoded(E::META, id, source)),
    }
}

/// The key of an item, for its error. What fails in another form is read again as a map.
#[inline]
fn id_of(meta: &EntityMeta, item: &ItemSource<'_, '_>) -> Option<KeyId> {
    KeyId::of_item(&meta.schema.key, item.as_map()?)
}

#[cold]
fn undecoded(meta: &EntityMeta, id: Option<KeyId>, source: DecodeError) -> Error {
    Error::Decode {
        entity: meta.name,
        key: id.map(|id| Box::new(StoredKey::of(meta.key, id))),
        source,
    }
}

/// The same, if the keys of the item are what its fields make.
fn check<E: Entity>(item: ItemSource<'_, '_>) -> Result<E> {
    let stored = Stored::of(E::META, &item);
    let entity: E = read(item)?;
    stored.check(&entity)?;
    Ok(entity)
}

/// The keys of an item, as they are stored.
struct Stored {
    meta: &'static EntityMeta,
    id: Option<KeyId>,
    keys: Keys,
}

impl Stored {
    fn of(meta: &'static EntityMeta, item: &ItemSource<'_, '_>) -> Self {
        let id = KeyId::from_values(&meta.schema.key, |attribute| {
            KeyValue::of_attribute(&item.scalar(attribute.name)?.into())
        });
        let keys = stored_keys(meta, item);
        Self { meta, id, keys }
    }

    /// Fails if they are not what the fields of the entity make.
    fn check(self, entity: &dyn AnyEntity) -> Result<()> {
        let mut writer = KeyWriter::without_tag(self.meta, Vec::new());
        entity.write_keys(&mut writer);
        let misfit = match writer.finish_keys() {
            Ok(made) => differing_key(self.meta, &self.keys, &made),
            // Its fields make no key at all.
            Err(_) => Some(Misfit::Table),
        };
        match misfit {
            Some(misfit) => Err(owner::misfit(self.meta, self.id, misfit)),
            None => Ok(()),
        }
    }
}

/// The attributes of an entity's keys, as they are stored.
fn stored_keys(meta: &'static EntityMeta, item: &ItemSource<'_, '_>) -> Keys {
    let names = meta.key_attributes();
    let value = |name| KeyValue::of_attribute(&item.scalar(name)?.into());
    names
        .filter_map(|name| Some((name, value(name)?)))
        .collect()
}

/// The first key that is stored otherwise than its fields make it.
fn differing_key(meta: &'static EntityMeta, stored: &Keys, made: &Keys) -> Option<Misfit> {
    let find = |keys: &Keys, name: &str| {
        let mut found = keys.iter().filter(|(it, _)| *it == name);
        found.next().map(|(_, value)| value.clone())
    };
    let differs =
        |attribute: &KeyAttribute| match (find(stored, attribute.name), find(made, attribute.name))
        {
            (Some(stored), Some(made)) => stored != made,
            (None, Some(_)) => true,
            (Some(_), None) => !may_be_alone(meta, attribute.name),
            (None, None) => false,
        };
    if meta.schema.key.attributes().any(differs) {
        return Some(Misfit::Table);
    }
    let has = |keys: &Keys, index: &IndexSchema| {
        let mut attributes = index.attributes();
        attributes.all(|attribute| find(keys, attribute.name).is_some())
    };
    // What several indexes share may stay behind, but not so that the item is in one of them.
    let is_left_in = |index: &IndexSchema| {
        has(stored, index)
            && !has(made, index)
            && index.attributes().any(|one| is_of_indexes(meta, one.name))
    };
    let mut indexes = meta.indexes.iter().map(|index| index.schema);
    let index = indexes.find(|index| index.attributes().any(differs) || is_left_in(index));
    index.map(|index| Misfit::Index(index.name))
}

/// Whether an item may have an attribute of an index without being in it: a field, a tag, or what several indexes share, which stays when
/// the item leaves one of them.
fn may_be_alone(meta: &EntityMeta, attribute: &str) -> bool {
    let indexes = meta.indexes.iter();
    let shared = indexes.filter(|index| index.schema.has_key(attribute));
    !is_of_indexes(meta, attribute) || shared.count() > 1
}

/// Whether an attribute is there for indexes alone.
fn is_of_indexes(meta: &EntityMeta, attribute: &str) -> bool {
    !meta.has_attribute(attribute)
        && !meta.schema.is_tag(attribute)
        && !meta.schema.key.has_key(attribute)
}

/// How the attributes of an entity differ from those that are stored.
fn overlay(functions: &KeyFunctions, item: &ItemSource<'_, '_>) -> Result<Overlay> {
    let meta = functions.meta;
    let hidden = meta.key_only().flat_map(|field| field.stored().all());
    let mut hidden: Vec<_> = hidden.map(|name| name.attribute).collect();
    let added = if hidden.is_empty() {
        Item::new()
    } else {
        key_only(functions, item)?
    };
    if meta.reads_unknown {
        // What Dyna added to the item: the entity only sees what it wrote itself.
        let expiry = meta.managed.expiry.and(meta.schema.ttl);
        let added = meta.schema.reserved().chain(expiry.map(|ttl| ttl.name));
        hidden.extend(added.filter(|name| !meta.has_attribute(name)));
        hidden.extend(functions.write_only);
    }
    let asked = meta
        .fields
        .iter()
        .filter(|field| field.when_absent == WhenAbsent::Asked);
    Ok(Overlay {
        added,
        asked: asked.map(|field| field.stored().names()).collect(),
        visible: Visible::AllBut(hidden),
    })
}

/// The fields that are stored in the key alone.
pub(crate) fn key_only(functions: &KeyFunctions, item: &ItemSource<'_, '_>) -> Result<Item> {
    let meta = functions.meta;
    let attributes = || {
        let indexes = meta.indexes.iter();
        let indexes = indexes.filter(|_| functions.index_keys.is_some());
        let indexes = indexes.flat_map(|index| index.schema.attributes());
        meta.schema.key.attributes().chain(indexes)
    };
    let keys = attributes().filter_map(|attribute| {
        let value = item.scalar(attribute.name)?;
        Some((attribute.name.to_owned(), value.into()))
    });
    let mut fields = restore_key_fields(functions, keys.collect(), RestoredFields::KeyOnly)?;
    for attribute in attributes() {
        fields.remove(attribute.name);
    }
    Ok(fields)
}

/// The key fields that are put back into the item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RestoredFields {
    KeyOnly,
    All,
}

/// The item with the fields that its key holds.
pub(crate) fn restore_key_fields(
    functions: &KeyFunctions,
    item: Item,
    fields: RestoredFields,
) -> Result<Item> {
    let meta = functions.meta;
    let schema = meta.schema;
    let pk = key_text(&item, schema.pk().name).to_owned();
    let sk = schema
        .sk()
        .map_or("", |sk| key_text(&item, sk.name))
        .to_owned();
    let indexes = index_texts(functions, &item);
    let mut reader = KeyReader::new(meta, item, fields);
    let key = ParsedKey::new(meta.name, schema, &meta.key, [&pk, &sk]).map_err(Box::new)?;
    (functions.read_keys)(&key, &mut reader);
    read_indexes(functions, &indexes, &mut reader)?;
    reader.finish()
}

/// The fields that these attributes of keys of indexes hold alone.
pub(crate) fn index_only(functions: &KeyFunctions, keys: Item) -> Result<Item> {
    let indexes = index_texts(functions, &keys);
    let mut reader = KeyReader::new(functions.meta, keys, RestoredFields::KeyOnly);
    read_indexes(functions, &indexes, &mut reader)?;
    reader.finish()
}

fn read_indexes(
    functions: &KeyFunctions,
    indexes: &[(usize, Vec<String>)],
    reader: &mut KeyReader,
) -> Result<()> {
    let (meta, Some(read)) = (functions.meta, functions.index_keys) else {
        return Ok(());
    };
    for (n, texts) in indexes {
        let index = &meta.indexes[*n];
        let key = ParsedKey::of_index(meta.name, index.schema, &index.keys, texts);
        reader.enter(index);
        read(*n, &key.map_err(Box::new)?, reader);
    }
    Ok(())
}

/// The texts of the keys of the indexes that an item is in and that hold fields alone.
fn index_texts(functions: &KeyFunctions, item: &Item) -> Vec<(usize, Vec<String>)> {
    if functions.index_keys.is_none() {
        return Vec::new();
    }
    let meta = functions.meta;
    let indexes = meta.indexes.iter().enumerate();
    let indexes = indexes.filter(|(_, index)| meta.has_index_only(index));
    let texts = indexes.filter_map(|(n, index)| {
        let text = |attribute: &KeyAttribute| match item.get(attribute.name)? {
            AttributeValue::S(text) | AttributeValue::N(text) => Some(text.clone()),
            _ => None,
        };
        let texts: Option<Vec<_>> = index.schema.attributes().map(text).collect();
        Some((n, texts?))
    });
    texts.collect()
}

pub(crate) fn key_text<'i>(item: &'i Item, attribute: &str) -> &'i str {
    match item.get(attribute) {
        Some(AttributeValue::S(text) | AttributeValue::N(text)) => text,
        _ => "",
    }
}
