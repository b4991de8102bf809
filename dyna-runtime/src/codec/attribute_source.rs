//! The source of attributes: the SDK's values, or the bytes of a response. Results and errors are the same for both.

use super::error::DecodeError;
use super::json::{Fields, Lexer, TypeTag};
use super::sets::SetKind;
use crate::codec::overlay::Overlay;
use crate::codec::source_entries::Entries;
use crate::codec::source_entries::SourceMap;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use std::borrow::Cow;
use std::{mem, slice};

/// An attribute that was not looked at yet. What it holds is taken out of it.
pub(super) enum AttributeSource<'c, 'de> {
    Sdk(&'c mut AttributeValue),
    /// An attribute with its type: `{"S":"text"}`.
    Wire(&'c Lexer<'de>),
    /// An element of a set, which has no type of its own.
    Element(SetKind, &'c Lexer<'de>),
    /// The attributes of an item, as they are stored or otherwise.
    Item(Option<&'c mut Overlay>, &'c Lexer<'de>),
}

/// The value of an attribute.
pub(super) enum SourceValue<'c, 'de> {
    S(Cow<'de, str>),
    N(Cow<'de, str>),
    B(Vec<u8>),
    Bool(bool),
    Null,
    L(SourceList<'c, 'de>),
    Set(SetKind, SourceList<'c, 'de>),
    M(SourceMap<'c, 'de>),
    Unknown,
}

impl SourceValue<'_, '_> {
    #[cold]
    pub(super) fn instead_of(&self, expected: &str) -> DecodeError {
        let found = match self {
            Self::S(_) => "string",
            Self::N(_) => "number",
            Self::B(_) => "binary",
            Self::Bool(_) => "boolean",
            Self::Null => "null",
            Self::L(_) => "list",
            Self::Set(kind, _) => kind.name(),
            Self::M(_) => "map",
            Self::Unknown => "attribute of an unknown type",
        };
        DecodeError::new(format!("expected {expected}, found {found}"))
    }

    /// Says also how to read what is no list, so that it is written back as what it was.
    #[cold]
    pub(super) fn instead_of_list(&self) -> DecodeError {
        let error = self.instead_of("list");
        let how = match self {
            Self::Set(kind, _) => kind.how_to_read(),
            Self::B(_) => "read it with `#[serde(with = \"serde_bytes\")]`",
            _ => return error,
        };
        DecodeError::new(format!("{}: {how}", error.problem()))
    }
}

impl<'c, 'de> AttributeSource<'c, 'de> {
    /// The value of the attribute.
    pub(super) fn value(self) -> Result<SourceValue<'c, 'de>, DecodeError> {
        match self {
            Self::Sdk(attribute) => Ok(sdk_value(attribute)),
            Self::Wire(lexer) => wire_value(lexer),
            Self::Element(SetKind::String, lexer) => lexer.string().map(SourceValue::S),
            Self::Element(SetKind::Number, lexer) => lexer.string().map(SourceValue::N),
            Self::Element(SetKind::Binary, lexer) => lexer.binary().map(SourceValue::B),
            Self::Item(overlay, lexer) => Ok(SourceValue::M(SourceMap::Item(overlay, lexer))),
        }
    }

    /// The text of a string.
    #[inline]
    pub(super) fn text(self) -> Result<Cow<'de, str>, DecodeError> {
        if let Self::Wire(lexer) = self
            && let Some(text) = lexer.plain::<b'S'>()
        {
            return Ok(Cow::Borrowed(text));
        }
        self.any_text()
    }

    #[inline(never)]
    fn any_text(self) -> Result<Cow<'de, str>, DecodeError> {
        match self.value()? {
            SourceValue::S(text) => Ok(text),
            value => Err(value.instead_of("string")),
        }
    }

    /// The text of a number.
    #[inline]
    pub(super) fn digits(self) -> Result<Cow<'de, str>, DecodeError> {
        if let Self::Wire(lexer) = self
            && let Some(text) = lexer.plain::<b'N'>()
        {
            return Ok(Cow::Borrowed(text));
        }
        self.any_digits()
    }

    #[inline(never)]
    fn any_digits(self) -> Result<Cow<'de, str>, DecodeError> {
        match self.value()? {
            SourceValue::N(text) => Ok(text),
            value => Err(value.instead_of("number")),
        }
    }

