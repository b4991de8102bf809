//! What may not come back as it was written, in some positions of serde's: 128-bit integers, maps whose keys are numbers or booleans, and
//! two kinds of nothing.
//!
//! Where serde looks ahead (a flattened field, an internally tagged or untagged enum) it keeps values in a buffer that has no room for
//! the numbers and the keys. A serializer is not told where it is, so it only notes that it wrote one; the caller then reads back what it
//! is about to store. What was absent is compared with [`Absences`](super::absences::Absences).

use std::cell::Cell;

thread_local! {
    static NOTED: Cell<Option<Noted>> = const { Cell::new(None) };
}

/// What was noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Noted {
    /// It may not be readable, or lack what was left out of it.
    Unsure,
    /// A `Some` was written of which nothing is stored, or only NULL.
    Nothing,
}

/// Notes that such a value was written.
#[cold]
pub(super) fn note() {
    NOTED.set(NOTED.get().max(Some(Noted::Unsure)));
}

/// Notes that there is a `Some` of which nothing is stored, or only NULL.
#[cold]
pub(super) fn note_nothing() {
    NOTED.set(Some(Noted::Nothing));
}

/// Forgets what was noted, before something else is written.
#[inline]
pub(crate) fn forget() {
    NOTED.set(None);
}

/// What is noted, which stays so.
pub(crate) fn peek() -> Option<Noted> {
    NOTED.get()
}

/// What was noted on this thread since this was last asked.
#[inline]
pub(crate) fn noted() -> Option<Noted> {
    NOTED.take()
}
