//! Whole items: from the entity to what is stored, as attributes.

use crate::codec::absences::Absences;
use crate::codec::number::is_same_number;
use crate::codec::{DECLARED, EncodeError, Flattened, Item, Rules, readback};
use crate::entity::WhenAbsent;
use crate::entity::fill::{Filling, expire, filled, keep};
use crate::entity::{
    AnyEntity, EntityMeta, Functions, KeyWriter, RestoredFields, restore_key_fields,
};
use crate::error::{Error, Result};
use aws_sdk_dynamodb::types::AttributeValue;
use std::time::SystemTime;

/// The item of an entity: its keys, its tag, and its fields.
pub(crate) fn encode(entity: &dyn AnyEntity) -> Result<Item> {
    readback::forget();
    check_flattened(entity)?;
    let mut item = encode_fields(entity, &[])?;
    note_defaults(entity)?;
    check_readable(entity, None)?;
    expire(entity.functions().meta, &mut item, SystemTime::now())?;
    Ok(item)
}

/// The item without the time of its expiry, and without what is filled in later.
pub(crate) fn encode_fields(entity: &dyn AnyEntity, filled: &[&str]) -> Result<Item> {
    let meta = entity.functions().meta;
    let mut item = encode_keys(entity)?;
    let mut omit: Vec<&str> = meta.key_only().map(|field| field.attribute).collect();
    if !omit.is_empty() {
        check_key_only(entity, &item, &omit)?;
    }
    omit.extend(filled);
    let rules = Rules {
        omit: &omit,
        // A sparse index key that is missing must be missing, not NULL.
        omit_null: &meta.key_attributes().collect::<Vec<_>>(),
        nulls: meta.nulls(),
    };
    let written = entity.write_item(&mut item, rules);
    written.map_err(|source| failed(meta, source))?;
    if entity.functions().has_outside {
        check_outside(meta, &item)?;
    }
    Ok(item)
}

/// Fails if a field that is stored in the key of an index, which the item may not be in, has a value that no key may have.
pub(crate) fn check_outside(meta: &'static EntityMeta, item: &Item) -> Result<()> {
    for field in meta.fields {
        if let Some(value) = item.get(field.attribute) {
            let checked = meta.check_outside(field, value);
            checked.map_err(|source| failed(meta, source))?;
        }
    }
    Ok(())
}

/// The keys and the tag.
pub(crate) fn encode_keys(entity: &dyn AnyEntity) -> Result<Item> {
    let mut keys = KeyWriter::new(entity.functions().meta);
    entity.write_keys(&mut keys);
    Ok(keys.finish()?)
}

/// Fails if a flattened field writes an attribute that is declared: a flattened map may come from anyone, and would pose as a key,
/// overwrite a field, or be lost.
pub(crate) fn check_flattened(entity: &dyn AnyEntity) -> Result<()> {
    let meta = entity.functions().meta;
    if !meta.reads_unknown {
        return Ok(());
    }
    let mut flattened = Flattened::default();
    entity.flattened(&mut flattened);
    let problem = |name: &str| {
        if name.is_empty() {
            Some("a flattened field cannot write an attribute without a name")
        } else if meta.has_attribute(name) {
            Some(DECLARED)
        } else if meta.schema.reserved().any(|reserved| reserved == name) {
            Some("is a key attribute or the tag of the table, so a flattened field cannot write it")
        } else if meta.schema.ttl.is_some_and(|ttl| ttl.name == name) {
            Some(
                "is the TTL attribute of the table, so a flattened field cannot write it: declare a field for it",
            )
        } else {
            None
        }
    };
    let checked = flattened.check(problem);
    checked.map_err(|source| failed(meta, source))
}

/// Fails if the entity that was written could not be read as it is, for all that is known of it.
#[inline]
pub(crate) fn check_readable(entity: &dyn AnyEntity, filling: Option<Filling<'_>>) -> Result<()> {
    match readback::noted() {
        None => Ok(()),
        Some(_) => read_back(entity, filling),
    }
}

/// Notes that a field is absent that may be read as something else. The writer of JSON does so itself, but for what is flattened.
pub(crate) fn note_defaults(entity: &dyn AnyEntity) -> Result<()> {
    if entity.functions().has_defaults && lacks_default(entity)? {
        readback::note();
    }
    Ok(())
}

