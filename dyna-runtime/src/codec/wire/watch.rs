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
    /// What stands before a value: `"name":`.
    before: [String; NAMES],
    /// Whether every attribute is looked at; otherwise only those that no field reads.
    every: bool,
    places: [Cell<Option<usize>>; NAMES],
    /// How many are not found yet.
    left: Cell<usize>,
}

impl Watch {
    /// Watches for these names; an empty one is none. Of attributes that a field may read, `every` one is looked at, which costs more.
    pub(crate) fn new(names: [&'static str; NAMES], every: bool) -> Self {
        let last = names.iter().rposition(|name| !name.is_empty());
        Self {
            count: last.map_or(0, |last| last + 1),
            before: names.map(|name| format!("\"{name}\":")),
            names,
            every,
            places: Default::default(),
            left: Cell::new(0),
        }
    }

    /// Forgets the item before.
    pub(crate) fn begin(&self) {
        for place in &self.places {
            place.set(None);
        }
        self.left.set(self.count);
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
        if self.left.get() > 0 {
            self.look_behind(answer, place);
        }
    }

    #[inline(never)]
    fn look_behind(&self, answer: &[u8], place: usize) {
        let mut n = 0;
        while n < NAMES && n < self.count {
            let before = self.before[n].as_bytes();
            let start = place.wrapping_sub(before.len());
            // Few names are as long: most are told apart by the place of their quotation mark.
            if answer.get(start) == Some(&b'"') && answer.get(start..place) == Some(before) {
                self.places[n].set(Some(place));
                self.left.set(self.left.get() - 1);
                return;
            }
            n += 1;
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