    /// The entries of an item as it is stored, or of a map on the wire without white space, which is entered then. The fields of these
    /// names are read.
    #[inline]
    pub(super) fn plain_map(
        &self,
        fields: Fields,
    ) -> Result<Option<Entries<'c, 'de>>, DecodeError> {
        match self {
            Self::Item(None, lexer) => Ok(Some(Entries::on_wire(lexer, false, Some(fields)))),
            Self::Wire(lexer) if lexer.enter_plain(*br#"{"M":{"#)? => {
                Ok(Some(Entries::on_wire(lexer, true, None)))
            }
            _ => Ok(None),
        }
    }

    /// The elements of a list on the wire without white space, which is entered then.
    #[inline]
    pub(super) fn plain_list(&self) -> Result<Option<Elements<'c, 'de>>, DecodeError> {
        match self {
            Self::Wire(lexer) if lexer.enter_plain(*br#"{"L":["#)? => {
                Ok(Some(Elements::new(SourceList::Wire(None, lexer))))
            }
            _ => Ok(None),
        }
    }

    /// Whether the attribute is NULL, and thereby read.
    #[inline]
    pub(super) fn is_null(&self) -> Result<bool, DecodeError> {
        match self {
            Self::Sdk(attribute) => Ok(attribute.is_null()),
            Self::Wire(lexer) => lexer.null(),
            Self::Element(..) | Self::Item(..) => Ok(false),
        }
    }

    /// Passes over the attribute.
    #[inline]
    pub(super) fn skip(self) -> Result<(), DecodeError> {
        match self {
            Self::Sdk(_) => Ok(()),
            Self::Wire(lexer) => lexer.skip_attribute(),
            Self::Item(_, lexer) => lexer.skip_attributes(),
            Self::Element(..) => self.value().map(drop),
        }
    }
}

fn sdk_value<'de>(attribute: &mut AttributeValue) -> SourceValue<'_, 'de> {
    match attribute {
        AttributeValue::S(text) => SourceValue::S(Cow::Owned(mem::take(text))),
        AttributeValue::N(text) => SourceValue::N(Cow::Owned(mem::take(text))),
        AttributeValue::B(bytes) => SourceValue::B(take(bytes)),
        AttributeValue::Bool(value) => SourceValue::Bool(*value),
        AttributeValue::Null(_) => SourceValue::Null,
        AttributeValue::L(list) => SourceValue::L(SourceList::Sdk(list.iter_mut())),
        AttributeValue::Ss(set) => {
            SourceValue::Set(SetKind::String, SourceList::Strings(set.iter_mut()))
        }
        AttributeValue::Ns(set) => {
            SourceValue::Set(SetKind::Number, SourceList::Numbers(set.iter_mut()))
        }
        AttributeValue::Bs(set) => {
            SourceValue::Set(SetKind::Binary, SourceList::Binaries(set.iter_mut()))
        }
        AttributeValue::M(entries) => SourceValue::M(SourceMap::Sdk(entries)),
        _ => SourceValue::Unknown,
    }
}

fn take(bytes: &mut Blob) -> Vec<u8> {
    mem::replace(bytes, Blob::new(Vec::new())).into_inner()
}

