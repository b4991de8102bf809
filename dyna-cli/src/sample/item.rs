//! Items to show, with their attributes in order, and as JSON.

use super::value::{field_value, part_text, word};
use crate::document::Document;
use crate::pattern::{fill, function};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::codec::Item;
use dyna_runtime::entity::EntityMeta;
use dyna_runtime::key::KeyTemplates;
use dyna_runtime::schema::{IndexSchema, KeyAttribute, ScalarType};
use dyna_runtime::shape::{Part, Template};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// How many items are made up for an entity.
const MADE_UP: usize = 2;

/// An item of an entity: its keys, then its tag, then its fields in their order.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) entity: &'static EntityMeta,
    pub(crate) attributes: Vec<(String, AttributeValue)>,
}

/// Items of an entity that its templates allow: fewer if its keys have not so many values.
pub(crate) fn made_up(entity: &'static EntityMeta) -> Vec<Sample> {
    let mut samples: Vec<Sample> = Vec::new();
    for sample in (1..=MADE_UP).map(|n| Sample::made_up(entity, n)) {
        let is_other = |made: &Sample| {
            let mut key = entity.schema.key.attributes();
            key.any(|key| made.get(key.name) != sample.get(key.name))
        };
        if samples.iter().all(is_other) {
            samples.push(sample);
        }
    }
    samples
}

impl Sample {
    /// Item `n`: one of the same partition as the others, if the sort key tells them apart.
    fn made_up(entity: &'static EntityMeta, n: usize) -> Self {
        let number = Numbers::from_entity(entity, n);
        let mut item = Item::new();
        let mut write = |schema: &IndexSchema, templates: &KeyTemplates| {
            let templates = templates.pk.iter().chain(templates.sk);
            for (attribute, template) in schema.attributes().zip(templates) {
                let text = filled(entity, template, &number);
                item.insert(attribute.name.to_owned(), key_value(attribute, text));
            }
        };
        write(&entity.schema.key, &entity.key);
        for index in entity.indexes {
            write(index.schema, &index.keys);
        }
        if let Some(tag) = &entity.schema.tag {
            let text = AttributeValue::S(entity.tag.to_owned());
            item.insert(tag.attribute.name.to_owned(), text);
        }
        // An item of an enum is one of its first variant.
        let variant = entity.variants.and_then(|variants| {
            let variant = variants.list.first()?;
            let name = AttributeValue::S(variant.name.to_owned());
            item.insert(variants.tag.to_owned(), name);
            Some(variant)
        });
        let own = variant.map_or(&[][..], |variant| variant.fields);
        let fields = entity.fields.iter().chain(own);
        for field in fields.filter(|field| !field.key_only) {
            let n = number.of_field(field.name);
            let is_ttl = entity
                .schema
                .ttl
                .is_some_and(|ttl| ttl.name == field.attribute);
            let value = field_value(field, verbatim(entity, field.name), is_ttl, n);
            if let (false, Some(value)) = (item.contains_key(field.attribute), value) {
                item.insert(field.attribute.to_owned(), value);
            }
        }
        Self::given(entity, item)
    }

    /// The item as it is.
    pub(crate) fn given(entity: &'static EntityMeta, mut item: Item) -> Self {
        let keys = std::iter::once(&entity.schema.key)
            .chain(entity.indexes.iter().map(|index| index.schema))
            .flat_map(IndexSchema::attributes)
            .map(|attribute| attribute.name);
        let tag = entity.schema.tag.map(|tag| tag.attribute.name);
        let fields = entity.fields.iter().map(|field| field.attribute);
        let mut attributes = Vec::new();
        for name in keys.chain(tag).chain(fields) {
            attributes.extend(item.remove(name).map(|value| (name.to_owned(), value)));
        }
        attributes.extend(item.into_iter().collect::<BTreeMap<_, _>>());
        Self { entity, attributes }
    }

    /// The value of an attribute.
    pub(crate) fn get(&self, name: &str) -> Option<&AttributeValue> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(attribute, _)| attribute == name);
        found.map(|(_, value)| value)
    }

    /// As DynamoDB's own JSON: `{"pk": {"S": ".."}}`.
    pub(crate) fn typed(&self) -> Document {
        let attributes = self.attributes.iter();
        Document::Map(
            attributes
                .map(|(name, value)| (name.clone(), typed(value)))
                .collect(),
        )
    }

    /// As JSON that people read: `{"pk": ".."}`.
    pub(crate) fn plain(&self) -> Document {
        let attributes = self.attributes.iter();
        Document::Map(
            attributes
                .map(|(name, value)| (name.clone(), plain(value)))
                .collect(),
        )
    }
}

