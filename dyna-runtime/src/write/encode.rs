//! From an entity to its item: as JSON where it is written as it is, and as attributes where someone looks at them first.

use crate::codec::json::{Deferred, ItemJson, NameSet};
use crate::codec::{Item, Rules, readback};
use crate::entity::fill::Precondition;
use crate::entity::fill::{Filling, VersionCheck, expire, filled, keep};
use crate::entity::{AnyEntity, EntityMeta, KeyWriter, Keys};
use crate::entity::{RestoredFields, restore_key_fields};
use crate::entity::{
    check_flattened, check_outside, check_readable, encode_fields, encode_keys, note_defaults,
};
use crate::error::{Error, Result};
use crate::key::KeyValue;
use crate::transport::{ItemBody, ItemSpan};
use crate::write::Write;
use crate::write::sentinel;
use std::sync::Arc;
use std::time::SystemTime;

/// The version check and the sentinels that go with a written item.
#[derive(Default)]
pub(crate) struct WriteExtras {
    /// The version that it replaces.
    pub(crate) version_check: Option<VersionCheck>,
    /// The sentinels of its unique fields.
    pub(crate) companions: Vec<Write>,
}

/// Scratch buffers for writing the items of an entity one after the other.
struct Scratch {
    /// The attributes that are looked at.
    names: NameSet,
    /// Room for the keys of one.
    keys: Keys,
}

impl Scratch {
    fn of(meta: &'static EntityMeta) -> Self {
        let key_only = meta.key_only().map(|field| field.attribute);
        let tag = meta.schema.tag.map(|tag| tag.attribute.name);
        let ttl = meta.managed.expiry.and(meta.schema.ttl);
        let names = meta.key_attributes().chain(meta.managed.attributes());
        Self {
            names: names
                .chain(key_only)
                .chain(meta.managed.sentinel_parts())
                .chain(tag)
                .chain(ttl.map(|ttl| ttl.name))
                .collect(),
            keys: Keys::new(),
        }
    }
}

/// Writes the item of an entity.
pub(crate) fn write(
    entity: &dyn AnyEntity,
    filling: Filling<'_>,
) -> Result<(ItemBody, WriteExtras)> {
    let mut text = String::with_capacity(1024);
    let mut room = Scratch::of(entity.functions().meta);
    let (place, beside) = write_into(entity, filling, &mut text, &mut room)?;
    let beside = beside.map(|beside| *beside).unwrap_or_default();
    Ok((ItemBody::new(Arc::new(text), place), beside))
}

/// Writes the items of entities of one type, one after the other into one text. Where one cannot be written, those before it are.
pub(crate) fn write_all(
    entities: &[&dyn AnyEntity],
    now: SystemTime,
) -> (Vec<ItemBody>, Option<Error>) {
    let Some(first) = entities.first() else {
        return (Vec::new(), None);
    };
    let mut text = String::with_capacity(1024 * entities.len());
    let mut places = Vec::with_capacity(entities.len());
    let (mut room, mut error) = (Scratch::of(first.functions().meta), None);
    let filling = Filling {
        precondition: Precondition::None,
        now,
        loaded: None,
        over_expired: false,
    };
    for entity in entities {
        match write_into(*entity, filling, &mut text, &mut room) {
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
    let items = items.map(|place| ItemBody::new(Arc::clone(&text), place));
    (items.collect(), error)
}

/// Writes the item of an entity at the end of a text.
fn write_into(
    entity: &dyn AnyEntity,
    filling: Filling<'_>,
    text: &mut String,
    room: &mut Scratch,
) -> Result<(ItemSpan, Option<Box<WriteExtras>>)> {
    let functions = entity.functions();
    let (meta, start) = (functions.meta, text.len());
    readback::forget();
    if functions.is_plain {
        if let Some(place) = write_plain(entity, text, room)? {
            check_readable(entity, Some(filling))?;
            return Ok((place, None));
        }
        text.truncate(start);
    }
    check_flattened(entity)?;
    let mut json = ItemJson::new(text);
    let filled = filled(meta, filling.precondition);
    let mut item = match encode_deferred(entity, &mut json, &room.names, &filled)? {
        Some(item) => item,
        None => {
            text.truncate(start);
            json = ItemJson::new(text);
            note_defaults(entity)?;
            encode_fields(entity, &filled)?
        }
    };
    if functions.has_outside {
        check_outside(meta, &item)?;
    }
    expire(meta, &mut item, filling.now)?;
    let beside = WriteExtras {
        version_check: keep(meta, &mut item, filling)?,
        companions: sentinel::claim_all(meta, &item, filling.now)?,
    };
    let place = ItemSpan::write(meta, start, json, &item)?;
    check_readable(entity, Some(filling))?;
    Ok((place, Some(Box::new(beside))))
}

/// Writes the item of an entity whose fields no one looks at, unless something is wrong with it that attributes would tell better.
fn write_plain(
    entity: &dyn AnyEntity,
    text: &mut String,
    room: &mut Scratch,
) -> Result<Option<ItemSpan>> {
    let meta = entity.functions().meta;
    let mut keys = KeyWriter::without_tag(meta, std::mem::take(&mut room.keys));
    entity.write_keys(&mut keys);
    let keys = keys.finish_keys()?;
    let start = text.len();
    let mut json = ItemJson::new(text);
    let key = json.next();
    let count = meta.schema.key.pk.len() + meta.schema.key.sk.len();
    let (primary, others) = keys.split_at_checked(count).ok_or(Error::Internal {
        entity: meta.name,
        what: "the primary key is not written",
    })?;
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
    if !entity.write_json(&mut json, &room.names, None) {
        return Ok(None);
    }
    Ok(Some(ItemSpan::new(start, key, json)))
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
fn encode_deferred(
    entity: &dyn AnyEntity,
    json: &mut ItemJson<'_>,
    names: &NameSet,
    filled: &[&str],
) -> Result<Option<Item>> {
    let functions = entity.functions();
    let meta = functions.meta;
    let mut item = encode_keys(entity)?;
    let key_only: Vec<&str> = meta.key_only().map(|field| field.attribute).collect();
    if key_only
        .iter()
        .any(|attribute| item.contains_key(*attribute))
    {
        return Ok(None);
    }
    let held = (!key_only.is_empty())
        .then(|| restore_key_fields(functions.keys, item.clone(), RestoredFields::KeyOnly));
    let held = held.transpose()?.unwrap_or_default();
    let rules = Rules {
        omit: filled,
        omit_null: &meta.key_attributes().collect::<Vec<_>>(),
        nulls: meta.nulls(),
    };
    let deferred = Deferred {
        item: &mut item,
        rules,
    };
    if !entity.write_json(json, names, Some(deferred)) {
        return Ok(None);
    }
    for attribute in key_only {
        // What the key does not hold is an error.
        let written = item.remove(attribute).filter(|value| !value.is_null());
        if held.get(attribute) != written.as_ref() {
            return Ok(None);
        }
    }
    Ok(Some(item))
}