fn wire_value<'c, 'de>(lexer: &'c Lexer<'de>) -> Result<SourceValue<'c, 'de>, DecodeError> {
    let value = match lexer.open()? {
        TypeTag::S => SourceValue::S(lexer.string()?),
        TypeTag::N => SourceValue::N(lexer.string()?),
        TypeTag::B => SourceValue::B(lexer.binary()?),
        TypeTag::Bool => SourceValue::Bool(lexer.boolean()?),
        TypeTag::Null => {
            lexer.boolean()?;
            SourceValue::Null
        }
        TypeTag::L => {
            lexer.enter(b'[')?;
            return Ok(SourceValue::L(SourceList::Wire(None, lexer)));
        }
        TypeTag::Set(kind) => {
            lexer.enter(b'[')?;
            return Ok(SourceValue::Set(kind, SourceList::Wire(Some(kind), lexer)));
        }
        TypeTag::M => {
            lexer.enter(b'{')?;
            return Ok(SourceValue::M(SourceMap::Wire(lexer)));
        }
    };
    lexer.token(b'}')?;
    Ok(value)
}

/// The elements of a list or a set.
pub(super) enum SourceList<'c, 'de> {
    Sdk(slice::IterMut<'c, AttributeValue>),
    Strings(slice::IterMut<'c, String>),
    Numbers(slice::IterMut<'c, String>),
    Binaries(slice::IterMut<'c, Blob>),
    Wire(Option<SetKind>, &'c Lexer<'de>),
}

/// Goes through a list.
pub(super) struct Elements<'c, 'de> {
    rest: SourceList<'c, 'de>,
    /// An element of the SDK's, as the attribute that it would be by itself.
    held: Option<Box<AttributeValue>>,
    pub(super) taken: usize,
    ended: bool,
}

impl<'c, 'de> Elements<'c, 'de> {
    #[inline]
    pub(super) fn new(rest: SourceList<'c, 'de>) -> Self {
        Self {
            rest,
            held: None,
            taken: 0,
            ended: false,
        }
    }

    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<AttributeSource<'_, 'de>>, DecodeError> {
        let first = self.taken == 0;
        self.taken += 1;
        match &mut self.rest {
            SourceList::Wire(kind, lexer) => {
                self.ended = self.ended || !lexer.element(first)?;
                Ok((!self.ended).then_some(match kind {
                    Some(kind) => AttributeSource::Element(*kind, lexer),
                    None => AttributeSource::Wire(lexer),
                }))
            }
            rest => Ok(rest.next_stored(&mut self.held)),
        }
    }

    /// How many elements are left, where that is known.
    pub(super) fn left(&self) -> Option<usize> {
        match &self.rest {
            SourceList::Sdk(rest) => Some(rest.len()),
            SourceList::Strings(rest) | SourceList::Numbers(rest) => Some(rest.len()),
            SourceList::Binaries(rest) => Some(rest.len()),
            SourceList::Wire(..) => None,
        }
    }

    /// Passes over what is left.
    #[inline]
    pub(super) fn finish(mut self) -> Result<(), DecodeError> {
        let SourceList::Wire(_, lexer) = self.rest else {
            return Ok(());
        };
        while !self.ended {
            match self.next()? {
                Some(element) => element.skip()?,
                None => break,
            }
        }
        lexer.leave()
    }
}

impl SourceList<'_, '_> {
    /// The next element of the SDK's list.
    fn next_stored<'h, 'de>(
        &'h mut self,
        held: &'h mut Option<Box<AttributeValue>>,
    ) -> Option<AttributeSource<'h, 'de>> {
        let element = match self {
            SourceList::Sdk(rest) => return rest.next().map(AttributeSource::Sdk),
            SourceList::Strings(rest) => AttributeValue::S(mem::take(rest.next()?)),
            SourceList::Numbers(rest) => AttributeValue::N(mem::take(rest.next()?)),
            SourceList::Binaries(rest) => AttributeValue::B(Blob::new(take(rest.next()?))),
            SourceList::Wire(..) => return None,
        };
        Some(AttributeSource::Sdk(held.insert(Box::new(element))))
    }
}
