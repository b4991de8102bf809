//! Attributes whose places are noted while an item is read for other reasons.

use std::cell::Cell;

use super::Cursor;

/// How many attributes are watched for.
const NAMES: usize = 3;

/// Notes where attributes of some names are, while the item is read. Nested attributes do not count.
pub(crate) struct Watch {
    names: [Name; NAMES],
    /// How many of the first of them there are, those between that are none included.
    count: usize,
    /// How many there are, without those that are none.
    wanted: usize,
    /// Whether every attribute is looked at; otherwise only those that no field reads.
    every: bool,
    places: [Cell<Option<usize>>; NAMES],
    /// How many are not found yet.
    left: Cell<usize>,
}

/// A name that is watched for.
struct Name {
    text: &'static str,
    /// What stands before its value: `"name":`; nothing if there is no name.
    before: String,
    /// The last eight bytes of that, and which of them count if it is shorter.
    last: u64,
    mask: u64,
}

impl Name {
    fn new(text: &'static str) -> Self {
        if text.is_empty() {
            let before = String::new();
            // Nothing is that.
            let (last, mask) = (1, 0);
            return Self {
                text,
                before,
                last,
                mask,
            };
        }
        let before = format!("\"{text}\":");
        let (mut last, mut mask) = ([0; 8], [0; 8]);
        let ends = last.iter_mut().zip(&mut mask).rev();
        for ((last, mask), byte) in ends.zip(before.bytes().rev()) {
            (*last, *mask) = (byte, u8::MAX);
        }
        Self {
            text,
            before,
            last: u64::from_le_bytes(last),
            mask: u64::from_le_bytes(mask),
        }
    }

    /// Whether it stands before this place, where these are the last eight bytes before it.
    #[inline]
    fn is_before(&self, answer: &[u8], place: usize, eight: u64) -> bool {
        eight & self.mask == self.last && self.stands_before(answer, place)
    }

    fn stands_before(&self, answer: &[u8], place: usize) -> bool {
        let length = self.before.len();
        let before = answer.get(..place.wrapping_sub(length));
        // Behind a backslash, the quotation mark is one in a longer name.
        let begins = matches!(before, Some([.., other]) if *other != b'\\');
        begins && (length <= 8 || answer.get(place - length..place) == Some(self.before.as_bytes()))
    }
}

impl Watch {
    /// Watches for these names; an empty one is none. Of attributes that a field may read, `every` one is looked at, which costs more.
    pub(crate) fn new(names: [&'static str; NAMES], every: bool) -> Self {
        let last = names.iter().rposition(|name| !name.is_empty());
        Self {
            count: last.map_or(0, |last| last + 1),
            wanted: names.iter().filter(|name| !name.is_empty()).count(),
            names: names.map(Name::new),
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
        self.left.set(self.wanted);
    }

    /// Whether attributes that fields read are looked at too.
    pub(crate) fn is_for_every_one(&self) -> bool {
        self.every
    }

    /// An attribute of this name is at this place.
    pub(crate) fn see(&self, name: &str, place: usize) {
        for (watched, found) in self.names.iter().zip(&self.places) {
            if watched.text == name {
                found.set(Some(place));
            }
        }
    }

    /// An attribute is at this place, behind its name: `"name":`.
    #[inline]
    pub(crate) fn see_behind(&self, answer: &[u8], place: usize) {
        if self.left.get() > 0 {
            self.look_behind(answer, place);
        }
    }

    #[inline(never)]
    fn look_behind(&self, answer: &[u8], place: usize) {
        // Something always stands before the first item.
        let eight = answer.get(place.wrapping_sub(8)..place);
        let Some(eight) = eight.and_then(<[u8]>::first_chunk) else {
            return;
        };
        let eight = u64::from_le_bytes(*eight);
        let names = self.names.iter().zip(&self.places);
        for (name, found) in names.take(self.count) {
            if name.is_before(answer, place, eight) {
                found.set(Some(place));
                self.left.set(self.left.get() - 1);
                return;
            }
        }
    }

    /// Where the attribute is, if it is there.
    pub(crate) fn place(&self, n: usize) -> Option<usize> {
        self.places[n].get()
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
