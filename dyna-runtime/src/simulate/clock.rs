//! Virtual time: that of the tokio runtime, which is paused and passes only when every task waits.

use crate::embedded::EmbeddedError;
use aws_smithy_async::time::TimeSource;
use dynoxide::storage_backend::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

/// When every simulation begins: 2026-01-01, 00:00 UTC.
const BEGIN: Duration = Duration::from_hours(490_896);

/// The clock of the server.
#[derive(Debug, Clone, Copy)]
pub(super) struct VirtualTime {
    begin: Instant,
}

impl VirtualTime {
    /// Begins now. Fails unless the time of the runtime is paused.
    pub(super) fn begin() -> Result<Self, EmbeddedError> {
        crate::embedded::check_runtime()?;
        // Tokio does not tell whether it is.
        let (begin, real) = (Instant::now(), std::time::Instant::now());
        while real.elapsed() < Duration::from_micros(50) {
            std::hint::spin_loop();
        }
        if Instant::now() == begin {
            Ok(Self { begin })
        } else {
            Err(EmbeddedError::NotPaused)
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        Instant::now().duration_since(self.begin)
    }

    pub(super) fn now(&self) -> SystemTime {
        UNIX_EPOCH + BEGIN + self.elapsed()
    }
}

impl Clock for VirtualTime {
    fn now_unix_secs(&self) -> u64 {
        (BEGIN + self.elapsed()).as_secs()
    }

    fn now_unix_secs_f64(&self) -> f64 {
        (BEGIN + self.elapsed()).as_secs_f64()
    }
}

/// The clock of a client, which may be wrong.
#[derive(Debug, Clone)]
pub(super) struct ClientClock {
    right: VirtualTime,
    off_by_ms: Arc<AtomicI64>,
}

impl ClientClock {
    pub(super) fn new(right: VirtualTime) -> Self {
        Self {
            right,
            off_by_ms: Arc::default(),
        }
    }

    pub(super) fn jump(&self, off_by_ms: i64) {
        self.off_by_ms.store(off_by_ms, Ordering::Relaxed);
    }

    pub(super) fn read(&self) -> SystemTime {
        let off_by = self.off_by_ms.load(Ordering::Relaxed);
        let now = self.right.now();
        let off = Duration::from_millis(off_by.unsigned_abs());
        let wrong = if off_by < 0 {
            now.checked_sub(off)
        } else {
            now.checked_add(off)
        };
        wrong.unwrap_or(now)
    }
}

impl TimeSource for ClientClock {
    fn now(&self) -> SystemTime {
        self.read()
    }
}
