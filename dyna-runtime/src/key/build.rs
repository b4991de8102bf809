//! From a template and its values to the text of a key.

use super::templates::KeyTemplates;
use super::{KeyArg, KeyBuf, KeyError, KeyErrorKind, KeyPart, PartVisitor, Parts};
use crate::codec::Item;
use crate::codec::number::{MAX_DIGITS, StoredNumber, is_same_number};
use crate::schema::{IndexSchema, KeyAttribute, ScalarType as AttributeKind};
use crate::shape;
use crate::shape::{KeyLayout, Layout, Part, Shape, Template};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use std::borrow::Cow;
use std::hash::{Hash, Hasher};

/// Longest partition key, in bytes.
pub(crate) const MAX_PK: usize = 2048;
/// Longest sort key, in bytes.
pub(crate) const MAX_SK: usize = 1024;

/// A placeholder without a name that any text can fill.
pub(super) const ANY_TEXT: &Part = &Part::new("", Shape::Rest);

/// Writes one part and, if it is written by hand, looks whether it keeps its promise.
#[inline]
pub(crate) fn build_part<T: KeyPart>(part: &T, out: &mut KeyBuf) {
    let start = out.text.len();
    part.encode(out);
    if !T::TRUSTED && !out.measuring && !fits(out, start) {
        out.fail(KeyErrorKind::ShapeMismatch);
    }
}

pub(super) fn fits(out: &KeyBuf, start: usize) -> bool {
    let fits = |text: &str| {
        shape::fits(out.part.shape.of_value(), out.delimiter, text) && !text.contains(super::LAST)
    };
    out.error.is_some() || out.text.get(start..).is_some_and(fits)
}

/// The text of a key attribute. Numbers are the same if their values are, as DynamoDB has it: `7`, `7.0` and `7E0` are one key.
#[derive(Debug, Clone, Eq)]
pub(crate) enum KeyValue {
    /// A string.
    S(String),
    /// A number.
    N(String),
    /// Bytes.
    B(Vec<u8>),
}

impl PartialEq for KeyValue {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::S(one), Self::S(other)) => one == other,
            (Self::B(one), Self::B(other)) => one == other,
            (Self::N(one), Self::N(other)) => is_same_number(one, other),
            _ => false,
        }
    }
}

impl Hash for KeyValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::S(text) => text.hash(state),
            Self::B(bytes) => bytes.hash(state),
            Self::N(digits) => match StoredNumber::parse(digits) {
                Some(number) => number.hash(state),
                None => digits.hash(state),
            },
        }
    }
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

/// Puts a key attribute together: `first` is the part that its template begins with.
///
/// Measures first, so that the key is one allocation of its exact size.
#[expect(
    clippy::inline_always,
    reason = "of a template that is known, this is as little code as one would write by hand"
)]
#[inline(always)]
pub(crate) fn build(
    entity: &'static str,
    attribute: &KeyAttribute,
    layout: impl Layout,
    parts: &impl Parts,
    first: usize,
    max: usize,
) -> Result<KeyValue, Box<KeyError>> {
    let length = {
        let mut out = KeyBuf::measure();
        parts.each(&mut MeasureVisitor(&layout, first, &mut out));
        layout.known + out.measured
    };
    let mut out = KeyBuf::new(layout.delimiter, String::with_capacity(length));
    parts.each(&mut WriteVisitor(layout, first, &mut out));
    layout.literals(layout.parts, &mut out.text);
    let length = match attribute.kind {
        AttributeKind::S | AttributeKind::N => out.text.len(),
        AttributeKind::B => out.bytes.len(),
    };
    if length > max || attribute.kind == AttributeKind::N {
        out.check_length(attribute, length, max);
    }
    if let Some((field, kind)) = out.error {
        return refuse(entity, field, kind);
    }
    Ok(match attribute.kind {
        AttributeKind::S => KeyValue::S(out.text),
        AttributeKind::N => KeyValue::N(out.text),
        // A binary key without bytes would be another item's key.
        AttributeKind::B if out.bytes.is_empty() => {
            return refuse(entity, attribute.name, KeyErrorKind::ShapeMismatch);
        }
        AttributeKind::B => KeyValue::B(out.bytes),
    })
}

#[cold]
fn refuse<T>(
    entity: &'static str,
    field: &'static str,
    kind: KeyErrorKind,
) -> Result<T, Box<KeyError>> {
    Err(Box::new(KeyError::new(entity, field, kind)))
}

/// Counts the bytes that the template does not tell.
struct MeasureVisitor<'a>(&'a KeyLayout, usize, &'a mut KeyBuf);

impl PartVisitor for MeasureVisitor<'_> {
    #[expect(clippy::inline_always, reason = "as `build`")]
    #[inline(always)]
    fn part(&mut self, n: usize, value: &impl KeyArg) {
        let Self(layout, first, out) = self;
        let n = n.wrapping_sub(*first);
        if n < layout.parts && !layout.is_fixed(n) {
            out.put(layout.part(n), value);
        }
    }
}

