//! What is in a table, entity by entity.

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::codec::Item;
use dyna_runtime::entity::EntityMeta;
use dyna_runtime::shape::{Template, matches};
use dyna_runtime::{DynaTable, Error, Result, Table};

/// An entity of a table, and how many items there are of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// The number of items.
    pub items: usize,
    /// The entity.
    pub entity: &'static str,
    /// The templates of its partition key and its sort key, if it has one.
    pub keys: [&'static str; 2],
}

/// The entities of a table in their order, with the items that are there now.
pub async fn contents<T: DynaTable>(db: &Table<T>) -> Result<Vec<Contents>> {
    let mut found: Vec<_> = T::ENTITIES.iter().map(|entity| none_of(entity)).collect();
    let scan = db.client().scan().table_name(db.name()?);
    let scan = scan.consistent_read(true);
    let mut items = scan.into_paginator().items().send();
    while let Some(item) = items.next().await {
        let item = item.map_err(|error| Error::from(aws_sdk_dynamodb::Error::from(error)))?;
        let of = T::ENTITIES.iter().position(|entity| is_of(entity, &item));
        if let Some(of) = of.and_then(|at| found.get_mut(at)) {
            of.items += 1;
        }
    }
    Ok(found)
}

fn none_of(entity: &EntityMeta) -> Contents {
    let text = |templates: &[Template]| templates.first().map_or("", |template| template.text);
    Contents {
        items: 0,
        entity: entity.name,
        keys: [text(entity.key.pk), text(entity.key.sk)],
    }
}

/// The keys of no two entities of a table have the same shape.
fn is_of(entity: &EntityMeta, item: &Item) -> bool {
    let key = &entity.schema.key;
    let attributes = key.pk.iter().chain(key.sk);
    let templates = entity.key.pk.iter().chain(entity.key.sk);
    attributes
        .zip(templates)
        .all(|(attribute, template)| match item.get(attribute.name) {
            Some(AttributeValue::S(text) | AttributeValue::N(text)) => matches(template, text),
            _ => false,
        })
}
