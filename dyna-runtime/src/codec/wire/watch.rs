//! Attributes whose places are noted while an item is read for other reasons.

use std::cell::Cell;

use super::Cursor;

/// How many attributes are watched for.
const NAMES: usize = 3;

/// Notes where attributes of some names are, while the item is read. Nested attributes do not count.
pub(crate) struct Watch {
    names: [&'static str; NAMES],
    /// A bit for each length of a name, so that most names are not compared.
    lengths: u64,
    places: [Cell<Option<usize>>; NAMES],
}

impl Watch {
    /// Watches for these names; an empty one is none.
    pub(crate) fn new(names: [&'static str; NAMES]) -> Self {
        let bits = names.iter().filter(|name| !name.is_empty());
        Self {
            lengths: bits.map(|name| bit(name)).fold(0, |all, bit| all | bit),
            names,
            places: Default::default(),
        }
    }

    /// Forgets the item before.
    pub(crate) fn begin(&self) {
        for place in &self.places {
            place.set(None);
        }
    }

    /// An attribute of this name is at this place.
    #[inline]
    pub(crate) fn see(&self, name: &str, place: usize) {
        if self.lengths & bit(name) != 0 {
            self.note(name, place);
        }
    }

    #[inline(never)]
    fn note(&self, name: &str, place: usize) {
        for (watched, found) in self.names.iter().zip(&self.places) {
            if *watched == name {
                found.set(Some(place));
            }
        }
    }

    /// Whether the attribute is there.
    pub(crate) fn has(&self, n: usize) -> bool {
        self.places[n].get().is_some()
    }

    /// The text of the attribute, if it is there and a string (`S`) or a number (`N`) without escapes.
    pub(crate) fn text<'de, const TYPE: u8>(&self, n: usize, answer: &'de str) -> Option<&'de str> {
        Cursor::at(answer, self.places[n].get()?).plain::<TYPE>()
    }
}

fn bit(name: &str) -> u64 {
    1 << (name.len() % 64)
}
