//! Requests: plain values until they are sent.

mod backoff;
mod batch_get;
mod delete;
mod explain;
mod get;
mod put;
mod query;
mod transact_get;

pub use batch_get::{Batch, BatchGet};
pub use delete::Delete;
pub use explain::Explain;
pub use get::Get;
pub use put::Put;
pub use query::{Done, Draft, Page, Query, Steps, query};
pub use transact_get::TransactGet;

use crate::codec::{self, Item, Rules};
use crate::entity::{DynaEntity, EntityMeta, KeyReader, KeyWriter};
use crate::error::{Error, Result};
use crate::key::Parsed;
use aws_sdk_dynamodb::types::AttributeValue;

/// The item of an entity: its keys, its tag, and its fields.
pub(crate) fn encode<E: DynaEntity>(entity: &E) -> Result<Item> {
    let mut keys = KeyWriter::new(E::META);
    entity.write_keys(&mut keys);
    let mut item = keys.finish()?;
    let meta = E::META;
    let omit: Vec<&str> = meta.key_only().map(|field| field.attribute).collect();
    // A sparse index key that is missing must be missing, not NULL.
    let keys: Vec<&str> = meta.key_attributes().collect();
    // Only an entity with a flattened field can write an attribute that is none of its fields.
    let reserved: Vec<&str> = if meta.sees_unknown {
        meta.schema
            .reserved()
            .filter(|attribute| !meta.has_attribute(attribute))
            .collect()
    } else {
        Vec::new()
    };
    let rules = Rules {
        omit: &omit,
        omit_null: &keys,
        reserved: &reserved,
    };
    codec::to_item(entity, &mut item, rules).map_err(|source| Error::Encode {
        entity: meta.name,
        source,
    })?;
    Ok(item)
}

/// The entity of an item.
pub(crate) fn decode<E: DynaEntity>(mut item: Item) -> Result<E> {
    let meta = E::META;
    if meta.key_only().next().is_some() {
        item = restore_key_only::<E>(item)?;
    }
    if meta.sees_unknown {
        remove_keys(meta, &mut item);
    }
    codec::from_item(item).map_err(|source| Error::Decode {
        entity: meta.name,
        source,
    })
}

fn restore_key_only<E: DynaEntity>(item: Item) -> Result<Item> {
    let schema = &E::META.schema.key;
    let pk = key_text(&item, schema.pk.name).to_owned();
    let sk = schema
        .sk
        .map_or("", |sk| key_text(&item, sk.name))
        .to_owned();
    let mut reader = KeyReader(item);
    let key = Parsed::new::<E>(&pk, &sk).map_err(Box::new)?;
    E::read_keys(&key, &mut reader).map_err(Box::new)?;
    Ok(reader.0)
}

fn key_text<'i>(item: &'i Item, attribute: &str) -> &'i str {
    match item.get(attribute) {
        Some(AttributeValue::S(text) | AttributeValue::N(text)) => text,
        _ => "",
    }
}

/// Removes what Dyna added to the item, so that the entity only sees what it wrote itself.
fn remove_keys(meta: &EntityMeta, item: &mut Item) {
    for attribute in meta.schema.reserved() {
        if !meta.has_attribute(attribute) {
            item.remove(attribute);
        }
    }
}
