//! From a template and its values to the text of a key, and back.

use super::{KeyBuf, KeyError, KeyErrorKind, KeyPart, Parts};
use crate::codec::Item;
use crate::entity::{DynaEntity, EntityMeta, KeyTemplates};
use crate::number::MAX_DIGITS;
use crate::schema::{Attribute, IndexSchema, Kind as AttributeKind};
use crate::shape::{self, Kind, Seg, Template};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use std::cell::Cell;
use std::marker::PhantomData;

/// Longest partition key, in bytes.
const MAX_PK: usize = 2048;
/// Longest sort key, in bytes.
pub(crate) const MAX_SK: usize = 1024;

thread_local! {
    /// Keys are put together here and then copied once, so that each is one allocation of its exact size.
    static SCRATCH: Cell<String> = const { Cell::new(String::new()) };
}

/// Writes one part and, if it is written by hand, looks whether it keeps its promise.
#[inline]
pub(crate) fn build_part<T: KeyPart>(part: &T, out: &mut KeyBuf) {
    let start = out.text.len();
    part.encode(out);
    if !T::TRUSTED && !fits(out, start) {
        out.fail(KeyErrorKind::Shape);
    }
}

fn fits(out: &KeyBuf, start: usize) -> bool {
    let text = out.text.get(start..).unwrap_or_default();
    out.error.is_some()
        || (shape::fits(out.part.shape, out.delimiter, text) && !text.contains(super::LAST))
}

/// The text of a key attribute.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum KeyValue {
    /// A string.
    S(String),
    /// A number.
    N(String),
    /// Bytes.
    B(Vec<u8>),
}

impl Default for KeyValue {
    fn default() -> Self {
        Self::S(String::new())
    }
}

impl KeyValue {
    pub(crate) fn of_attribute(value: &AttributeValue) -> Option<Self> {
        match value {
            AttributeValue::S(text) => Some(Self::S(text.clone())),
            AttributeValue::N(number) => Some(Self::N(number.clone())),
            AttributeValue::B(bytes) => Some(Self::B(bytes.as_ref().to_vec())),
            _ => None,
        }
    }

    pub(crate) fn into_attribute(self) -> AttributeValue {
        match self {
            Self::S(text) => AttributeValue::S(text),
            Self::N(number) => AttributeValue::N(number),
            Self::B(bytes) => AttributeValue::B(Blob::new(bytes)),
        }
    }
}

/// Puts a key attribute together: `first` is the part that the template begins with.
#[inline]
pub(crate) fn build(
    entity: &'static str,
    attribute: &Attribute,
    template: &'static Template,
    parts: &impl Parts,
    first: usize,
    max: usize,
) -> Result<KeyValue, Box<KeyError>> {
    let mut out = KeyBuf::new(entity, template.delimiter, SCRATCH.take());
    out.text.clear();
    write(template, parts, first, &mut out);
    let length = out.text.len().max(out.bytes.len());
    if length > max && out.error.is_none() {
        let kind = KeyErrorKind::TooLong { length, max };
        out.error = Some(Box::new(KeyError::new(entity, attribute.name, kind)));
    }
    if attribute.kind == AttributeKind::N && length > usize::from(MAX_DIGITS) && out.error.is_none()
    {
        let digits = out.text.bytes().filter(u8::is_ascii_digit).count();
        if digits > usize::from(MAX_DIGITS) {
            let kind = KeyErrorKind::TooWide { width: MAX_DIGITS };
            out.error = Some(Box::new(KeyError::new(entity, attribute.name, kind)));
        }
    }
    let value = match (out.error.take(), attribute.kind) {
        (Some(error), _) => Err(error),
        (None, AttributeKind::S) => Ok(KeyValue::S(out.text.as_str().to_owned())),
        (None, AttributeKind::N) => Ok(KeyValue::N(out.text.as_str().to_owned())),
        (None, AttributeKind::B) => Ok(KeyValue::B(std::mem::take(&mut out.bytes))),
    };
    SCRATCH.set(out.text);
    value
}

#[inline]
fn write(template: &'static Template, parts: &impl Parts, first: usize, out: &mut KeyBuf) {
    let mut n = first;
    let mut put = |part: shape::Part, out: &mut KeyBuf| {
        out.part = part;
        parts.put(n, out);
        n += 1;
    };
    for (at, field) in template.fields.iter().enumerate() {
        if at > 0 {
            out.text.push(char::from(template.delimiter));
        }
        match field.kind() {
            Kind::Lit(text) => out.text.push_str(text),
            Kind::Part(part) => put(part, out),
            Kind::Mixed(segs) => {
                for seg in segs {
                    match seg {
                        Seg::Lit(text) => out.text.push_str(text),
                        Seg::Part(part) => put(*part, out),
                    }
                }
            }
        }
    }
}