/// Whether a field is absent that may be read as something else.
fn lacks_default(entity: &dyn AnyEntity) -> Result<bool> {
    let meta = entity.functions().meta;
    let absences = entity.absences().map_err(|source| failed(meta, source))?;
    let fields = meta.fields.iter().chain(meta.fields_of_variants());
    let mut fields = fields.filter(|field| field.when_absent == WhenAbsent::Defaulted);
    Ok(fields.any(|field| absences.lacks(field.attribute)))
}

/// Reads what is stored of an entity, and compares what is absent in both.
#[cold]
fn read_back(entity: &dyn AnyEntity, filling: Option<Filling<'_>>) -> Result<()> {
    let functions = entity.functions();
    let meta = functions.meta;
    let names = filling.map(|filling| filled(meta, filling.precondition));
    let mut item = encode_fields(entity, &names.unwrap_or_default())?;
    if let Some(filling) = filling {
        keep(meta, &mut item, filling)?;
    }
    let written = entity.absences().map_err(|source| failed(meta, source))?;
    let is_known = !is_read_ahead(functions, &item, &written);
    let read = (functions.absences_of)(item).map_err(|error| unreadable(meta, error, &written));
    readback::noted();
    // What the write fills in is not as the entity says.
    let filled = [meta.managed.created_at, meta.managed.updated_at];
    let filled: Vec<&str> = filled
        .iter()
        .flatten()
        .map(|it| it.name.attribute)
        .collect();
    let checked = match read {
        Ok(read) => {
            let checked = written.without(&filled).check(&read.without(&filled));
            checked.map_err(|source| failed(meta, source))
        }
        Err(error) => Err(error),
    };
    readback::settle(is_known && checked.is_ok());
    checked
}

/// Whether serde looks ahead where something is absent: what it reads then depends on what is stored beside it.
fn is_read_ahead(functions: &Functions, item: &Item, written: &Absences) -> bool {
    let mut incomplete = written.incomplete().into_iter();
    incomplete.any(|name| {
        let keys = functions.meta.schema.key.attributes().map(|key| key.name);
        let alone = keys
            .chain([name])
            .filter_map(|name| item.get_key_value(name));
        let alone = alone.map(|(name, value)| (name.clone(), value.clone()));
        readback::looked_ahead();
        // All but this attribute is missing, which serde finds out in the end.
        drop((functions.absences_of)(alone.collect()));
        readback::looked_ahead()
    })
}

/// The error of an item that could not be read back. If one flattened field is absent, it is that one's.
fn unreadable(meta: &EntityMeta, error: Error, written: &Absences) -> Error {
    let Error::Decode { source, .. } = error else {
        return error;
    };
    let is_placed = source.depth() > 0;
    let source = EncodeError::unreadable(source);
    let mut absent = written.absent().filter(|name| !meta.has_attribute(name));
    match (absent.next(), absent.next()) {
        (Some(name), None) if !is_placed => failed(meta, source.in_field(name.to_owned())),
        _ => failed(meta, source),
    }
}

/// Fails if a field that is stored in the key alone would not come back as it is, such as an instant below a millisecond.
fn check_key_only(entity: &dyn AnyEntity, keys: &Item, key_only: &[&str]) -> Result<()> {
    let functions = entity.functions();
    let meta = functions.meta;
    let read = restore_key_fields(functions.keys, keys.clone(), RestoredFields::KeyOnly)?;
    let mut written = Item::new();
    let encoded = entity.write_item(&mut written, Rules::default());
    encoded.map_err(|source| failed(meta, source))?;
    for attribute in key_only {
        let written = written.get(*attribute).filter(|value| !value.is_null());
        let is_same = match (read.get(*attribute), written) {
            (Some(AttributeValue::N(read)), Some(AttributeValue::N(written))) => {
                is_same_number(read, written)
            }
            (read, written) => read == written,
        };
        if !is_same {
            let problem = "is stored only in a key, which cannot represent this value";
            let source = EncodeError::new(problem).in_field((*attribute).to_owned());
            return Err(failed(meta, source));
        }
    }
    Ok(())
}

pub(crate) fn failed(meta: &EntityMeta, source: EncodeError) -> Error {
    Error::Encode {
        entity: meta.name,
        source,
    }
}
