//! Notes the positions of some attributes while an item is read for other reasons.

use std::cell::Cell;

use super::Lexer;
use super::strings::plain_text;

/// How many attributes are watched for.
const NAMES: usize = 3;

/// How many keys of an item are known of the one before.
const KEYS: usize = 24;

/// The fields of a struct, as serde names them.
pub(crate) type Fields = &'static [&'static str];

/// Notes where attributes of some names are, while the item is read. Nested attributes do not count.
pub(crate) struct Watch {
    /// An empty name is none.
    names: [&'static str; NAMES],
    places: [Cell<Option<usize>>; NAMES],
    /// The keys of the item before, in their order.
    keys: [KnownKey; KEYS],
    /// How many items there were, the one that is read included.
    items: Cell<usize>,
    /// How many there will be, if that is known.
    expected: Cell<usize>,
    /// The fields that were asked for last, and whether one of them has such a name.
    asked: Cell<Option<(Fields, bool)>>,
    /// As which of several the item is read, and where it says so.
    chosen: Cell<Option<(usize, usize)>>,
    /// As which of several an item was read last.
    last: Cell<usize>,
}

/// A key that an item had, with the byte before it: `,"name":`. Or the text of an attribute: `{"S":"text"}`.
pub(crate) struct KnownKey {
    /// Its first eight bytes, and which of them there are; the next eight, and its last.
    first: Cell<u64>,
    mask: Cell<u64>,
    next: Cell<u64>,
    last: Cell<u64>,
    length: Cell<usize>,
    /// Which of the names that are watched for it is.
    watched: Cell<Option<usize>>,
}

/// How long such a key may be.
pub(super) const LONGEST: usize = 24;

impl Default for KnownKey {
    fn default() -> Self {
        Self {
            first: Cell::new(0),
            mask: Cell::new(u64::MAX),
            next: Cell::new(0),
            last: Cell::new(0),
            length: Cell::new(0),
            watched: Cell::new(None),
        }
    }
}

impl KnownKey {
    /// A text that is looked for as the value of an attribute. If it is too long, none begins with it.
    pub(crate) fn text(text: &str) -> Self {
        const OPEN: &[u8; 6] = br#"{"S":""#;
        let known = Self::default();
        let (mut near, end) = ([0; LONGEST], OPEN.len() + text.len());
        near[..OPEN.len()].copy_from_slice(OPEN);
        if let Some([between @ .., quote, brace]) = near.get_mut(OPEN.len()..end + 2) {
            between.copy_from_slice(text.as_bytes());
            (*quote, *brace) = (b'"', b'}');
        }
        known.set(&near, end + 2, None);
        known
    }

    /// From now on it is the key that a text begins with and that has this length. If it is too long, no text begins with it.
    fn set(&self, near: &[u8; LONGEST], length: usize, watched: Option<usize>) {
        let missing = 8_usize.saturating_sub(length);
        self.mask.set(u64::MAX >> (8 * missing));
        let first = if length > LONGEST { 0 } else { eight(near, 0) };
        self.first.set(first & self.mask.get());
        self.next.set(eight(near, 8));
        self.last.set(eight(near, length.saturating_sub(8)));
        self.length.set(length);
        self.watched.set(watched);
    }

    /// How long it is, if a text begins with it. No text has zeros, which it is made of if it is not known.
    #[inline]
    pub(super) fn begins(&self, near: &[u8; LONGEST]) -> Option<usize> {
        if eight(near, 0) & self.mask.get() != self.first.get() {
            return None;
        }
        let length = self.length.get();
        let is_whole = (length <= 8 || eight(near, length - 8) == self.last.get())
            && (length <= 16 || eight(near, 8) == self.next.get());
        is_whole.then_some(length)
    }

