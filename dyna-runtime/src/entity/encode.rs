//! AllAttributes items: from the entity to what is stored, as attributes.

use crate::codec;
use crate::codec::shape::Shape;
use crate::codec::{DECLARED, EncodeError, Flattened, Item, Rules, readback};
use crate::entity::fill::{Filling, expire, filled, keep};
use crate::entity::{Entity, EntityMeta, Fields, KeyWriter, Serialized, restore};
use crate::error::{Error, Result};
use std::time::SystemTime;

/// The item of an entity: its keys, its tag, and its fields.
pub(crate) fn encode<E: Entity>(entity: &E) -> Result<Item> {
    readback::forget();
    check_flattened(entity)?;
    let mut item = encode_fields(entity, &[])?;
    check_readable(entity, None)?;
    expire(E::META, &mut item, SystemTime::now())?;
    Ok(item)
}

/// The item without the time of its expiry, and without what is filled in later.
pub(crate) fn encode_fields<E: Entity>(entity: &E, filled: &[&str]) -> Result<Item> {
    let meta = E::META;
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
    codec::to_item(&Serialized(entity), &mut item, rules).map_err(|source| failed(meta, source))?;
    if const { E::META.has_outside() } {
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
pub(crate) fn encode_keys<E: Entity>(entity: &E) -> Result<Item> {
    let mut keys = KeyWriter::new(E::META);
    entity.write_keys(&mut keys);
    Ok(keys.finish()?)
}

/// Fails if a flattened field writes an attribute that is declared: a flattened map may come from anyone, and would pose as a key,
/// overwrite a field, or be lost.
pub(crate) fn check_flattened<E: Entity>(entity: &E) -> Result<()> {
    let meta = E::META;
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
pub(crate) fn check_readable<E: Entity>(entity: &E, filling: Option<Filling<'_>>) -> Result<()> {
    match readback::noted() {
        None if const { !E::META.has_defaults() } => Ok(()),
        None if !lacks_default(entity)? => Ok(()),
        _ => read_back(entity, filling),
    }
}

/// Whether a field is absent that may be read as something else.
fn lacks_default<E: Entity>(entity: &E) -> Result<bool> {
    let shape = Shape::of(&Serialized(entity)).map_err(|source| failed(E::META, source))?;
    let mut fields = E::META.fields.iter().filter(|field| field.defaulted);
    Ok(fields.any(|field| shape.lacks(field.attribute)))
}

/// Reads what is stored of an entity, and compares what is absent in both.
#[cold]
fn read_back<E: Entity>(entity: &E, filling: Option<Filling<'_>>) -> Result<()> {
    let meta = E::META;
    let names = filling.map(|filling| filled(meta, filling.presence));
    let mut item = encode_fields(entity, &names.unwrap_or_default())?;
    if let Some(filling) = filling {
        keep(meta, &mut item, filling)?;
    }
    let written = Shape::of(&Serialized(entity)).map_err(|source| failed(meta, source))?;
    let read: E = super::decode(item).map_err(|error| unreadable(meta, error, &written))?;
    // What the write fills in is not as the entity says.
    let kept = [meta.managed.created_at, meta.managed.updated_at];
    let kept: Vec<&str> = kept.iter().flatten().map(|it| it.name.attribute).collect();
    let written = written.without(&kept);
    let read = Shape::of(&Serialized(&read));
    let read = read.and_then(|read| written.check(&read.without(&kept)));
    readback::forget();
    read.map_err(|source| failed(meta, source))
}

/// The error of an item that could not be read back. If one flattened field is absent, it is that one's.
fn unreadable(meta: &EntityMeta, error: Error, written: &Shape) -> Error {
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
fn check_key_only<E: Entity>(entity: &E, keys: &Item, key_only: &[&str]) -> Result<()> {
    let meta = E::META;
    let read = restore::<E>(keys.clone(), Fields::KeyOnly)?;
    let mut written = Item::new();
    let encoded = codec::to_item(&Serialized(entity), &mut written, Rules::default());
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

pub(crate) fn failed(meta: &EntityMeta, source: EncodeError) -> Error {
    Error::Encode {
        entity: meta.name,
        source,
    }
}
