//! One page for the browser: the items of each partition in key order, and the requests that read them. It loads nothing from elsewhere.

use crate::catalog::{Catalog, CatalogTable};
use crate::decimal::Decimal;
use crate::document::{Document, map};
use crate::pattern::AccessPattern;
use crate::sample::{Sample, plain};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::entity::EntityMeta;
use dyna_runtime::key::KeyTemplates;
use dyna_runtime::schema::{IndexSchema, KeyAttribute};
use dyna_runtime::shape::Template;
use std::cmp::Ordering;
use std::collections::BTreeMap;

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

pub(super) fn page(catalog: &Catalog) -> String {
    let titles: Vec<&str> = catalog
        .tables
        .iter()
        .map(|table| title(catalog, table))
        .collect();
    let tables = catalog.tables.iter().zip(&titles);
    let data = map! { "tables" => tables.map(|(table, title)| table_data(table, title)).collect::<Document>() };
    let title = titles.join(", ");
    // Nothing in the data can end the element that holds it.
    let data = data.json().replace('<', "\\u003c");
    PAGE.replace("/*style*/", STYLE)
        .replace("/*script*/", SCRIPT)
        .replace("<!--title-->", &escaped(&title))
        .replace("/*data*/", &data)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The type of a table, or its name if several types are called alike.
fn title<'c>(catalog: &Catalog, table: &'c CatalogTable) -> &'c str {
    let name = table.schema.type_name;
    let alike = catalog
        .tables
        .iter()
        .filter(|other| other.schema.type_name == name);
    if alike.count() == 1 {
        name
    } else {
        &table.name
    }
}

fn table_data(table: &CatalogTable, title: &str) -> Document {
    let schema = table.schema;
    let facts = [
        Some(("key", schema.key.display_key().to_string())),
        schema.ttl.map(|ttl| ("expires by", ttl.name.to_owned())),
        schema.stream.map(|view| ("stream", view.to_string())),
    ];
    let facts = facts.into_iter().flatten();
    map! {
        "title" => title,
        "name" => table.name.as_str(),
        "doc" => schema.doc,
        "facts" => facts.map(|(name, value)| vec![name.to_owned(), value]).collect::<Document>(),
        "keys" => schema.keys().map(|key| key_data(table, key)).collect::<Document>(),
        "entities" => table.entities.iter().map(|entity| entity_data(entity)).collect::<Document>(),
        "items" => table.samples.iter().map(|sample| map! {
            "entity" => sample.entity.name,
            // As text: a browser would round its numbers.
            "item" => sample.plain().json(),
        }).collect::<Document>(),
        "patterns" => table.patterns().iter().map(|pattern| pattern_data(table, pattern)).collect::<Document>(),
    }
}

fn entity_data(entity: &EntityMeta) -> Document {
    let fields = entity.fields.iter().map(|field| {
        map! {
            "name" => field.name,
            "attribute" => (!field.key_only).then_some(field.attribute),
            "type" => field.ty,
            "doc" => field.doc,
        }
    });
    map! {
        "name" => entity.name,
        "doc" => entity.doc,
        "tag" => entity.schema.tag.map(|_| entity.tag),
        "fields" => fields.collect::<Document>(),
    }
}

fn pattern_data(table: &CatalogTable, pattern: &AccessPattern) -> Document {
    map! {
        "entity" => pattern.entity,
        "call" => pattern.call.as_str(),
        "operation" => pattern.operation,
        "index" => pattern.index,
        "means" => pattern.means(),
        "request" => pattern.request(&table.name, table.schema).json(),
    }
}

/// The table by its own key, or an index: who is in it, and the items by partition.
fn key_data(table: &CatalogTable, key: &IndexSchema) -> Document {
    let members = table.entities.iter().filter_map(|entity| {
        let (function, keys) = member(entity, key)?;
        Some(map! {
            "entity" => entity.name,
            "function" => function,
            "pk" => templates(keys.pk),
            "sk" => templates(keys.sk),
        })
    });
    map! {
        "name" => key.name,
        "scope" => key.kind.to_string(),
        "pk" => key.pk.iter().map(|pk| pk.name).collect::<Document>(),
        "sk" => key.sk.iter().map(|sk| sk.name).collect::<Document>(),
        "holds" => key.projection.to_string(),
        "members" => members.collect::<Document>(),
        "partitions" => partitions(table, key),
    }
}

/// The templates of an entity for a key, and the function that queries it.
fn member<'e>(entity: &'e EntityMeta, key: &IndexSchema) -> Option<(&'e str, &'e KeyTemplates)> {
    if key.name.is_empty() {
        return Some(("query", &entity.key));
    }
    let mut indexes = entity.indexes.iter();
    let index = indexes.find(|index| index.schema.name == key.name)?;
    Some((index.accessor, &index.keys))
}

fn templates(templates: &[Template]) -> Document {
    templates.iter().map(|template| template.text).collect()
}

/// The items that have the key, partition by partition, in the order of their sort keys.
fn partitions(table: &CatalogTable, key: &IndexSchema) -> Document {
    let mut partitions: BTreeMap<String, Vec<(usize, &Sample)>> = BTreeMap::new();
    for (at, sample) in table.samples.iter().enumerate() {
        let is_in = key.attributes().all(|key| sample.get(key.name).is_some());
        if is_in {
            let items = partitions.entry(shown(sample, key.pk)).or_default();
            items.push((at, sample));
        }
    }
    // What has no order is told apart by its own key.
    let own: Vec<KeyAttribute> = table.schema.key.attributes().copied().collect();
    let told_by = if key.sk.is_empty() { &own } else { key.sk };
    let partitions = partitions.into_iter().map(|(partition, mut items)| {
        items.sort_by(|(_, a), (_, b)| ordered(a, b, key.sk));
        let items = items.into_iter().map(|(at, sample)| {
            map! {
                "sk" => shown(sample, told_by),
                "item" => Document::Number(at.to_string()),
            }
        });
        map! { "pk" => partition, "items" => items.collect::<Document>() }
    });
    partitions.collect()
}

/// The values of a half of a key, as people write them.
fn shown(sample: &Sample, half: &[KeyAttribute]) -> String {
    let values = half.iter().filter_map(|key| sample.get(key.name));
    let values = values.map(|value| match plain(value) {
        Document::Text(text) | Document::Number(text) => text,
        tree => tree.json(),
    });
    values.collect::<Vec<_>>().join("  ·  ")
}

/// As DynamoDB sorts: text and bytes by their bytes, numbers by their value.
fn ordered(a: &Sample, b: &Sample, sk: &[KeyAttribute]) -> Ordering {
    let compared = sk
        .iter()
        .map(|key| match (a.get(key.name), b.get(key.name)) {
            (Some(AttributeValue::S(a)), Some(AttributeValue::S(b))) => a.cmp(b),
            (Some(AttributeValue::B(a)), Some(AttributeValue::B(b))) => a.as_ref().cmp(b.as_ref()),
            (Some(AttributeValue::N(a)), Some(AttributeValue::N(b))) => {
                Decimal::parse(a).cmp(&Decimal::parse(b))
            }
            _ => Ordering::Equal,
        });
    compared.fold(Ordering::Equal, Ordering::then)
}