    /// Which of the names that are watched for it is.
    #[inline]
    pub(crate) fn watched(&self) -> Option<usize> {
        self.watched.get()
    }
}

/// Eight bytes of a text; zeros, if there are none.
#[inline]
fn eight(near: &[u8; LONGEST], at: usize) -> u64 {
    let eight = near.get(at..).and_then(<[u8]>::first_chunk);
    u64::from_le_bytes(*eight.unwrap_or(&[0; 8]))
}

impl Watch {
    /// Watches for these names; an empty one is none.
    pub(crate) fn new(names: [&'static str; NAMES]) -> Self {
        Self {
            names,
            places: Default::default(),
            keys: Default::default(),
            items: Cell::new(0),
            expected: Cell::new(0),
            asked: Cell::new(None),
            chosen: Cell::new(None),
            last: Cell::new(0),
        }
    }

    /// The key of this number of the item before.
    #[inline]
    pub(crate) fn known(&self, number: usize) -> Option<&KnownKey> {
        self.keys.get(number)
    }

    /// Notes that an item has this key, whose value is at this place of the response, as the one of this number. Which of the names it is.
    pub(crate) fn learn(
        &self,
        number: usize,
        name: &str,
        answer: &str,
        place: usize,
    ) -> Option<usize> {
        let watched = self.number_of(name);
        if self.items.get() < 2 && self.expected.get() < 2 {
            // There may be no other.
            return watched;
        }
        let length = name.len() + 4;
        let key = answer.as_bytes().get(place.wrapping_sub(length)..);
        if let (Some(known), Some(near)) = (
            self.keys.get(number),
            key.and_then(<[u8]>::first_chunk::<LONGEST>),
        ) {
            known.set(near, length, watched);
        }
        watched
    }

    /// The number of a watched name.
    fn number_of(&self, name: &str) -> Option<usize> {
        let found = self.names.iter().position(|watched| *watched == name);
        found.filter(|_| !name.is_empty())
    }

    /// So many items will come.
    pub(crate) fn expect(&self, items: usize) {
        self.expected.set(items);
    }

    /// How many items will come, if that is known.
    pub(crate) fn expected(&self) -> usize {
        self.expected.get()
    }

    /// Forgets the item before.
    pub(crate) fn begin(&self) {
        for place in &self.places {
            place.set(None);
        }
        self.chosen.set(None);
        self.items.set(self.items.get() + 1);
    }

    /// Whether no field has a name that is watched for. Such attributes need not be shown to what reads these fields.
    #[inline]
    pub(crate) fn is_beside(&self, fields: Fields) -> bool {
        match self.asked.get() {
            Some((asked, is_beside)) if std::ptr::eq(asked, fields) => is_beside,
            _ => self.compare(fields),
        }
    }

    #[cold]
    fn compare(&self, fields: Fields) -> bool {
        let is_beside = self.names.iter().all(|name| !fields.contains(name));
        self.asked.set(Some((fields, is_beside)));
        is_beside
    }

    /// The attribute of this number is at this place.
    pub(crate) fn see(&self, n: usize, place: usize) {
        self.places[n].set(Some(place));
    }

    /// An attribute of this name is at this place.
    pub(crate) fn see_any(&self, name: &str, place: usize) {
        if let Some(n) = self.number_of(name) {
            self.see(n, place);
        }
    }

    /// Notes as which of several the item is read, because of what is at this place.
    pub(crate) fn choose(&self, which: usize, place: usize) {
        self.chosen.set(Some((which, place)));
        self.last.set(which);
    }

    /// As which of several an item was read last; at first, the first.
    pub(crate) fn last(&self) -> usize {
        self.last.get()
    }

    /// As which of several the item is read, if the attribute of this number has told so.
    pub(crate) fn chosen(&self, n: usize) -> Option<usize> {
        let (which, place) = self.chosen.get()?;
        (self.place(n) == Some(place)).then_some(which)
    }

    /// Where the attribute is, if it is there.
    #[inline]
    pub(crate) fn place(&self, n: usize) -> Option<usize> {
        self.places[n].get()
    }

    /// Whether the attribute is there.
    pub(crate) fn has(&self, n: usize) -> bool {
        self.place(n).is_some()
    }

    /// Whether the attribute is there and begins with what is known.
    #[inline]
    pub(crate) fn is_known(&self, n: usize, known: &KnownKey, answer: &str) -> bool {
        let value = self.place(n).and_then(|at| answer.as_bytes().get(at..));
        let near = value.and_then(<[u8]>::first_chunk);
        near.is_some_and(|near| known.begins(near).is_some())
    }

    /// Whether the attribute is there and is this text, which needs no escapes.
    pub(crate) fn is(&self, n: usize, text: &str, answer: &str) -> bool {
        let answer = answer.as_bytes();
        let start = self.place(n).and_then(|place| plain_text(answer, place));
        let value = start.and_then(|start| answer.get(start..));
        let rest = value.and_then(|value| value.strip_prefix(text.as_bytes()));
        matches!(rest, Some([b'"', b'}', ..]))
    }

    /// The text of the attribute, if it is there and a string (`S`) or a number (`N`) without escapes.
    pub(crate) fn text<'de, const TYPE: u8>(&self, n: usize, answer: &'de str) -> Option<&'de str> {
        Lexer::at(answer, self.places[n].get()?).plain::<TYPE>()
    }
}
