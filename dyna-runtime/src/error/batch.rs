//! What became of the writes of a batch that stopped.

use super::Error;
use std::fmt;

/// How far a batch came until it stopped: [`Error::PartlyWritten`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BatchProgress {
    /// How many writes DynamoDB has made.
    pub written: usize,
    /// How many it may have made: they were sent, and got no response.
    pub unknown: usize,
    /// How many it has not made: they were refused, left undone, or not sent.
    pub left: usize,
}

impl BatchProgress {
    /// A batch of so many writes, if nothing stops it.
    pub(crate) fn of(writes: usize) -> Self {
        Self {
            written: writes,
            unknown: 0,
            left: 0,
        }
    }

    /// So many of them were not made, or may have been.
    pub(crate) fn leave(&mut self, writes: usize, may_be_made: bool) {
        self.written = self.written.saturating_sub(writes);
        if may_be_made {
            self.unknown += writes;
        } else {
            self.left += writes;
        }
    }

    /// The error of the batch, which this error stopped. If nothing was made, it is that one.
    pub(crate) fn into_error(self, problem: Error) -> Error {
        let is_all = self.unknown == 0 || problem.is_outcome_unknown() && self.left == 0;
        if self.written == 0 && is_all {
            return problem;
        }
        Error::PartlyWritten {
            progress: self,
            problem: Box::new(problem),
        }
    }
}

impl fmt::Display for BatchProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            written,
            unknown,
            left,
        } = self;
        let all = written + unknown + left;
        write!(f, "{written} of {all} writes were made")?;
        if *unknown > 0 {
            write!(f, ", {unknown} may have been made")?;
        }
        write!(f, ", and {left} were not")
    }
}
