//! From an entity to its item: as JSON where it is written as it is, and as attributes where someone looks at them first.

use super::keep::{Lock, expire, keep};
use super::wire::{NewItem, Place};
use super::write::{Presence, Write};
use super::{Fields, restore, unique};
use crate::codec::wire::{Apart, ItemJson, Names};
use crate::codec::{self, EncodeError, Item, Rules};
use crate::entity::{DynaEntity, EntityMeta, KeyWriter, Keys};
use crate::error::{Error, Result};
use crate::key::KeyValue;
use std::sync::Arc;
use std::time::SystemTime;

/// What goes with an item that is written.
#[derive(Default)]
pub(crate) struct Beside {
    /// The version that it replaces.
    pub(crate) lock: Option<Lock>,
    /// The sentinels of its unique fields.
    pub(crate) companions: Vec<Write>,
}

/// What the items of an entity are written with, one after the other.
struct Room {
    /// The attributes that are looked at.
    names: Names,
    /// Room for the keys of one.
    keys: Keys,
}

impl Room {
    fn of(meta: &'static EntityMeta) -> Self {
        let key_only = meta.key_only().map(|field| field.attribute);
        let tag = meta.schema.tag.map(|tag| tag.attribute.name);
        let ttl = meta.kept.expiry.and(meta.schema.ttl);
        let names = meta.key_attributes().chain(meta.kept.attributes());
        Self {
            names: names
                .chain(key_only)
                .chain(tag)
                .chain(ttl.map(|ttl| ttl.name))
                .collect(),
            keys: Keys::new(),
        }
    }
}

/// Writes the item of an entity.
pub(crate) fn write<E: DynaEntity>(
    entity: &E,
    presence: Presence,
    now: SystemTime,
) -> Result<(NewItem, Beside)> {
    let mut text = String::with_capacity(1024);
    let (place, beside) = write_into(entity, presence, now, &mut text, &mut Room::of(E::META))?;
    let beside = beside.map(|beside| *beside).unwrap_or_default();
    Ok((NewItem::new(Arc::new(text), place), beside))
}

/// Writes the items of entities, one after the other into one text. Where one cannot be written, those before it are.
pub(crate) fn write_all<'e, E: DynaEntity>(
    entities: impl Iterator<Item = &'e E>,
    now: SystemTime,
) -> (impl Iterator<Item = NewItem>, Option<Error>) {
    let count = entities.size_hint().0;
    let mut text = String::with_capacity(1024 * count.max(1));
    let mut places = Vec::with_capacity(count);
    let (mut room, mut error) = (Room::of(E::META), None);
    for entity in entities {
        match write_into(entity, Presence::Any, now, &mut text, &mut room) {
            Ok((place, _)) => places.push(place),
            Err(refused) => {
                error = Some(refused);
                break;
            }
        }
    }
    text.shrink_to_fit();
    let text = Arc::new(text);
    let items = places.into_iter();
    let items = items.map(move |place| NewItem::new(Arc::clone(&text), place));
    (items, error)
}

/// Writes the item of an entity at the end of a text.
fn write_into<E: DynaEntity>(
    entity: &E,
    presence: Presence,
    now: SystemTime,
    text: &mut String,
    room: &mut Room,
) -> Result<(Place, Option<Box<Beside>>)> {
    let (meta, start) = (E::META, text.len());
    if const { E::META.is_plain() } {
        if let Some(place) = write_plain(entity, text, room)? {
            return Ok((place, None));
        }
        text.truncate(start);
    }
    let mut json = ItemJson::new(text);
    let mut item = match encode_apart(entity, &mut json, &room.names)? {
        Some(item) => item,
        None => {
            text.truncate(start);
            json = ItemJson::new(text);
            encode_fields(entity)?
        }
    };
    expire(meta, &mut item, now)?;
    let beside = Beside {
        lock: keep(meta, &mut item, presence, now)?,
        companions: unique::claim_all(meta, &item)?,
    };
    let place = Place::write(meta, start, json, &item)?;
    Ok((place, Some(Box::new(beside))))
}

/// Writes the item of an entity whose fields no one looks at, unless something is wrong with it that attributes would tell better.
fn write_plain<E: DynaEntity>(
    entity: &E,
    text: &mut String,
    room: &mut Room,
) -> Result<Option<Place>> {
    let meta = E::META;
    let mut keys = KeyWriter::without_tag(meta, std::mem::take(&mut room.keys));
    entity.write_keys(&mut keys);
    let keys = keys.finish_keys()?;
    let start = text.len();
    let mut json = ItemJson::new(text);
    let key = json.next();
    let count = meta.schema.key.pk.len() + meta.schema.key.sk.len();
    let (primary, others) = keys.split_at_checked(count).unwrap_or((&keys, &[]));
    for (name, value) in primary {
        write_key(&mut json, name, value);
    }
    let key = key..json.end();
    for (n, (name, value)) in others.iter().enumerate() {
        // What several keys share says the same in all of them.
        if !keys
            .iter()
            .take(primary.len() + n)
            .any(|(before, _)| before == name)
        {
            write_key(&mut json, name, value);
        }
    }
    room.keys = keys;
    room.keys.clear();
    if let Some(tag) = &meta.schema.tag {
        json.text(tag.attribute.name, meta.tag);
    }
    let nulls = meta.nulls();
    if json.fields(entity, &room.names, nulls, None).is_err() {
        return Ok(None);
    }
    Ok(Some(Place::new(start, key, json)))
}

