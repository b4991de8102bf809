//! Where attributes are read from: the SDK's values, or the bytes of an answer. What is read, and how it fails, is the same for both.

use std::borrow::Cow;
use std::collections::hash_map;
use std::{mem, slice};

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;

use super::Item;
use super::error::DecodeError;
use super::sets::SetKind;
use super::wire::{Cursor, Type, Watch};

/// An attribute that was not looked at yet. What it holds is taken out of it.
pub(super) enum Source<'c, 'de> {
    Sdk(&'c mut AttributeValue),
    /// An attribute with its type: `{"S":"text"}`.
    Wire(&'c Cursor<'de>),
    /// An element of a set, which has no type of its own.
    Element(SetKind, &'c Cursor<'de>),
    /// The attributes of an item, as they are stored or otherwise.
    Item(Option<&'c mut Patch>, &'c Cursor<'de>),
}

/// How the attributes of an item differ from those that are stored.
#[derive(Default)]
pub(crate) struct Patch {
    /// Attributes that are added. What may be stored under their names is not to be shown.
    pub(crate) given: Item,
    /// Attributes that are NULL if they are stored under none of their names, of which the last is their own.
    pub(crate) asked: Vec<Vec<&'static str>>,
    /// Which of the stored attributes are shown.
    pub(crate) shown: Shown,
}

/// Which of the stored attributes are shown.
pub(crate) enum Shown {
    AllBut(Vec<&'static str>),
    Only(Vec<&'static str>),
}

impl Default for Shown {
    fn default() -> Self {
        Self::AllBut(Vec::new())
    }
}

impl Shown {
    /// Whether the attribute of this name is shown.
    fn has(&self, name: &str) -> bool {
        match self {
            Self::AllBut(names) => !names.contains(&name),
            Self::Only(names) => names.contains(&name),
        }
    }
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
        if let Self::Wire(cursor) = self
            && let Some(text) = cursor.plain::<b'S'>()
        {
            return Ok(Cow::Borrowed(text));
        }
        self.any_text()
    }

    #[inline(never)]
    fn any_text(self) -> Result<Cow<'de, str>, DecodeError> {
        match self.value()? {
            Value::S(text) => Ok(text),
            value => Err(value.instead_of("string")),
        }
    }

    /// The text of a number.
    #[inline]
    pub(super) fn digits(self) -> Result<Cow<'de, str>, DecodeError> {
        if let Self::Wire(cursor) = self
            && let Some(text) = cursor.plain::<b'N'>()
        {
            return Ok(Cow::Borrowed(text));
        }
        self.any_digits()
    }

    #[inline(never)]
    fn any_digits(self) -> Result<Cow<'de, str>, DecodeError> {
        match self.value()? {
            Value::N(text) => Ok(text),
            value => Err(value.instead_of("number")),
        }
    }

    /// The entries of an item as it is stored, or of a map on the wire without white space, which is entered then.
    #[inline]
    pub(super) fn plain_map(&self) -> Result<Option<Entries<'c, 'de>>, DecodeError> {
        match self {
            Self::Item(None, cursor) => Ok(Some(Entries::on_wire(cursor, false))),
            Self::Wire(cursor) if cursor.enter_plain(*br#"{"M":{"#)? => {
                Ok(Some(Entries::on_wire(cursor, true)))
            }
            _ => Ok(None),
        }
    }

