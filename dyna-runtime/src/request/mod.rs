//! Requests: plain values until they are sent.

mod backoff;
mod batch_get;
mod batch_write;
mod check;
mod concurrent;
mod delete;
mod explain;
mod expressions;
mod fetch;
mod get;
mod keep;
mod limits;
mod moves;
mod put;
mod query;
mod read;
pub mod returns;
mod scan;
mod transact;
mod transact_get;
mod unique;
mod update;
mod what;
mod wire;
mod write;

pub(crate) use backoff::Clock;
pub use batch_get::{Batch, BatchGet};
pub use batch_write::{BatchWrite, ToBatch};
pub use check::{Asking, Check, HasCondition, Unasked};
pub use delete::Delete;
pub use explain::Explain;
#[cfg(feature = "tracing")]
pub(crate) use explain::text;
pub use get::Get;
pub use limits::Limit;
pub use moves::Move;
pub use put::Put;
pub use query::{Done, Draft, Page, Query, Steps, collect, draft, query, query_each};
pub use read::Items;
pub use scan::Scan;
pub(crate) use transact::Listed;
pub use transact::{Failure, IntoPut, Reason, ReturnsNothing, Transact};
pub use transact_get::{ProjectedKey, TransactGet, TransactKey};
pub use update::{Changes, IndexFields, NoSetters, Number, Setters, Update};
#[cfg(feature = "tracing")]
pub(crate) use wire::NewItems;

use crate::codec::wire::{Found, Patch, Shown};
use crate::codec::{self, EncodeError, Item, Rules};
use crate::collection::Own;
use crate::entity::{DynaEntity, EntityMeta, KeyReader, KeyWriter};
use crate::error::{Error, Result};
use crate::expr::{Expr, Rendered};
use crate::key::{Parsed, StoredKey};
use aws_sdk_dynamodb::types::AttributeValue;
use std::pin::Pin;
use std::time::SystemTime;

/// The answer to a request, when it is awaited.
///
/// It is a type with a name, and no `async fn` with the bounds of the request: a bound that is not met is then one error instead of three.
pub type Answer<'t, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 't>>;

/// The item of an entity: its keys, its tag, and its fields.
pub(crate) fn encode<E: DynaEntity>(entity: &E) -> Result<Item> {
    encode_at(entity, SystemTime::now())
}

/// The same, written at a time that the expiry may be measured from.
pub(crate) fn encode_at<E: DynaEntity>(entity: &E, now: SystemTime) -> Result<Item> {
    let mut keys = KeyWriter::new(E::META);
    entity.write_keys(&mut keys);
    let mut item = keys.finish()?;
    let meta = E::META;
    let omit: Vec<&str> = meta.key_only().map(|field| field.attribute).collect();
    if !omit.is_empty() {
        check_key_only(entity, &item, &omit)?;
    }
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
    keep::expire(meta, &mut item, now)?;
    Ok(item)
}

/// Fails if a field that is stored in the key alone would not come back as it is, such as an instant below a millisecond.
fn check_key_only<E: DynaEntity>(entity: &E, keys: &Item, key_only: &[&str]) -> Result<()> {
    let failed = |source| Error::Encode {
        entity: E::META.name,
        source,
    };
    let read = restore::<E>(keys.clone(), Fields::KeyOnly)?;
    let mut written = Item::new();
    codec::to_item(entity, &mut written, Rules::default()).map_err(failed)?;
    for attribute in key_only {
        if read.get(*attribute) != written.get(*attribute) {
            let problem = "is stored in the key alone, which does not hold all of it";
            return Err(failed(
                EncodeError::new(problem).in_field((*attribute).to_owned()),
            ));
        }
    }
    Ok(())
}

/// The entity of an item.
pub(crate) fn decode<E: DynaEntity>(item: Item) -> Result<E> {
    read(Found::map(item))
}

