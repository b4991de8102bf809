//! Where attributes are read from: the SDK's values, or the bytes of an answer. What is read, and how it fails, is the same for both.

use std::borrow::Cow;
use std::collections::hash_map;
use std::{mem, slice};

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;

use super::Item;
use super::error::DecodeError;
use super::sets::SetKind;
use super::wire::{Cursor, Type};

/// An attribute that was not looked at yet. What it holds is taken out of it.
pub(super) enum Source<'c, 'de> {
    Sdk(&'c mut AttributeValue),
    /// An attribute with its type: `{"S":"text"}`.
    Wire(&'c Cursor<'de>),
    /// An element of a set, which has no type of its own.
    Element(SetKind, &'c Cursor<'de>),
    /// The attributes of an item.
    Item(&'c mut Patch, &'c Cursor<'de>),
}

/// How the attributes of an item differ from those that are stored.
#[derive(Default)]
pub(crate) struct Patch {
    /// Attributes that are added.
    pub(crate) given: Item,
    /// Stored attributes that are not shown.
    pub(crate) hidden: Vec<&'static str>,
}

/// What an attribute holds.
pub(super) enum Value<'c, 'de> {
    S(Cow<'de, str>),
    N(Cow<'de, str>),
    B(Vec<u8>),
    Bool(bool),
    Null,
    L(List<'c, 'de>),
    Set(SetKind, List<'c, 'de>),
    M(Map<'c, 'de>),
    Unknown,
}

impl Value<'_, '_> {
    #[cold]
    pub(super) fn instead_of(&self, expected: &str) -> DecodeError {
        let found = match self {
            Self::S(_) => "string",
            Self::N(_) => "number",
            Self::B(_) => "binary",
            Self::Bool(_) => "boolean",
            Self::Null => "null",
            Self::L(_) => "list",
            Self::Set(SetKind::String, _) => "string set",
            Self::Set(SetKind::Number, _) => "number set",
            Self::Set(SetKind::Binary, _) => "binary set",
            Self::M(_) => "map",
            Self::Unknown => "attribute of an unknown type",
        };
        DecodeError::new(format!("expected {expected}, found {found}"))
    }
}

impl<'c, 'de> Source<'c, 'de> {
    /// What the attribute holds.
    pub(super) fn value(self) -> Result<Value<'c, 'de>, DecodeError> {
        match self {
            Self::Sdk(attribute) => Ok(sdk_value(attribute)),
            Self::Wire(cursor) => wire_value(cursor),
            Self::Element(SetKind::String, cursor) => cursor.string().map(Value::S),
            Self::Element(SetKind::Number, cursor) => cursor.string().map(Value::N),
            Self::Element(SetKind::Binary, cursor) => cursor.binary().map(Value::B),
            Self::Item(patch, cursor) => Ok(Value::M(Map::Item(patch, cursor))),
        }
    }

    /// The text of a string.
    #[inline]
    pub(super) fn text(self) -> Result<Cow<'de, str>, DecodeError> {
        match self {
            Self::Wire(cursor) if cursor.literal(br#"{"S":""#) => cursor.rest_of_text(),
            other => match other.value()? {
                Value::S(text) => Ok(text),
                value => Err(value.instead_of("string")),
            },
        }
    }

    /// The text of a number.
    #[inline]
    pub(super) fn digits(self) -> Result<Cow<'de, str>, DecodeError> {
        match self {
            Self::Wire(cursor) if cursor.literal(br#"{"N":""#) => cursor.rest_of_text(),
            other => match other.value()? {
                Value::N(text) => Ok(text),
                value => Err(value.instead_of("number")),
            },
        }
    }

    /// Whether the attribute is NULL, and thereby read.
    #[inline]
    pub(super) fn is_null(&self) -> Result<bool, DecodeError> {
        match self {
            Self::Sdk(attribute) => Ok(attribute.is_null()),
            Self::Wire(cursor) => cursor.null(),
            Self::Element(..) | Self::Item(..) => Ok(false),
        }
    }

    /// Passes over the attribute.
    #[inline]
    pub(super) fn skip(self) -> Result<(), DecodeError> {
        match self {
            Self::Sdk(_) => Ok(()),
            Self::Wire(cursor) => cursor.skip_attribute(),
            other => other.value().map(drop),
        }
    }
}

fn sdk_value<'de>(attribute: &mut AttributeValue) -> Value<'_, 'de> {
    match attribute {
        AttributeValue::S(text) => Value::S(Cow::Owned(mem::take(text))),
        AttributeValue::N(text) => Value::N(Cow::Owned(mem::take(text))),
        AttributeValue::B(bytes) => Value::B(take(bytes)),
        AttributeValue::Bool(value) => Value::Bool(*value),
        AttributeValue::Null(_) => Value::Null,
        AttributeValue::L(list) => Value::L(List::Sdk(list.iter_mut())),
        AttributeValue::Ss(set) => Value::Set(SetKind::String, List::Strings(set.iter_mut())),
        AttributeValue::Ns(set) => Value::Set(SetKind::Number, List::Numbers(set.iter_mut())),
        AttributeValue::Bs(set) => Value::Set(SetKind::Binary, List::Binaries(set.iter_mut())),
        AttributeValue::M(entries) => Value::M(Map::Sdk(entries)),
        _ => Value::Unknown,
    }
}

fn take(bytes: &mut Blob) -> Vec<u8> {
    mem::replace(bytes, Blob::new(Vec::new())).into_inner()
}

fn wire_value<'c, 'de>(cursor: &'c Cursor<'de>) -> Result<Value<'c, 'de>, DecodeError> {
    let value = match cursor.open()? {
        Type::S => Value::S(cursor.string()?),
        Type::N => Value::N(cursor.string()?),
        Type::B => Value::B(cursor.binary()?),
        Type::Bool => Value::Bool(cursor.boolean()?),
        Type::Null => {
            cursor.boolean()?;
            Value::Null
        }
        Type::L => {
            cursor.enter(b'[')?;
            return Ok(Value::L(List::Wire(None, cursor)));
        }
        Type::Set(kind) => {
            cursor.enter(b'[')?;
            return Ok(Value::Set(kind, List::Wire(Some(kind), cursor)));
        }
        Type::M => {
            cursor.enter(b'{')?;
            return Ok(Value::M(Map::Wire(cursor)));
        }
    };
    cursor.token(b'}')?;
    Ok(value)
}

/// The elements of a list or a set.
pub(super) enum List<'c, 'de> {
    Sdk(slice::IterMut<'c, AttributeValue>),
    Strings(slice::IterMut<'c, String>),
    Numbers(slice::IterMut<'c, String>),
    Binaries(slice::IterMut<'c, Blob>),
    Wire(Option<SetKind>, &'c Cursor<'de>),
}

/// Goes through a list.
pub(super) struct Elements<'c, 'de> {
    rest: List<'c, 'de>,
    /// An element of a set, as the attribute that it would be by itself.
    held: AttributeValue,
    pub(super) taken: usize,
    ended: bool,
}

impl<'c, 'de> Elements<'c, 'de> {
    pub(super) fn new(rest: List<'c, 'de>) -> Self {
        Self {
            rest,
            held: AttributeValue::Null(true),
            taken: 0,
            ended: false,
        }
    }

    pub(super) fn next(&mut self) -> Result<Option<Source<'_, 'de>>, DecodeError> {
        let first = self.taken == 0;
        self.taken += 1;
        Ok(match &mut self.rest {
            List::Sdk(rest) => rest.next().map(Source::Sdk),
            List::Strings(rest) => rest.next().map(|text| {
                self.held = AttributeValue::S(mem::take(text));
                Source::Sdk(&mut self.held)
            }),
            List::Numbers(rest) => rest.next().map(|text| {
                self.held = AttributeValue::N(mem::take(text));
                Source::Sdk(&mut self.held)
            }),
            List::Binaries(rest) => rest.next().map(|bytes| {
                self.held = AttributeValue::B(Blob::new(take(bytes)));
                Source::Sdk(&mut self.held)
            }),
            List::Wire(kind, cursor) => {
                self.ended = self.ended || !cursor.element(first)?;
                (!self.ended).then_some(match kind {
                    Some(kind) => Source::Element(*kind, cursor),
                    None => Source::Wire(cursor),
                })
            }
        })
    }

    /// How many elements are left, where that is known.
    pub(super) fn left(&self) -> Option<usize> {
        match &self.rest {
            List::Sdk(rest) => Some(rest.len()),
            List::Strings(rest) | List::Numbers(rest) => Some(rest.len()),
            List::Binaries(rest) => Some(rest.len()),
            List::Wire(..) => None,
        }
    }

    /// Passes over what is left.
    pub(super) fn finish(mut self) -> Result<(), DecodeError> {
        let List::Wire(_, cursor) = self.rest else {
            return Ok(());
        };
        while !self.ended {
            match self.next()? {
                Some(element) => element.skip()?,
                None => break,
            }
        }
        cursor.leave()
    }
}

/// The entries of a map, the fields of a struct, or the attributes of an item.
pub(super) enum Map<'c, 'de> {
    Sdk(&'c mut Item),
    Wire(&'c Cursor<'de>),
    Item(&'c mut Patch, &'c Cursor<'de>),
}

/// Goes through a map.
pub(super) struct Entries<'c, 'de> {
    given: Option<hash_map::Drain<'c, String, AttributeValue>>,
    wire: Option<&'c Cursor<'de>>,
    hidden: &'c [&'static str],
    /// Whether the map is an attribute of its own, `{"M":{..}}`, and no item.
    nested: bool,
    first: bool,
    pending: Pending,
}

/// The value of the entry whose key was read.
enum Pending {
    Nothing,
    Given(AttributeValue),
    Wire,
}

impl<'c, 'de> Entries<'c, 'de> {
    pub(super) fn new(map: Map<'c, 'de>) -> Self {
        let mut entries = Self {
            given: None,
            wire: None,
            hidden: &[],
            nested: true,
            first: true,
            pending: Pending::Nothing,
        };
        match map {
            Map::Sdk(item) => entries.given = Some(item.drain()),
            Map::Wire(cursor) => entries.wire = Some(cursor),
            Map::Item(patch, cursor) => {
                entries.given = (!patch.given.is_empty()).then(|| patch.given.drain());
                entries.hidden = &patch.hidden;
                entries.wire = Some(cursor);
                entries.nested = false;
            }
        }
        entries
    }

    /// The key of the next entry. A value that was not asked for is passed over.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<Cow<'de, str>>, DecodeError> {
        if let Some((key, value)) = self.given.as_mut().and_then(Iterator::next) {
            self.pending = Pending::Given(value);
            return Ok(Some(Cow::Owned(key)));
        }
        let Some(cursor) = self.wire else {
            return Ok(None);
        };
        if let Pending::Wire = self.pending {
            cursor.skip_attribute()?;
        }
        self.pending = Pending::Nothing;
        while let Some(key) = cursor.key(mem::replace(&mut self.first, false))? {
            if self.hidden.is_empty() || !self.hidden.contains(&&*key) {
                self.pending = Pending::Wire;
                return Ok(Some(key));
            }
            cursor.skip_attribute()?;
        }
        self.wire = None;
        if self.nested {
            cursor.leave()?;
        }
        Ok(None)
    }

    /// The value of the entry whose key was read, once; kept in `held` where it has to be.
    #[inline]
    pub(super) fn value<'h>(
        &mut self,
        held: &'h mut Option<AttributeValue>,
    ) -> Option<Source<'h, 'de>>
    where
        'c: 'h,
    {
        match mem::replace(&mut self.pending, Pending::Nothing) {
            Pending::Nothing => None,
            Pending::Given(value) => Some(Source::Sdk(held.insert(value))),
            Pending::Wire => self.wire.map(Source::Wire),
        }
    }

    /// How many entries are left, where that is known.
    pub(super) fn left(&self) -> Option<usize> {
        match (&self.given, self.wire) {
            (Some(given), None) => Some(given.len()),
            _ => None,
        }
    }

    /// Whether the value whose key was read belongs to the last entry.
    pub(super) fn is_last(&self) -> Result<bool, DecodeError> {
        match (&self.given, self.wire) {
            (_, Some(cursor)) => cursor.clone().ends_after_attribute(),
            (given, None) => Ok(given.as_ref().is_none_or(|given| given.len() == 0)),
        }
    }

    /// Passes over what is left.
    #[inline]
    pub(super) fn finish(mut self) -> Result<(), DecodeError> {
        while self.wire.is_some() {
            self.next()?;
        }
        Ok(())
    }
}
