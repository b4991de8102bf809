//! Attributes whose places are noted while an item is read for other reasons.

use std::cell::Cell;

use super::Cursor;

/// How many attributes are watched for.
const NAMES: usize = 3;

/// Notes where attributes of some names are, while the item is read. Nested attributes do not count.
pub(crate) struct Watch {
    names: [&'static str; NAMES],
    /// How many of the first of them there are, those between that are none included.
    count: usize,
    /// Whether every attribute is looked at; otherwise only those that no field reads.
    every: bool,
    places: [Cell<Option<usize>>; NAMES],
}

impl Watch {
    /// Watches for these names; an empty one is none. Of attributes that a field may read, `every` one is looked at, which costs more.
    pub(crate) fn new(names: [&'static str; NAMES], every: bool) -> Self {
        let last = names.iter().rposition(|name| !name.is_empty());
        Self {
            count: last.map_or(0, |last| last + 1),
            names,
            every,
            places: Default::default(),
        }
    }

    /// Forgets the item before.
    pub(crate) fn begin(&self) {
        for place in &self.places {
            place.set(None);
        }
    }

    /// Whether attributes that fields read are looked at too.
    pub(crate) fn is_for_every_one(&self) -> bool {
        self.every
    }

    /// An attribute of this name is at this place.
    pub(crate) fn see(&self, name: &str, place: usize) {
        for (watched, found) in self.names.iter().zip(&self.places) {
            if *watched == name {
                found.set(Some(place));
            }
        }
    }

    /// An attribute is at this place, behind its name: `"name":`.
    #[inline]
    pub(super) fn see_behind(&self, answer: &[u8], place: usize) {
        for (watched, found) in self.names.iter().zip(&self.places).take(self.count) {
            // Few names are as long: most are told apart by the place of their quotation mark.
            let start = place.wrapping_sub(watched.len() + 3);
            if answer.get(start) == Some(&b'"') && is_name(watched, answer, start, place) {
                found.set(Some(place));
                return;
            }
        }
    }

    /// Whether the attribute is there.
    pub(crate) fn has(&self, n: usize) -> bool {
        self.places[n].get().is_some()
    }

    /// Whether the attribute is there and is this text, which needs no escapes.
    pub(crate) fn is(&self, n: usize, text: &str, answer: &str) -> bool {
        const OPEN: &[u8] = br#"{"S":""#;
        let value = self.places[n]
            .get()
            .and_then(|at| answer.as_bytes().get(at..));
        let value = value.and_then(|value| value.strip_prefix(OPEN));
        let rest = value.and_then(|value| value.strip_prefix(text.as_bytes()));
        matches!(rest, Some([b'"', b'}', ..]))
    }

    /// The text of the attribute, if it is there and a string (`S`) or a number (`N`) without escapes.
    pub(crate) fn text<'de, const TYPE: u8>(&self, n: usize, answer: &'de str) -> Option<&'de str> {
        Cursor::at(answer, self.places[n].get()?).plain::<TYPE>()
    }
}

/// Whether this is what stands between two places: the name, behind a quotation mark, and `":`.
#[inline(never)]
fn is_name(name: &str, answer: &[u8], start: usize, end: usize) -> bool {
    let found = answer.get(start + 1..end);
    found.and_then(|it| it.strip_suffix(b"\":")) == Some(name.as_bytes())
}
