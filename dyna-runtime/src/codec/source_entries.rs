//! The entries of a map or an item, one after the other, with those that an overlay adds or hides.

use super::Item;
use super::error::DecodeError;
use super::json::{Fields, Lexer, Watch};
use crate::codec::attribute_source::AttributeSource;
use crate::codec::overlay::Overlay;
use crate::codec::overlay::Visible;
use aws_sdk_dynamodb::types::AttributeValue;
use std::borrow::Cow;
use std::collections::hash_map;
use std::mem;

/// The entries of a map, the fields of a struct, or the attributes of an item.
pub(super) enum SourceMap<'c, 'de> {
    Sdk(&'c mut Item),
    Wire(&'c Lexer<'de>),
    Item(Option<&'c mut Overlay>, &'c Lexer<'de>),
}

/// Goes through a map: first what is given, then what is on the wire.
pub(super) struct Entries<'c, 'de> {
    wire: Option<OnWire<'c, 'de>>,
    added: Option<AddedEntries<'c>>,
}

/// Entries on the wire.
struct OnWire<'c, 'de> {
    lexer: &'c Lexer<'de>,
    /// Whether the map is an attribute of its own, `{"M":{..}}`, and no item.
    nested: bool,
    /// What is looked for among the attributes of an item.
    watch: Option<&'de Watch>,
    /// The only ones that are read, if that is known: what is looked for beside them is passed over.
    fields: Option<Fields>,
    /// How many attributes of an item were gone through.
    count: usize,
    first: bool,
    /// Whether the value of the entry whose key was read is next.
    pending: bool,
}

impl<'de> OnWire<'_, 'de> {
    /// The key of the next attribute of an item, if it is of the kind that most keys are.
    #[inline(never)]
    fn next_attribute(&mut self, watch: &'de Watch) -> Option<&'de str> {
        // The attributes of most items come in the order of those of the item before.
        if let Some(known) = watch.known(self.count)
            && let Some(key) = self.lexer.pass_known(known, self.first)
        {
            self.first = false;
            self.pending = true;
            self.count += 1;
            return match known.watched() {
                None => Some(key),
                Some(n) => self.next_watched(watch, n, key),
            };
        }
        self.next_unknown(watch)
    }

    /// The same where another key is next than in the item before.
    #[inline(never)]
    fn next_unknown(&mut self, watch: &'de Watch) -> Option<&'de str> {
        if self.lexer.is_at_end() {
            return None;
        }
        let key = self.lexer.plain_key(self.first)?;
        self.first = false;
        self.pending = true;
        let watched = watch.learn(self.count, key, self.lexer.text(), self.lexer.place());
        self.count += 1;
        match watched {
            None => Some(key),
            Some(n) => self.next_watched(watch, n, key),
        }
    }

    /// The same behind the key of an attribute that is looked for, which is passed over if nobody reads it.
    #[inline(never)]
    fn next_watched(&mut self, watch: &'de Watch, n: usize, key: &'de str) -> Option<&'de str> {
        let place = self.lexer.place();
        watch.see(n, place);
        if !self.fields.is_some_and(|fields| watch.is_beside(fields)) {
            return Some(key);
        }
        if self.lexer.skip_attribute().is_err() {
            // Whoever asks for its value finds out.
            self.lexer.back_to(place);
            return Some(key);
        }
        self.pending = false;
        self.next_attribute(watch)
    }
}

/// Entries that the SDK has read, or that are added; and if there are more on the wire, which of those are shown.
struct AddedEntries<'c> {
    entries: hash_map::Drain<'c, String, AttributeValue>,
    pending: Option<AttributeValue>,
    /// The value that is being read.
    held: Option<AttributeValue>,
    visible: Option<&'c Visible>,
    /// What is asked for and has not come yet.
    asked: Option<&'c mut Vec<Vec<&'static str>>>,
}

impl<'c, 'de> Entries<'c, 'de> {
    pub(super) fn new(map: SourceMap<'c, 'de>) -> Self {
        match map {
            SourceMap::Wire(lexer) => Self::on_wire(lexer, true, None),
            SourceMap::Sdk(item) => Self {
                wire: None,
                added: Some(AddedEntries::new(item, None, None)),
            },
            SourceMap::Item(overlay, lexer) => Self {
                added: overlay.map(
                    |Overlay {
                         added,
                         asked,
                         visible,
                     }| {
                        AddedEntries::new(added, Some(visible), Some(asked))
                    },
                ),
                ..Self::on_wire(lexer, false, None)
            },
        }
    }