/// The primary key of an `E`, built by `E::key(..)`.
///
/// A value that no key may contain does not fail here but where the key is used: `send` returns the error and no
/// request is made. What the key says is private, so that no one can send it unchecked.
///
/// ```
/// # use dyna_runtime::{DynaEntity, DynaTable};
/// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
/// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
/// # struct User { id: String }
/// assert!(User::key("ann").check().is_ok());
///
/// let error = User::key("ann#admin").check().unwrap_err();
/// assert_eq!(error.to_string(), "User: key field `id` contains the delimiter '#'");
/// ```
pub struct Key<E> {
    id: Result<KeyId, Box<KeyError>>,
    entity: PhantomData<fn() -> E>,
}

/// The attributes of a primary key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct KeyId {
    pk: KeyValue,
    sk: Option<KeyValue>,
}

impl KeyId {
    pub(crate) fn new(pk: KeyValue, sk: Option<KeyValue>) -> Self {
        Self { pk, sk }
    }

    /// The key as DynamoDB takes it.
    pub(crate) fn into_item(self, schema: &IndexSchema) -> Item {
        let mut item = Item::with_capacity(2);
        let values = std::iter::once(self.pk).chain(self.sk);
        for (attribute, value) in schema.attributes().zip(values) {
            item.insert(attribute.name.to_owned(), value.into_attribute());
        }
        item
    }

    /// The values of its attributes, in their order.
    pub(crate) fn values(&self) -> impl Iterator<Item = &KeyValue> {
        std::iter::once(&self.pk).chain(&self.sk)
    }

    /// The key of a stored item.
    pub(crate) fn of_item(schema: &IndexSchema, item: &Item) -> Option<Self> {
        Self::from_values(schema, |attribute| {
            KeyValue::of_attribute(item.get(attribute.name)?)
        })
    }

    /// The key whose attributes have these values.
    pub(crate) fn from_values(
        schema: &IndexSchema,
        mut value: impl FnMut(&Attribute) -> Option<KeyValue>,
    ) -> Option<Self> {
        let pk = value(schema.pk.first()?)?;
        match schema.sk.first() {
            Some(sk) => value(sk).map(|sk| Self { pk, sk: Some(sk) }),
            None => Some(Self { pk, sk: None }),
        }
    }
}

impl<E: DynaEntity> Key<E> {
    /// Puts the key together from the values of its placeholders.
    #[doc(hidden)]
    #[inline]
    pub fn new(pk: impl Parts, sk: impl Parts) -> Self {
        Self {
            id: Self::build(&pk, &sk),
            entity: PhantomData,
        }
    }

    #[inline]
    fn build(pk: &impl Parts, sk: &impl Parts) -> Result<KeyId, Box<KeyError>> {
        let (meta, schema) = (E::META, E::META.schema);
        let pk = build(meta.name, schema.pk(), &meta.key.pk[0], pk, 0, MAX_PK)?;
        let sk = match (schema.sk(), meta.key.sk.first()) {
            (Some(attribute), Some(template)) => {
                Some(build(meta.name, attribute, template, sk, 0, MAX_SK)?)
            }
            _ => None,
        };
        Ok(KeyId { pk, sk })
    }

    /// Whether every value may stand in a key.
    pub fn check(&self) -> Result<(), KeyError> {
        match &self.id {
            Ok(_) => Ok(()),
            Err(error) => Err((**error).clone()),
        }
    }

    /// A key that was built before.
    pub(crate) fn from_id(id: KeyId) -> Self {
        Self {
            id: Ok(id),
            entity: PhantomData,
        }
    }

    /// Its attributes.
    pub(crate) fn id(&self) -> Result<KeyId, Box<KeyError>> {
        self.id.clone()
    }

    /// The key as DynamoDB takes it.
    pub(crate) fn into_item(self) -> Result<Item, Box<KeyError>> {
        self.id.map(|id| id.into_item(&E::META.schema.key))
    }
}

/// The partition key whose last field is a text, and has no others.
pub(crate) fn build_text(
    entity: &'static str,
    field: &'static str,
    template: &Template,
    text: &str,
) -> Result<String, Box<KeyError>> {
    let mut out = KeyBuf::new(entity, template.delimiter, String::new());
    template.literals_after(None, &mut out.text);
    out.part = shape::Part::new(field, shape::Shape::Rest);
    out.text(text);
    let text = out.finish()?.text;
    if text.len() > MAX_PK {
        let (length, max) = (text.len(), MAX_PK);
        let kind = KeyErrorKind::TooLong { length, max };
        return Err(Box::new(KeyError::new(entity, field, kind)));
    }
    Ok(text)
}

