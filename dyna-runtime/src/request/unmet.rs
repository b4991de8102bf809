//! What of a write's condition is not met, told from what the write needs and what DynamoDB found.

use super::write::Presence;
use crate::codec::Item;
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

impl Unmet {
    /// What a write that needs this did not find, with the item that was found.
    pub(super) fn of(needed: Presence, found: Option<&Item>) -> Self {
        match (needed, found) {
            (Presence::Absent, Some(_)) => Self::Exists,
            (Presence::Present, None) => Self::Missing,
            _ => Self::Condition,
        }
    }
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
