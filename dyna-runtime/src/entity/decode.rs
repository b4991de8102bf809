//! Whole items: from what is stored to the entity.

use crate::codec::DecodeError;
use crate::codec::Item;
use crate::codec::wire::{Found, Patch, Shown};
use crate::entity::{
    AnyEntity, Deserialized, Entity, EntityMeta, KeyFunctions, KeyReader, KeyWriter, Keys, encode,
    owner,
};
use crate::error::{Error, Misfit, Result};
use crate::key::{KeyId, KeyValue, Parsed, StoredKey};
use crate::schema::KeyAttribute;
use aws_sdk_dynamodb::types::AttributeValue;

/// The entity of an item.
pub(crate) fn decode<E: Entity>(item: Item) -> Result<E> {
    read(Found::map(item))
}

/// The item of the entity of an item: with the defaults of what it lacks.
pub(crate) fn reread<E: Entity>(item: Item) -> Result<Item> {
    encode(&decode::<E>(item)?)
}

/// The entity of an item that was found.
pub(crate) fn read<E: Entity>(item: Found<'_, '_>) -> Result<E> {
    if item.checks_keys() {
        return check::<E>(item.check_keys(false));
    }
    let id = id_of(E::META, &item);
    let patch = if const { E::META.is_patched() } {
        Some(patch(KeyFunctions::of::<E>(), &item)?)
    } else {
        None
    };
    match item.read(patch) {
        Ok(Deserialized(entity)) => Ok(entity),
        Err(source) => Err(undecoded(E::META, id, source)),
    }
}

/// The key of an item, for its error. What fails in another form is read again as a map.
fn id_of(meta: &EntityMeta, item: &Found<'_, '_>) -> Option<KeyId> {
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
fn check<E: Entity>(item: Found<'_, '_>) -> Result<E> {
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
    fn of(meta: &'static EntityMeta, item: &Found<'_, '_>) -> Self {
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
fn stored_keys(meta: &'static EntityMeta, item: &Found<'_, '_>) -> Keys {
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
    let differs = |attribute: &KeyAttribute| {
        match (find(stored, attribute.name), find(made, attribute.name)) {
            (Some(stored), Some(made)) => !stored.is_same(&made),
            (None, Some(_)) => true,
            // A field that is the key of an index itself may be there without the other half of the key.
            (Some(_), None) => !meta.has_attribute(attribute.name),
            (None, None) => false,
        }
    };
    if meta.schema.key.attributes().any(differs) {
        return Some(Misfit::Table);
    }
    let mut indexes = meta.indexes.iter().map(|index| index.schema);
    let index = indexes.find(|index| index.attributes().any(differs));
    index.map(|index| Misfit::Index(index.name))
}

/// How the attributes of an entity differ from those that are stored.
fn patch(functions: &KeyFunctions, item: &Found<'_, '_>) -> Result<Patch> {
    let meta = functions.meta;
    let hidden = meta.key_only().flat_map(|field| field.stored().all());
    let mut hidden: Vec<_> = hidden.map(|name| name.attribute).collect();
    let given = if hidden.is_empty() {
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
    let asked = meta.fields.iter().filter(|field| field.asked);
    Ok(Patch {
        given,
        asked: asked.map(|field| field.stored().names()).collect(),
        shown: Shown::AllBut(hidden),
    })
}

/// The fields that are stored in the key alone.
pub(crate) fn key_only(functions: &KeyFunctions, item: &Found<'_, '_>) -> Result<Item> {
    let attributes = || functions.meta.schema.key.attributes();
    let keys = attributes().filter_map(|attribute| {
        let value = item.scalar(attribute.name)?;
        Some((attribute.name.to_owned(), value.into()))
    });
    let mut fields = restore(functions, keys.collect(), Fields::KeyOnly)?;
    for attribute in attributes() {
        fields.remove(attribute.name);
    }
    Ok(fields)
}

/// Which fields of a key are put back into the item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fields {
    KeyOnly,
    All,
}

/// The item with the fields that its key holds.
pub(crate) fn restore(functions: &KeyFunctions, item: Item, fields: Fields) -> Result<Item> {
    let meta = functions.meta;
    let schema = meta.schema;
    let pk = key_text(&item, schema.pk().name).to_owned();
    let sk = schema
        .sk()
        .map_or("", |sk| key_text(&item, sk.name))
        .to_owned();
    let mut reader = KeyReader::new(meta, item, fields);
    let key = Parsed::new(meta.name, schema, &meta.key, [&pk, &sk]).map_err(Box::new)?;
    (functions.read_keys)(&key, &mut reader);
    reader.finish()
}

pub(crate) fn key_text<'i>(item: &'i Item, attribute: &str) -> &'i str {
    match item.get(attribute) {
        Some(AttributeValue::S(text) | AttributeValue::N(text)) => text,
        _ => "",
    }
}