/// Fails if a field that is a key attribute itself is given a text, or bytes, that no key may have.
pub(crate) fn check_native(
    meta: &'static EntityMeta,
    attribute: &str,
    value: &AttributeValue,
) -> Result<(), Box<KeyError>> {
    let indexes = meta.indexes.iter();
    let halves = indexes.flat_map(|index| {
        let pk = index.schema.pk.iter().zip(index.keys.pk);
        let sk = index.schema.sk.iter().zip(index.keys.sk);
        pk.map(|half| (half, MAX_PK))
            .chain(sk.map(|half| (half, MAX_SK)))
    });
    for ((key, template), max) in halves.filter(|((key, _), _)| key.name == attribute) {
        let length = match value {
            AttributeValue::S(text) => {
                let mut out = KeyBuf::new(meta.name, template.delimiter, String::new());
                out.part = template.parts().next().unwrap_or(out.part);
                out.text(text);
                out.finish()?.text.len()
            }
            AttributeValue::B(bytes) => bytes.as_ref().len(),
            _ => continue,
        };
        let kind = match length {
            0 => KeyErrorKind::Empty,
            length if length > max => KeyErrorKind::TooLong { length, max },
            _ => continue,
        };
        return Err(Box::new(KeyError::new(meta.name, key.name, kind)));
    }
    Ok(())
}

/// Puts the attributes of a partition key together.
#[inline]
pub(crate) fn partition(
    entity: &'static str,
    schema: &IndexSchema,
    keys: &'static KeyTemplates,
    parts: &impl Parts,
    put: impl FnMut(&Attribute, KeyValue),
) -> Result<(), Box<KeyError>> {
    each(entity, schema.pk, keys.pk, parts, MAX_PK, put)
}

/// Puts the attributes of a sort key together.
#[inline]
pub(crate) fn sort(
    entity: &'static str,
    schema: &IndexSchema,
    keys: &'static KeyTemplates,
    parts: &impl Parts,
    put: impl FnMut(&Attribute, KeyValue),
) -> Result<(), Box<KeyError>> {
    each(entity, schema.sk, keys.sk, parts, MAX_SK, put)
}

#[inline]
fn each(
    entity: &'static str,
    attributes: &[Attribute],
    templates: &'static [Template],
    parts: &impl Parts,
    max: usize,
    mut put: impl FnMut(&Attribute, KeyValue),
) -> Result<(), Box<KeyError>> {
    let mut first = 0;
    for (attribute, template) in attributes.iter().zip(templates) {
        put(
            attribute,
            build(entity, attribute, template, parts, first, max)?,
        );
        first += template.parts().count();
    }
    Ok(())
}

impl<E> Clone for Key<E> {
    fn clone(&self) -> Self {
        Self {
            id: self.id.clone(),
            entity: PhantomData,
        }
    }
}

impl<E> PartialEq for Key<E> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// Without the values, which may be personal data; `explain()` of a request shows them.
impl<E: DynaEntity> std::fmt::Debug for Key<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.id {
            Ok(_) => write!(f, "Key({})", E::META.name),
            Err(error) => write!(f, "Key({error})"),
        }
    }
}

/// A stored primary key, taken apart.
#[derive(Debug)]
pub struct Parsed<'k> {
    entity: &'static str,
    attributes: [&'static str; 2],
    pk: Vec<&'k str>,
    sk: Vec<&'k str>,
}

impl<'k> Parsed<'k> {
    /// Takes the key of an `E` apart. `sk` is not looked at if the table has no sort key.
    pub fn new<E: DynaEntity>(pk: &'k str, sk: &'k str) -> Result<Self, KeyError> {
        let entity = E::META.name;
        let schema = E::META.schema;
        let foreign = |attribute| KeyError::new(entity, attribute, KeyErrorKind::Foreign);
        let pk_attribute = schema.pk().name;
        let sk_attribute = schema.sk().map_or("", |attribute| attribute.name);
        let pk = shape::split(&E::META.key.pk[0], pk).ok_or_else(|| foreign(pk_attribute))?;
        let sk = match E::META.key.sk.first() {
            Some(template) => shape::split(template, sk).ok_or_else(|| foreign(sk_attribute))?,
            None => Vec::new(),
        };
        Ok(Self {
            entity,
            attributes: [pk_attribute, sk_attribute],
            pk,
            sk,
        })
    }

    /// Placeholder `n` of the partition key.
    pub fn pk(&self, n: usize) -> Found<'k> {
        self.found(self.attributes[0], self.pk.get(n))
    }

    /// Placeholder `n` of the sort key.
    pub fn sk(&self, n: usize) -> Found<'k> {
        self.found(self.attributes[1], self.sk.get(n))
    }

    fn found(&self, attribute: &'static str, text: Option<&&'k str>) -> Found<'k> {
        Found {
            entity: self.entity,
            attribute,
            text: text.copied(),
        }
    }
}

/// The text of a placeholder of a stored key.
#[derive(Debug)]
pub struct Found<'k> {
    entity: &'static str,
    attribute: &'static str,
    pub(super) text: Option<&'k str>,
}

impl Found<'_> {
    /// The error that the text is not one of the field's.
    pub(super) fn foreign(&self) -> KeyError {
        KeyError::new(self.entity, self.attribute, KeyErrorKind::Foreign)
    }
}