/// The entity of an item that was found.
pub(crate) fn read<E: DynaEntity>(item: Found<'_, '_>) -> Result<E> {
    let meta = E::META;
    // What fails in another form is read again as a map.
    let key = item.as_map().and_then(|item| StoredKey::of(meta, item));
    let patch = if meta.sees_unknown || meta.key_only().next().is_some() {
        Some(patch::<E>(&item)?)
    } else {
        None
    };
    item.read(patch).map_err(|source| Error::Decode {
        entity: meta.name,
        key,
        source,
    })
}

/// How the attributes of an entity differ from those that are stored.
fn patch<E: DynaEntity>(item: &Found<'_, '_>) -> Result<Patch> {
    let meta = E::META;
    let mut hidden: Vec<_> = meta.key_only().map(|field| field.attribute).collect();
    let given = if hidden.is_empty() {
        Item::new()
    } else {
        key_only::<E>(item)?
    };
    if meta.sees_unknown {
        // What Dyna added to the item: the entity only sees what it wrote itself.
        let expiry = meta.kept.expiry.and(meta.schema.ttl);
        let added = meta.schema.reserved().chain(expiry.map(|ttl| ttl.name));
        hidden.extend(added.filter(|name| !meta.has_attribute(name)));
    }
    Ok(Patch {
        given,
        shown: Shown::AllBut(hidden),
    })
}

/// The fields that are stored in the key alone.
pub(crate) fn key_only<E: DynaEntity>(item: &Found<'_, '_>) -> Result<Item> {
    let attributes = || E::META.schema.key.attributes();
    let keys = attributes().filter_map(|attribute| {
        let value = item.scalar(attribute.name)?;
        Some((attribute.name.to_owned(), value.into()))
    });
    let mut fields = restore::<E>(keys.collect(), Fields::KeyOnly)?;
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
pub(crate) fn restore<E: DynaEntity>(item: Item, fields: Fields) -> Result<Item> {
    let schema = E::META.schema;
    let pk = key_text(&item, schema.pk().name).to_owned();
    let sk = schema
        .sk()
        .map_or("", |sk| key_text(&item, sk.name))
        .to_owned();
    let mut reader = KeyReader::new(E::META, item, fields);
    let key = Parsed::new::<E>(&pk, &sk).map_err(Box::new)?;
    E::read_keys(&key, &mut reader);
    reader.finish()
}

fn key_text<'i>(item: &'i Item, attribute: &str) -> &'i str {
    match item.get(attribute) {
        Some(AttributeValue::S(text) | AttributeValue::N(text)) => text,
        _ => "",
    }
}

/// The filter that was asked for, and if the items of one entity are to be told from others, that the tag is its own.
fn filter(meta: &EntityMeta, tagged: Option<Own>, filter: &Expr) -> Result<Option<Rendered>> {
    let schema = meta.schema;
    let tag = schema.tag.as_ref().zip(tagged);
    let mut out = Rendered::default();
    match tag {
        Some((tag, Own::One(_))) => out.push(tag.is),
        Some((tag, Own::Members(collection))) => {
            let name = tag.attribute.expr;
            let tags = (0..collection.members.len()).map(|n| format!(":e{n}"));
            let tags = tags.collect::<Vec<_>>().join(", ");
            out.expression = format!("({name} IN ({tags}) OR attribute_not_exists({name}))");
        }
        None => {}
    }
    if filter.known().is_none() {
        filter.render(schema.pk(), &mut out);
    }
    if let Some((tag, own)) = tag {
        let several = matches!(own, Own::Members(_));
        for (n, entity) in own.entities().enumerate() {
            let alias = if several {
                format!(":e{n}")
            } else {
                ":e".to_owned()
            };
            out.values
                .push((alias, AttributeValue::S(entity.tag.to_owned())));
        }
        let alias = tag.attribute.alias();
        out.names
            .extend(alias.map(|(alias, name)| (alias.to_owned(), name.to_owned())));
    }
    limits::check_expressions(meta, [&out.expression], &out)?;
    limits::check_operators(&out.expression)?;
    Ok((!out.expression.is_empty()).then_some(out))
}