    /// The elements of a list on the wire without white space, which is entered then.
    #[inline]
    pub(super) fn plain_list(&self) -> Result<Option<Elements<'c, 'de>>, DecodeError> {
        match self {
            Self::Wire(cursor) if cursor.enter_plain(*br#"{"L":["#)? => {
                Ok(Some(Elements::new(List::Wire(None, cursor))))
            }
            _ => Ok(None),
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
            Self::Wire(cursor) => cursor.skip_watched(),
            Self::Item(_, cursor) => cursor.skip_attributes(),
            Self::Element(..) => self.value().map(drop),
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
    /// An element of the SDK's, as the attribute that it would be by itself.
    held: Option<Box<AttributeValue>>,
    pub(super) taken: usize,
    ended: bool,
}

impl<'c, 'de> Elements<'c, 'de> {
    #[inline]
    pub(super) fn new(rest: List<'c, 'de>) -> Self {
        Self {
            rest,
            held: None,
            taken: 0,
            ended: false,
        }
    }

    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<Source<'_, 'de>>, DecodeError> {
        let first = self.taken == 0;
        self.taken += 1;
        match &mut self.rest {
            List::Wire(kind, cursor) => {
                self.ended = self.ended || !cursor.element(first)?;
                Ok((!self.ended).then_some(match kind {
                    Some(kind) => Source::Element(*kind, cursor),
                    None => Source::Wire(cursor),
                }))
            }
            rest => Ok(rest.next_stored(&mut self.held)),
        }
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
    #[inline]
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

impl List<'_, '_> {
    /// The next element of the SDK's list.
    fn next_stored<'h, 'de>(
        &'h mut self,
        held: &'h mut Option<Box<AttributeValue>>,
    ) -> Option<Source<'h, 'de>> {
        let element = match self {
            List::Sdk(rest) => return rest.next().map(Source::Sdk),
            List::Strings(rest) => AttributeValue::S(mem::take(rest.next()?)),
            List::Numbers(rest) => AttributeValue::N(mem::take(rest.next()?)),
            List::Binaries(rest) => AttributeValue::B(Blob::new(take(rest.next()?))),
            List::Wire(..) => return None,
        };
        Some(Source::Sdk(held.insert(Box::new(element))))
    }
}

/// The entries of a map, the fields of a struct, or the attributes of an item.
pub(super) enum Map<'c, 'de> {
    Sdk(&'c mut Item),
    Wire(&'c Cursor<'de>),
    Item(Option<&'c mut Patch>, &'c Cursor<'de>),
}

/// Goes through a map: first what is given, then what is on the wire.
pub(super) struct Entries<'c, 'de> {
    wire: Option<OnWire<'c, 'de>>,
    given: Option<Given<'c>>,
}

/// Entries on the wire.
struct OnWire<'c, 'de> {
    cursor: &'c Cursor<'de>,
    /// Whether the map is an attribute of its own, `{"M":{..}}`, and no item.
    nested: bool,
    /// What is looked for among the attributes of an item.
    watch: Option<&'de Watch>,
    first: bool,
    /// Whether the value of the entry whose key was read is next.
    pending: bool,
}

/// Entries that the SDK has read, or that are added; and if there are more on the wire, which of those are shown.
struct Given<'c> {
    entries: hash_map::Drain<'c, String, AttributeValue>,
    pending: Option<AttributeValue>,
    /// The value that is being read.
    held: Option<AttributeValue>,
    shown: Option<&'c Shown>,
    /// What is asked for and has not come yet.
    asked: Option<&'c mut Vec<Vec<&'static str>>>,
}

impl<'c, 'de> Entries<'c, 'de> {
    pub(super) fn new(map: Map<'c, 'de>) -> Self {
        match map {
            Map::Wire(cursor) => Self::on_wire(cursor, true),
            Map::Sdk(item) => Self {
                wire: None,
                given: Some(Given::new(item, None, None)),
            },
            Map::Item(patch, cursor) => Self {
                given: patch.map(
                    |Patch {
                         given,
                         asked,
                         shown,
                     }| { Given::new(given, Some(shown), Some(asked)) },
                ),
                ..Self::on_wire(cursor, false)
            },
        }
    }

    #[inline]
    fn on_wire(cursor: &'c Cursor<'de>, nested: bool) -> Self {
        Self {
            wire: Some(OnWire {
                cursor,
                nested,
                watch: if nested { None } else { cursor.watch_every() },
                first: true,
                pending: false,
            }),
            given: None,
        }
    }

    /// The key of the next entry. A value that was not asked for is passed over.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<Cow<'de, str>>, DecodeError> {
        if self.given.is_some() {
            return self.next_shown();
        }
        self.next_on_wire()
    }

    /// The same, if it is of the kind that most keys are.
    #[inline]
    pub(super) fn next_plain(&mut self) -> Option<&'de str> {
        match (&mut self.wire, &self.given) {
            (Some(wire), None) if !wire.pending => {
                let key = wire.cursor.plain_key(wire.first)?;
                wire.first = false;
                wire.pending = true;
                if let Some(watch) = wire.watch {
                    watch.see_behind(wire.cursor.text().as_bytes(), wire.cursor.place());
                }
                Some(key)
            }
            _ => None,
        }
    }

    #[inline(never)]
    fn next_on_wire(&mut self) -> Result<Option<Cow<'de, str>>, DecodeError> {
        let Some(wire) = &mut self.wire else {
            return Ok(None);
        };
        if wire.pending {
            wire.cursor.skip_attribute()?;
        }
        let key = wire.cursor.key(wire.first)?;
        wire.first = false;
        wire.pending = key.is_some();
        if let (Some(watch), Some(key)) = (wire.watch, &key) {
            watch.see(key, wire.cursor.place());
        }
        if key.is_none() {
            if wire.nested {
                wire.cursor.leave()?;
            }
            self.wire = None;
        }
        Ok(key)
    }

    /// The same where something is given or not shown.
    #[inline(never)]
    fn next_shown(&mut self) -> Result<Option<Cow<'de, str>>, DecodeError> {
        let next = self.given.as_mut().and_then(Given::next);
        if let Some(key) = next {
            return Ok(Some(Cow::Owned(key)));
        }
        loop {
            let key = self.next_on_wire()?;
            let Some(given) = &mut self.given else {
                return Ok(key);
            };
            match (key, given.shown) {
                (Some(name), Some(shown)) if !shown.has(&name) => {}
                (Some(name), _) => {
                    given.has_come(&name);
                    return Ok(Some(name));
                }
                (None, _) => return Ok(given.absent().map(Cow::Borrowed)),
            }
        }
    }

    /// The value of the entry whose key was read, once.
    #[inline]
    pub(super) fn value(&mut self) -> Option<Source<'_, 'de>> {
        if let Some(given) = &mut self.given
            && let Some(value) = given.pending.take()
        {
            return Some(Source::Sdk(given.held.insert(value)));
        }
        let wire = self.wire.as_mut()?;
        mem::replace(&mut wire.pending, false).then_some(Source::Wire(wire.cursor))
    }

    /// How many entries are left, where that is known.
    pub(super) fn left(&self) -> Option<usize> {
        match (&self.given, &self.wire) {
            (Some(given), None) => Some(given.entries.len()),
            _ => None,
        }
    }

    /// Whether the value whose key was read belongs to the last entry.
    pub(super) fn is_last(&self) -> Result<bool, DecodeError> {
        match (&self.given, &self.wire) {
            (_, Some(wire)) => wire.cursor.clone().ends_after_attribute(),
            (given, None) => Ok(given.as_ref().is_none_or(|given| given.entries.len() == 0)),
        }
    }

    /// Passes over what is left.
    #[inline]
    pub(super) fn finish(mut self) -> Result<(), DecodeError> {
        while self.wire.is_some() {
            self.next_on_wire()?;
        }
        Ok(())
    }
}

impl<'c> Given<'c> {
    fn new(
        entries: &'c mut Item,
        shown: Option<&'c Shown>,
        asked: Option<&'c mut Vec<Vec<&'static str>>>,
    ) -> Self {
        Self {
            entries: entries.drain(),
            pending: None,
            held: None,
            shown,
            asked,
        }
    }

    /// A field that is stored is not absent, under whichever name.
    fn has_come(&mut self, key: &str) {
        if let Some(asked) = &mut self.asked {
            asked.retain(|names| !names.contains(&key));
        }
    }

    /// The next field that is asked for and absent, which is NULL.
    fn absent(&mut self) -> Option<&'static str> {
        let name = self.asked.as_mut()?.pop()?.pop()?;
        self.pending = Some(AttributeValue::Null(true));
        Some(name)
    }

    fn next(&mut self) -> Option<String> {
        let (key, value) = self.entries.next()?;
        self.pending = Some(value);
        Some(key)
    }
}
