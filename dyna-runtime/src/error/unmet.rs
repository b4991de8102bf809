//! The part of a write's condition that failed, from what the write needs and what DynamoDB found.

use std::fmt;

/// The part of a write's condition that is not met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unmet {
    /// An item with the key exists, and the write needs that there is none: `create`.
    Exists,
    /// No item with the key exists, and the write needs one: `update`, `replace`.
    Missing,
    /// The item with the key is of another entity, or does not say of which: it
    /// [shares the key](crate::DynaEntity#shared-keys), or the key was given [as it is stored](crate::DynaEntity::raw_key).
    OtherEntity,
    /// The condition that the caller gave is false.
    Condition,
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exists => "an item with this key already exists",
            Self::Missing => "there is no item with this key",
            Self::OtherEntity => "the item with this key belongs to another entity",
            Self::Condition => "its condition is not met",
        })
    }
}
