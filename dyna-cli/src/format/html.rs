//! One page for the browser: which items share a partition, in which order, and what can be asked. Nothing in it comes from elsewhere.

use crate::catalog::{Catalog, Entry};
use crate::decimal::Decimal;
use crate::document::{Tree, map};
use crate::pattern::AccessPattern;
use crate::sample::{Sample, plain};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::schema::{Attribute, IndexSchema};
use dyna_runtime::shape::Template;
use dyna_runtime::{EntityMeta, KeyTemplates};
use std::cmp::Ordering;
use std::collections::BTreeMap;

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

pub(super) fn page(catalog: &Catalog) -> String {
    let titles: Vec<&str> = catalog
        .entries
        .iter()
        .map(|entry| title(catalog, entry))
        .collect();
    let tables = catalog.entries.iter().zip(&titles);
    let data =
        map! { "tables" => tables.map(|(entry, title)| table(entry, title)).collect::<Tree>() };
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
fn title<'c>(catalog: &Catalog, entry: &'c Entry) -> &'c str {
    let name = entry.schema.type_name;
    let alike = catalog
        .entries
        .iter()
        .filter(|other| other.schema.type_name == name);
    if alike.count() == 1 {
        name
    } else {
        &entry.name
    }
}

fn table(entry: &Entry, title: &str) -> Tree {
    let schema = entry.schema;
    let facts = [
        Some(("key", schema.key.display_key().to_string())),
        schema.ttl.map(|ttl| ("expires by", ttl.name.to_owned())),
        schema.stream.map(|view| ("stream", view.to_string())),
    ];
    let facts = facts.into_iter().flatten();
    map! {
        "title" => title,
        "name" => entry.name.as_str(),
        "doc" => schema.doc,
        "facts" => facts.map(|(name, value)| vec![name.to_owned(), value]).collect::<Tree>(),
        "keys" => schema.keys().map(|key| space(entry, key)).collect::<Tree>(),
        "entities" => entry.entities.iter().map(|entity| described(entity)).collect::<Tree>(),
        "items" => entry.samples.iter().map(|sample| map! {
            "entity" => sample.entity.name,
            // As text: a browser would round its numbers.
            "item" => sample.plain().json(),
        }).collect::<Tree>(),
        "patterns" => entry.patterns().iter().map(|asked| pattern(entry, asked)).collect::<Tree>(),
    }
}

fn described(entity: &EntityMeta) -> Tree {
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
        "fields" => fields.collect::<Tree>(),
    }
}

fn pattern(entry: &Entry, pattern: &AccessPattern) -> Tree {
    map! {
        "entity" => pattern.entity,
        "call" => pattern.call.as_str(),
        "operation" => pattern.operation,
        "index" => pattern.index,
        "means" => pattern.means(),
        "request" => pattern.request(&entry.name, entry.schema).json(),
    }
}

/// The table by its own key, or an index: who is in it, and the items by partition.
fn space(entry: &Entry, key: &IndexSchema) -> Tree {
    let members = entry.entities.iter().filter_map(|entity| {
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
        "scope" => key.scope.to_string(),
        "pk" => key.pk.iter().map(|pk| pk.name).collect::<Tree>(),
        "sk" => key.sk.iter().map(|sk| sk.name).collect::<Tree>(),
        "holds" => key.projection.to_string(),
        "members" => members.collect::<Tree>(),
        "partitions" => partitions(entry, key),
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

fn templates(templates: &[Template]) -> Tree {
    templates.iter().map(|template| template.text).collect()
}

/// The items that have the key, partition by partition, in the order of their sort keys.
fn partitions(entry: &Entry, key: &IndexSchema) -> Tree {
    let mut partitions: BTreeMap<String, Vec<(usize, &Sample)>> = BTreeMap::new();
    for (at, sample) in entry.samples.iter().enumerate() {
        let is_in = key.attributes().all(|key| sample.get(key.name).is_some());
        if is_in {
            let items = partitions.entry(shown(sample, key.pk)).or_default();
            items.push((at, sample));
        }
    }
    // What has no order is told apart by its own key.
    let own: Vec<Attribute> = entry.schema.key.attributes().copied().collect();
    let told_by = if key.sk.is_empty() { &own } else { key.sk };
    let partitions = partitions.into_iter().map(|(partition, mut items)| {
        items.sort_by(|(_, a), (_, b)| ordered(a, b, key.sk));
        let items = items.into_iter().map(|(at, sample)| {
            map! {
                "sk" => shown(sample, told_by),
                "item" => Tree::Number(at.to_string()),
            }
        });
        map! { "pk" => partition, "items" => items.collect::<Tree>() }
    });
    partitions.collect()
}

/// The values of a half of a key, as people write them.
fn shown(sample: &Sample, half: &[Attribute]) -> String {
    let values = half.iter().filter_map(|key| sample.get(key.name));
    let values = values.map(|value| match plain(value) {
        Tree::Text(text) | Tree::Number(text) => text,
        tree => tree.json(),
    });
    values.collect::<Vec<_>>().join("  ·  ")
}

/// As DynamoDB sorts: text and bytes by their bytes, numbers by their value.
fn ordered(a: &Sample, b: &Sample, sk: &[Attribute]) -> Ordering {
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
