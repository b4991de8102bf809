//! A second engine that receives writes later: what reads that may be stale are served from.

use super::server::Reply;
use crate::embedded::Embedded;
use std::collections::VecDeque;
use std::time::Duration;

/// A copy of the tables as they were some time ago. It never goes back in time.
pub(super) struct Replica {
    engine: Embedded,
    /// What was applied to the tables, and not to the copy yet.
    log: VecDeque<Write>,
    longest_lag: Duration,
}

struct Write {
    at: Duration,
    operation: String,
    body: Vec<u8>,
}

impl Replica {
    pub(super) fn new(engine: Embedded, longest_lag: Duration) -> Self {
        Self {
            engine,
            log: VecDeque::new(),
            longest_lag,
        }
    }

    /// A request was applied to the tables.
    pub(super) fn applied(&mut self, at: Duration, operation: &str, body: &[u8]) {
        self.log.push_back(Write {
            at,
            operation: operation.to_owned(),
            body: body.to_owned(),
        });
        if is_of_items(operation) {
            self.follow(at, self.longest_lag);
        } else {
            self.follow(Duration::MAX, Duration::ZERO);
        }
    }

    /// Reads what the tables held so long ago, or later.
    pub(super) fn read(
        &mut self,
        now: Duration,
        lag: Duration,
        operation: &str,
        body: &[u8],
    ) -> Reply {
        self.follow(now, lag);
        self.engine.run(operation, body)
    }

    /// Applies what is older than this. In the same order, the same requests make the same tables.
    fn follow(&mut self, now: Duration, lag: Duration) {
        while let Some(write) = self.log.front()
            && write.at + lag <= now
            && let Some(write) = self.log.pop_front()
        {
            self.engine.run(&write.operation, &write.body);
        }
    }

    /// Applies everything, and deletes the items that have expired.
    pub(super) fn sweep(&mut self) -> dynoxide::Result<usize> {
        self.follow(Duration::MAX, Duration::ZERO);
        self.engine.database().sweep_ttl()
    }
}

/// Whether it writes items. What else there is, such as the creation of a table, is known everywhere at once.
pub(super) fn is_of_items(operation: &str) -> bool {
    matches!(
        operation,
        "PutItem" | "UpdateItem" | "DeleteItem" | "BatchWriteItem" | "TransactWriteItems"
    )
}
