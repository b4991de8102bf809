//! What of a write's condition is not met, told from what the write needs and what DynamoDB found.

use std::fmt;

/// What of a write's condition is not met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unmet {
    /// An item with the key exists, and the write needs that there is none: `create`.
    Exists,
    /// No item with the key exists, and the write needs one: `update`, `replace`.
    Missing,
    /// The condition that the caller gave is false.
    Condition,
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exists => "an item with this key already exists",
            Self::Missing => "there is no item with this key",
            Self::Condition => "its condition is not met",
        })
    }
}
