//! Values that serde may not read back as they were written, in some positions: 128-bit integers, maps whose keys are numbers or booleans,
//! absent fields, and two kinds of nothing.
//!
//! Where serde looks ahead (a flattened field, an internally tagged or untagged enum) it keeps values in a buffer that has no room for
//! the numbers and the keys; a field that is not stored may have another default than `None`. A serializer is not told where it is, so it
//! only notes that it wrote one; the caller then reads back what it is about to store. What was absent is compared with
//! [`Absences`](super::absences::Absences).
//!
//! Absent fields are common, and what serde reads in the place of one does not depend on the values beside it, unless it looks ahead. So
//! a field that came back once is [known](PlaceId) from then on.

use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hash, Hasher};

thread_local! {
    static NOTED: Cell<Option<Noted>> = const { Cell::new(None) };
    /// Absent fields that are known to come back.
    static KNOWN: RefCell<HashSet<u64, BuildHasherDefault<Same>>> = RefCell::default();
    /// Absent fields that were noted.
    static ABSENT: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    static LOOKED_AHEAD: Cell<bool> = const { Cell::new(false) };
}

/// More fields than a program has, unless its types nest in themselves.
const MAX_KNOWN: usize = 10_000;

/// What was noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Noted {
    /// Fields are absent that are not known to come back.
    Absent,
    /// It may not be readable, or lack what was left out of it.
    Unsure,
    /// A `Some` was written of which nothing is stored, or only NULL.
    Nothing,
}

/// Notes that such a value was written.
#[cold]
pub(crate) fn note() {
    NOTED.set(NOTED.get().max(Some(Noted::Unsure)));
}

/// Notes that there is a `Some` of which nothing is stored, or only NULL.
#[cold]
pub(super) fn note_nothing() {
    NOTED.set(Some(Noted::Nothing));
}

/// Notes that a field is absent, unless it is known to come back.
pub(crate) fn note_absent(field: PlaceId) {
    if KNOWN.with_borrow(|known| known.contains(&field.0)) {
        return;
    }
    ABSENT.with_borrow_mut(|absent| absent.push(field.0));
    NOTED.set(NOTED.get().max(Some(Noted::Absent)));
}

/// Notes that a field is absent, of which it is not known where it is.
#[cold]
pub(super) fn note_absent_somewhere() {
    NOTED.set(NOTED.get().max(Some(Noted::Absent)));
}

/// Notes that serde reads a map into a buffer.
pub(super) fn note_look_ahead() {
    LOOKED_AHEAD.set(true);
}

/// Whether serde did that since this was last asked.
pub(crate) fn looked_ahead() -> bool {
    LOOKED_AHEAD.take()
}

/// Forgets what was noted. If the absent fields came back and always will, they are known from now on.
pub(crate) fn settle(is_known: bool) {
    NOTED.set(None);
    let absent = ABSENT.take();
    if !is_known {
        return;
    }
    KNOWN.with_borrow_mut(|known| {
        if known.len() + absent.len() > MAX_KNOWN {
            known.clear();
        }
        known.extend(absent);
    });
}

/// Forgets what was noted, before something else is written.
#[inline]
pub(crate) fn forget() {
    if NOTED.take().is_some() {
        ABSENT.take();
    }
}

/// The note of this thread, which stays.
pub(crate) fn peek() -> Option<Noted> {
    NOTED.get()
}

/// Notes again what was noted.
pub(crate) fn renote(noted: Option<Noted>) {
    NOTED.set(noted);
}

/// Takes the note of this thread.
#[inline]
pub(crate) fn noted() -> Option<Noted> {
    NOTED.take()
}

/// A field in an entity, or in what an entity holds: the type of the entity, and the names on the way. Elements of a list are one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlaceId(u64);

impl PlaceId {
    /// In no entity.
    pub(crate) const UNKNOWN: Self = Self(1);

    /// An entity.
    #[inline]
    pub(crate) fn of<E: 'static>() -> Self {
        let mut hasher = Same::default();
        TypeId::of::<E>().hash(&mut hasher);
        Self(hasher.finish())
    }

    /// A field of it, or the struct that it is: by the address of its name, which is the same each time that the same code writes it.
    #[inline]
    pub(crate) fn then(self, name: &'static str) -> Self {
        self.mixed((name.as_ptr().addr() as u64) ^ ((name.len() as u64) << 48))
    }

    /// An entry of it, by its name.
    pub(crate) fn entry(self, name: &str) -> Self {
        let name = name.chars().map(u64::from);
        name.fold(self.mixed(u64::MAX), Self::mixed)
    }

    #[inline]
    fn mixed(self, with: u64) -> Self {
        Self((self.0.rotate_left(23) ^ with).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

/// A number that is a hash already.
#[derive(Default)]
struct Same(u64);

impl Hasher for Same {
    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.0 ^= number;
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