/// The text of a key.
fn filled(entity: &'static EntityMeta, template: &Template, number: &Numbers) -> String {
    fill(template, |at, part| {
        let n = number.of_field(part.name);
        let field = verbatim(entity, part.name);
        let text = || field.map_or_else(|| word(part.name, n), |part| part_text(part, n));
        match function(template, at) {
            Some("lower") => text().to_lowercase(),
            Some("upper") => text().to_uppercase(),
            Some("sha256") => sha256(&text()),
            _ => part_text(part, n),
        }
    })
}

/// The SHA-256 of a text, as 64 lower-case hex digits.
fn sha256(text: &str) -> String {
    let mut digits = String::new();
    for byte in Sha256::digest(text) {
        digits += &format!("{byte:02x}");
    }
    digits
}

/// The placeholder of a field that stands in a key as it is.
fn verbatim(entity: &'static EntityMeta, field: &str) -> Option<&'static Part> {
    let indexes = entity.indexes.iter().map(|index| &index.keys);
    let keys = std::iter::once(&entity.key).chain(indexes);
    let mut templates = keys.flat_map(|keys| keys.pk.iter().chain(keys.sk));
    templates.find_map(|template| {
        let mut parts = template.parts().enumerate();
        let found = parts.find(|(n, part)| part.name == field && function(template, *n).is_none());
        found.map(|(_, part)| part)
    })
}

/// Which fields have the number of their item, and which that of the partition.
struct Numbers {
    partition: Vec<&'static str>,
    n: usize,
}

impl Numbers {
    fn from_entity(entity: &'static EntityMeta, n: usize) -> Self {
        let names = |templates: &'static [Template]| {
            let parts = templates.iter().flat_map(Template::parts);
            parts.map(|part| part.name).collect::<Vec<_>>()
        };
        let (pk, sk) = (names(entity.key.pk), names(entity.key.sk));
        let told_apart = sk.iter().any(|field| !pk.contains(field));
        Self {
            partition: if told_apart { pk } else { Vec::new() },
            n,
        }
    }

    fn of_field(&self, name: &str) -> usize {
        if self.partition.contains(&name) {
            1
        } else {
            self.n
        }
    }
}

fn key_value(attribute: &KeyAttribute, text: String) -> AttributeValue {
    match attribute.kind {
        ScalarType::S => AttributeValue::S(text),
        ScalarType::N => AttributeValue::N(text),
        ScalarType::B => AttributeValue::B(Blob::new(text)),
    }
}

fn typed(value: &AttributeValue) -> Document {
    let tree = match value {
        AttributeValue::N(number) => Document::from(number.as_str()),
        AttributeValue::Ns(set) => set.iter().map(String::as_str).collect(),
        AttributeValue::L(list) => list.iter().map(typed).collect(),
        AttributeValue::M(map) => sorted(map, typed),
        AttributeValue::Null(_) => Document::Bool(true),
        value => plain(value),
    };
    Document::Map(vec![(type_name(value).to_owned(), tree)])
}

/// What DynamoDB calls the type of a value.
pub(crate) fn type_name(value: &AttributeValue) -> &'static str {
    match value {
        AttributeValue::S(_) => "S",
        AttributeValue::N(_) => "N",
        AttributeValue::B(_) => "B",
        AttributeValue::Bool(_) => "BOOL",
        AttributeValue::Ss(_) => "SS",
        AttributeValue::Ns(_) => "NS",
        AttributeValue::Bs(_) => "BS",
        AttributeValue::L(_) => "L",
        AttributeValue::M(_) => "M",
        _ => "NULL",
    }
}

pub(crate) fn plain(value: &AttributeValue) -> Document {
    use base64ct::{Base64, Encoding};
    let bytes = |blob: &Blob| Document::from(Base64::encode_string(blob.as_ref()));
    match value {
        AttributeValue::S(text) => Document::from(text.as_str()),
        AttributeValue::N(number) => Document::Number(number.clone()),
        AttributeValue::B(blob) => bytes(blob),
        AttributeValue::Bool(value) => Document::Bool(*value),
        AttributeValue::Ss(set) => set.iter().map(String::as_str).collect(),
        AttributeValue::Ns(set) => set.iter().cloned().map(Document::Number).collect(),
        AttributeValue::Bs(set) => set.iter().map(bytes).collect(),
        AttributeValue::L(list) => list.iter().map(plain).collect(),
        AttributeValue::M(map) => sorted(map, plain),
        _ => Document::Null,
    }
}

fn sorted(map: &Item, tree: fn(&AttributeValue) -> Document) -> Document {
    let entries: BTreeMap<_, _> = map.iter().collect();
    let entries = entries.into_iter();
    Document::Map(
        entries
            .map(|(name, value)| (name.clone(), tree(value)))
            .collect(),
    )
}