/// Writes the values, and the text before each.
struct WriteVisitor<'a, P>(P, usize, &'a mut KeyBuf);

impl<P: Layout> PartVisitor for WriteVisitor<'_, P> {
    #[expect(clippy::inline_always, reason = "as `build`")]
    #[inline(always)]
    fn part(&mut self, n: usize, value: &impl KeyArg) {
        let Self(layout, first, out) = self;
        let n = n.wrapping_sub(*first);
        if n < layout.parts {
            layout.literals(n, &mut out.text);
            out.put(layout.part(n), value);
        }
    }
}

impl KeyBuf {
    /// Refuses a key that DynamoDB would.
    #[inline(never)]
    fn check_length(&mut self, attribute: &KeyAttribute, length: usize, max: usize) {
        let is_short = || self.text.len() <= usize::from(MAX_DIGITS);
        let digits = || StoredNumber::parse(&self.text).map_or(0, |number| number.significant());
        let kind = match attribute.kind {
            _ if length > max => KeyErrorKind::TooLong { length, max },
            AttributeKind::N if !is_short() && digits() > usize::from(MAX_DIGITS) => {
                KeyErrorKind::TooManyDigits { width: MAX_DIGITS }
            }
            _ => return,
        };
        self.error.get_or_insert((attribute.name, kind));
    }
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
        for (name, value) in self.into_named(schema) {
            item.insert(name.to_owned(), value.into_attribute());
        }
        item
    }

    /// Its values, with the names of their attributes.
    #[inline]
    pub(crate) fn into_named(
        self,
        schema: &IndexSchema,
    ) -> impl Iterator<Item = (&'static str, KeyValue)> {
        let values = std::iter::once(self.pk).chain(self.sk);
        let names = schema.attributes().map(|attribute| attribute.name);
        names.zip(values)
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
        mut value: impl FnMut(&KeyAttribute) -> Option<KeyValue>,
    ) -> Option<Self> {
        let pk = value(schema.pk.first()?)?;
        match schema.sk.first() {
            Some(sk) => value(sk).map(|sk| Self { pk, sk: Some(sk) }),
            None => Some(Self { pk, sk: None }),
        }
    }
}

/// The partition key of a template whose placeholders are these texts, each with the name of its field.
pub(crate) fn build_texts(
    entity: &'static str,
    template: &Template,
    texts: &[(&'static str, Cow<'_, str>)],
) -> Result<String, Box<KeyError>> {
    let mut out = KeyBuf::new(template.delimiter, String::new());
    template.literals_after(None, &mut out.text);
    for (n, (part, (field, text))) in template.parts().zip(texts).enumerate() {
        out.enter(Some(part));
        out.text(text);
        if let Some((_, kind)) = out.error.take() {
            return refuse(entity, field, kind);
        }
        template.literals_after(Some(n), &mut out.text);
    }
    let (length, max) = (out.text.len(), MAX_PK);
    match texts.last() {
        Some((field, _)) if length > max => {
            refuse(entity, field, KeyErrorKind::TooLong { length, max })
        }
        _ => Ok(out.text),
    }
}

/// The length of a text that is a key attribute by itself, unless no key may have it.
pub(crate) fn native_length(
    entity: &'static str,
    template: &Template,
    text: &str,
) -> Result<usize, Box<KeyError>> {
    let mut out = KeyBuf::new(template.delimiter, String::new());
    out.enter(template.parts().next());
    out.text(text);
    Ok(out.finish(entity)?.text.len())
}

/// Puts the attributes of a partition key together.
#[inline]
pub(crate) fn partition(
    entity: &'static str,
    schema: &IndexSchema,
    keys: &'static KeyTemplates,
    parts: &impl Parts,
    put: impl FnMut(&KeyAttribute, KeyValue),
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
    put: impl FnMut(&KeyAttribute, KeyValue),
) -> Result<(), Box<KeyError>> {
    each(entity, schema.sk, keys.sk, parts, MAX_SK, put)
}

/// Puts an attribute of any template together.
fn build_any(
    entity: &'static str,
    attribute: &KeyAttribute,
    layout: &KeyLayout,
    parts: &impl Parts,
    first: usize,
    max: usize,
) -> Result<KeyValue, Box<KeyError>> {
    build(entity, attribute, layout, parts, first, max)
}

#[inline]
fn each(
    entity: &'static str,
    attributes: &[KeyAttribute],
    templates: &'static [Template],
    parts: &impl Parts,
    max: usize,
    mut put: impl FnMut(&KeyAttribute, KeyValue),
) -> Result<(), Box<KeyError>> {
    let mut first = 0;
    for (attribute, template) in attributes.iter().zip(templates) {
        let layout = KeyLayout::of(template);
        let value = build_any(entity, attribute, &layout, parts, first, max)?;
        put(attribute, value);
        first += layout.parts;
    }
    Ok(())
}
