//! Requests: plain values until they are sent.

mod delete;
mod explain;
mod get;
mod put;
mod query;

pub use delete::Delete;
pub use explain::Explain;
pub use get::Get;
pub use put::Put;
pub use query::{Cursor, Done, Draft, Page, Query, Steps, query};

use crate::codec::{self, Item, Rules};
use crate::entity::{DynaEntity, EntityMeta, KeyReader, KeyWriter};
use crate::error::{Error, Result};
use crate::key::Parsed;
use aws_sdk_dynamodb::types::AttributeValue;

/// The item of an entity: its keys, its tag, and its fields.
fn encode<E: DynaEntity>(entity: &E) -> Result<Item> {
    let mut keys = KeyWriter::new(E::META);
    entity.write_keys(&mut keys);
    let mut item = keys.finish()?;
    let omit: Vec<&str> = E::META
        .fields
        .iter()
        .filter(|field| field.key_only)
        .map(|field| field.attribute)
        .collect();
    // A sparse index key that is missing must be missing, not NULL.
    let omit_null: Vec<&str> = E::META
        .indexes
        .iter()
        .flat_map(|index| {
            std::iter::once(index.schema.pk.name).chain(index.schema.sk.map(|sk| sk.name))
        })
        .collect();
    codec::to_item(
        entity,
        &mut item,
        Rules {
            omit: &omit,
            omit_null: &omit_null,
        },
    )
    .map_err(|source| Error::Encode {
        entity: E::META.name,
        source,
    })?;
    Ok(item)
}

/// The entity of an item.
fn decode<E: DynaEntity>(mut item: Item) -> Result<E> {
    let meta = E::META;
    if meta.fields.iter().any(|field| field.key_only) {
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
    let keys = meta
        .spaces()
        .flat_map(|(schema, _)| std::iter::once(schema.pk.name).chain(schema.sk.map(|sk| sk.name)));
    for attribute in keys.chain(meta.schema.tag.map(|tag| tag.attribute.name)) {
        if !meta.fields.iter().any(|field| field.attribute == attribute) {
            item.remove(attribute);
        }
    }
}
