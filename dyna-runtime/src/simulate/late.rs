//! Requests that arrive after their connection was reset.

use std::time::Duration;

/// A request that is on its way until it is due.
pub(super) struct Late {
    pub(super) due: Duration,
    pub(super) client: u64,
    pub(super) operation: String,
    pub(super) body: Vec<u8>,
}

/// What is on its way.
#[derive(Default)]
pub(super) struct LateArrivals(Vec<Late>);

impl LateArrivals {
    pub(super) fn hold(&mut self, late: Late) {
        // Of two that are due at the same time, the one that was sent first arrives first.
        let at = self.0.partition_point(|other| other.due <= late.due);
        self.0.insert(at, late);
    }

    /// The next request that is due by now.
    pub(super) fn next(&mut self, now: Duration) -> Option<Late> {
        let is_due = self.0.first().is_some_and(|late| late.due <= now);
        is_due.then(|| self.0.remove(0))
    }
}
