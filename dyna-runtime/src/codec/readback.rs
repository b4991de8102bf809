//! What serde cannot read in every position: 128-bit integers, and maps whose keys are numbers or booleans.
//!
//! Where serde looks ahead (a flattened field, an internally tagged or untagged enum) it keeps values in a buffer that has no room for
//! these. A serializer is not told where it is, so it only notes that it wrote one; the caller then reads back what it is about to
//! store.

use std::cell::Cell;

thread_local! {
    static NOTED: Cell<bool> = const { Cell::new(false) };
}

/// Notes that such a value was written.
#[cold]
pub(super) fn note() {
    NOTED.set(true);
}

/// Forgets what was noted, before something else is written.
#[inline]
pub(crate) fn forget() {
    NOTED.set(false);
}

/// Whether one was written on this thread since this was last asked.
#[inline]
pub(crate) fn is_needed() -> bool {
    NOTED.replace(false)
}
