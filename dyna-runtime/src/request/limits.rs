//! How much DynamoDB takes, and the error of what is more. It is told before anything is sent.

use crate::entity::EntityMeta;
use crate::error::{Error, Result};
use std::fmt;

/// Bytes of an item, names included.
pub(super) const MAX_ITEM: usize = 400 * 1024;
/// Bytes of all items of a transaction.
const MAX_TRANSACTION: usize = 4 * 1024 * 1024;

/// What is too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// An item: 400 KB, its names and its keys in indexes included.
    Item,
    /// The items of a transaction: 4 MB.
    Transaction,
}

impl Limit {
    const fn bytes(self) -> usize {
        match self {
            Self::Item => MAX_ITEM,
            Self::Transaction => MAX_TRANSACTION,
        }
    }

    /// Fails if there are more bytes than it allows.
    pub(super) fn check(self, meta: &EntityMeta, found: usize) -> Result<()> {
        let max = self.bytes();
        if found <= max {
            return Ok(());
        }
        Err(Error::TooLarge {
            entity: meta.name,
            limit: self,
            found,
            max,
        })
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Item => "the item",
            Self::Transaction => "the transaction, up to this item,",
        })
    }
}