fn write_key(json: &mut ItemJson<'_>, name: &str, value: &KeyValue) {
    match value {
        KeyValue::S(text) => json.text(name, text),
        KeyValue::N(digits) => json.number(name, digits),
        KeyValue::B(bytes) => json.bytes(name, bytes),
    }
}

/// Writes the fields that no one looks at; the others are attributes. Nothing if something is wrong that attributes alone would tell
/// better.
fn encode_apart<E: DynaEntity>(
    entity: &E,
    json: &mut ItemJson<'_>,
    names: &Names,
) -> Result<Option<Item>> {
    let meta = E::META;
    let mut item = encode_keys(entity)?;
    let key_only: Vec<&str> = meta.key_only().map(|field| field.attribute).collect();
    if key_only
        .iter()
        .any(|attribute| item.contains_key(*attribute))
    {
        return Ok(None);
    }
    let held = (!key_only.is_empty()).then(|| restore::<E>(item.clone(), Fields::KeyOnly));
    let held = held.transpose()?.unwrap_or_default();
    let rules = Rules {
        omit: &[],
        omit_null: &meta.key_attributes().collect::<Vec<_>>(),
        reserved: &reserved(meta),
        nulls: meta.nulls(),
    };
    let apart = Apart {
        item: &mut item,
        rules,
    };
    if json
        .fields(entity, names, rules.nulls, Some(apart))
        .is_err()
    {
        return Ok(None);
    }
    for attribute in key_only {
        // What the key does not hold is an error.
        if held.get(attribute) != item.remove(attribute).as_ref() {
            return Ok(None);
        }
    }
    Ok(Some(item))
}

/// The item of an entity: its keys, its tag, and its fields.
pub(crate) fn encode<E: DynaEntity>(entity: &E) -> Result<Item> {
    let mut item = encode_fields(entity)?;
    expire(E::META, &mut item, SystemTime::now())?;
    Ok(item)
}

/// The item without the time of its expiry.
fn encode_fields<E: DynaEntity>(entity: &E) -> Result<Item> {
    let meta = E::META;
    let mut item = encode_keys(entity)?;
    let omit: Vec<&str> = meta.key_only().map(|field| field.attribute).collect();
    if !omit.is_empty() {
        check_key_only(entity, &item, &omit)?;
    }
    let rules = Rules {
        omit: &omit,
        // A sparse index key that is missing must be missing, not NULL.
        omit_null: &meta.key_attributes().collect::<Vec<_>>(),
        reserved: &reserved(meta),
        nulls: meta.nulls(),
    };
    codec::to_item(entity, &mut item, rules).map_err(|source| failed(meta, source))?;
    Ok(item)
}

/// The keys and the tag.
fn encode_keys<E: DynaEntity>(entity: &E) -> Result<Item> {
    let mut keys = KeyWriter::new(E::META);
    entity.write_keys(&mut keys);
    Ok(keys.finish()?)
}

/// The attributes that no field is stored in and that only Dyna writes. Only an entity with a flattened field can write one.
fn reserved(meta: &EntityMeta) -> Vec<&'static str> {
    if !meta.sees_unknown {
        return Vec::new();
    }
    let reserved = meta.schema.reserved();
    reserved
        .filter(|attribute| !meta.has_attribute(attribute))
        .collect()
}

/// Fails if a field that is stored in the key alone would not come back as it is, such as an instant below a millisecond.
fn check_key_only<E: DynaEntity>(entity: &E, keys: &Item, key_only: &[&str]) -> Result<()> {
    let meta = E::META;
    let read = restore::<E>(keys.clone(), Fields::KeyOnly)?;
    let mut written = Item::new();
    let encoded = codec::to_item(entity, &mut written, Rules::default());
    encoded.map_err(|source| failed(meta, source))?;
    for attribute in key_only {
        if read.get(*attribute) != written.get(*attribute) {
            let problem = "is stored in the key alone, which does not hold all of it";
            let source = EncodeError::new(problem).in_field((*attribute).to_owned());
            return Err(failed(meta, source));
        }
    }
    Ok(())
}

fn failed(meta: &EntityMeta, source: EncodeError) -> Error {
    Error::Encode {
        entity: meta.name,
        source,
    }
}
