//! Values that only one item has: for each there is an item of its own, the sentinel, that is written and deleted in the same
//! transaction as the item that has the value. The proof of the table covers its keys.

use super::wire::{NewItem, Raw};
use super::write::{Action, Presence, Write};
use crate::codec::{EncodeError, Item};
use crate::entity::EntityMeta;
use crate::error::{Error, Result};
use crate::expr::{Expr, Path, StoredName};
use crate::kept::{UNIQUE_SORT_KEY, Unique};
use crate::key::{KeyId, KeyValue, build_text};
use crate::shape;
use aws_sdk_dynamodb::types::AttributeValue;

/// Says whose value it is. No key attribute of a table is called so, and no other name has this alias: one that is called
/// `dyna_owner` needs none.
const OWNER: StoredName = StoredName::new("dyna:owner", "#dyna_owner");

/// Takes the values of a new item.
pub(crate) fn claim_all(meta: &'static EntityMeta, item: &Item) -> Result<Vec<Write>> {
    let claims = meta.kept.unique.iter();
    let claims = claims.map(|unique| claim(meta, unique, item, value(unique, item)));
    claims.filter_map(Result::transpose).collect()
}

/// Gives up the values of an item.
pub(crate) fn release_all(meta: &'static EntityMeta, item: &Item) -> Result<Vec<Write>> {
    let releases = meta.kept.unique.iter();
    let releases = releases.map(|unique| release(meta, unique, item, value(unique, item)));
    releases.filter_map(Result::transpose).collect()
}

/// Gives up the values that an item has had and takes those that it has now.
pub(crate) fn change_all(meta: &'static EntityMeta, old: &Item, new: &Item) -> Result<Vec<Write>> {
    let mut writes = Vec::new();
    for unique in meta.kept.unique {
        let (before, after) = (value(unique, old), value(unique, new));
        if before != after {
            writes.extend(release(meta, unique, old, before)?);
            writes.extend(claim(meta, unique, old, after)?);
        }
    }
    Ok(writes)
}

/// What must be true of the stored item, so that the values of these fields are the ones to give up.
pub(crate) fn hold<'u>(fields: impl Iterator<Item = &'u Unique>, item: &Item) -> Expr {
    let held = fields.map(|unique| {
        let stored = item.get(unique.name.attribute).cloned();
        Expr::is(&Path::attribute(unique.name), stored)
    });
    held.fold(Expr::default(), Expr::and)
}

/// Lets an item that moves keep the values that it has had: instead of being given up and taken, they are handed to the new one.
pub(crate) fn keep_moved(old: &mut Write, new: &mut Write) {
    for claim in &mut new.companions {
        let key = claim.key();
        if let Some(at) = old.companions.iter().position(|one| one.key() == key) {
            claim.condition = old.companions.remove(at).condition;
        }
    }
}

/// Whether an item is a sentinel of one of these entities.
pub(crate) fn is_sentinel(entities: &[&'static EntityMeta], item: &Raw) -> bool {
    let unique = entities.iter().map(|entity| (entity, entity.kept.unique));
    let mut unique =
        unique.flat_map(|(entity, unique)| unique.iter().map(move |one| (entity, one)));
    unique.any(|(entity, unique)| match item.get(entity.schema.pk().name) {
        Some(AttributeValue::S(pk)) => shape::matches(&unique.template, &pk),
        _ => false,
    })
}

/// The value of the field, unless it has none.
fn value<'i>(unique: &Unique, item: &'i Item) -> Option<&'i AttributeValue> {
    let value = item.get(unique.name.attribute)?;
    (!value.is_null()).then_some(value)
}

fn claim(
    meta: &'static EntityMeta,
    unique: &'static Unique,
    owner: &Item,
    value: Option<&AttributeValue>,
) -> Result<Option<Write>> {
    let Some(value) = value else { return Ok(None) };
    let mut sentinel = key(meta, unique, value)?;
    sentinel.insert(OWNER.attribute.to_owned(), owned_by(meta, owner));
    Ok(Some(Write {
        unique: Some(unique),
        condition: Presence::Absent.condition(meta.schema),
        ..Write::new(meta, Action::Put(NewItem::of_item(meta, &sentinel)?))
    }))
}

fn release(
    meta: &'static EntityMeta,
    unique: &'static Unique,
    owner: &Item,
    value: Option<&AttributeValue>,
) -> Result<Option<Write>> {
    let Some(value) = value else { return Ok(None) };
    // One that is missing does not matter, such as that of an item that was written before the field was unique.
    let absent = Presence::Absent.condition(meta.schema);
    let own = Expr::is(&Path::attribute(OWNER), Some(owned_by(meta, owner)));
    Ok(Some(Write {
        unique: Some(unique),
        condition: absent.or(own),
        ..Write::new(meta, Action::Delete(key(meta, unique, value)?))
    }))
}

/// The primary key of an item, as its sentinels know it.
fn owned_by(meta: &EntityMeta, item: &Item) -> AttributeValue {
    let values = meta.schema.key.attributes();
    let values = values.filter_map(|attribute| item.get(attribute.name).cloned());
    AttributeValue::L(values.collect())
}

/// The primary key of the sentinel of a value.
fn key(meta: &EntityMeta, unique: &Unique, value: &AttributeValue) -> Result<Item> {
    let text = match value {
        AttributeValue::S(text) | AttributeValue::N(text) => text,
        other => {
            let problem = format!(
                "is unique, which text and numbers can be, found {}",
                crate::codec::kind(other)
            );
            let source = EncodeError::new(problem).in_field(unique.name.attribute);
            return Err(Error::Encode {
                entity: meta.name,
                source,
            });
        }
    };
    let pk = build_text(meta.name, unique.name.attribute, &unique.template, text)?;
    let sk = meta
        .schema
        .sk()
        .map(|_| KeyValue::S(UNIQUE_SORT_KEY.text.to_owned()));
    let id = KeyId::new(KeyValue::S(pk), sk);
    Ok(id.into_item(&meta.schema.key))
}