    #[inline]
    pub(super) fn on_wire(lexer: &'c Lexer<'de>, nested: bool, fields: Option<Fields>) -> Self {
        Self {
            wire: Some(OnWire {
                lexer,
                nested,
                watch: if nested { None } else { lexer.watch() },
                fields,
                count: 0,
                first: true,
                pending: false,
            }),
            added: None,
        }
    }

    /// The key of the next entry. A value that was not asked for is passed over.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<Cow<'de, str>>, DecodeError> {
        if self.added.is_some() {
            return self.next_shown();
        }
        self.next_on_wire()
    }

    /// The same, if it is of the kind that most keys are.
    #[inline]
    pub(super) fn next_plain(&mut self) -> Option<&'de str> {
        match (&mut self.wire, &self.added) {
            (Some(wire), None) if !wire.pending => match wire.watch {
                Some(watch) => wire.next_attribute(watch),
                None => {
                    let key = wire.lexer.plain_key(wire.first)?;
                    wire.first = false;
                    wire.pending = true;
                    Some(key)
                }
            },
            _ => None,
        }
    }

    #[inline(never)]
    fn next_on_wire(&mut self) -> Result<Option<Cow<'de, str>>, DecodeError> {
        let Some(wire) = &mut self.wire else {
            return Ok(None);
        };
        if wire.pending {
            wire.lexer.skip_attribute()?;
        }
        let key = wire.lexer.key(wire.first)?;
        wire.first = false;
        wire.pending = key.is_some();
        if let (Some(watch), Some(key)) = (wire.watch, &key) {
            watch.see_any(key, wire.lexer.place());
        }
        if key.is_none() {
            if wire.nested {
                wire.lexer.leave()?;
            }
            self.wire = None;
        }
        Ok(key)
    }

    /// The same where something is given or not shown.
    #[inline(never)]
    fn next_shown(&mut self) -> Result<Option<Cow<'de, str>>, DecodeError> {
        let next = self.added.as_mut().and_then(AddedEntries::next);
        if let Some(key) = next {
            return Ok(Some(Cow::Owned(key)));
        }
        loop {
            let key = self.next_on_wire()?;
            let Some(added) = &mut self.added else {
                return Ok(key);
            };
            match (key, added.visible) {
                (Some(name), Some(visible)) if !visible.has(&name) => {}
                (Some(name), _) => {
                    added.has_come(&name);
                    return Ok(Some(name));
                }
                (None, _) => return Ok(added.absent().map(Cow::Borrowed)),
            }
        }
    }

    /// The value of the entry whose key was read, once.
    #[inline]
    pub(super) fn value(&mut self) -> Option<AttributeSource<'_, 'de>> {
        if let Some(added) = &mut self.added
            && let Some(value) = added.pending.take()
        {
            return Some(AttributeSource::Sdk(added.held.insert(value)));
        }
        let wire = self.wire.as_mut()?;
        mem::replace(&mut wire.pending, false).then_some(AttributeSource::Wire(wire.lexer))
    }

    /// How many entries are left, where that is known.
    pub(super) fn left(&self) -> Option<usize> {
        match (&self.added, &self.wire) {
            (Some(added), None) => Some(added.entries.len()),
            _ => None,
        }
    }

    /// Whether the value whose key was read belongs to the last entry.
    pub(super) fn is_last(&self) -> Result<bool, DecodeError> {
        match (&self.added, &self.wire) {
            (_, Some(wire)) => wire.lexer.clone().ends_after_attribute(),
            (added, None) => Ok(added.as_ref().is_none_or(|added| added.entries.len() == 0)),
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

impl<'c> AddedEntries<'c> {
    fn new(
        entries: &'c mut Item,
        visible: Option<&'c Visible>,
        asked: Option<&'c mut Vec<Vec<&'static str>>>,
    ) -> Self {
        Self {
            entries: entries.drain(),
            pending: None,
            held: None,
            visible,
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
