//! The limits of DynamoDB that a request can exceed.

use std::fmt;

/// Bytes of an item, names included.
pub(crate) const MAX_ITEM: usize = 400 * 1024;
/// Bytes of all items of a transaction.
pub(crate) const MAX_TRANSACTION: usize = 4 * 1024 * 1024;

/// Bytes of an expression.
pub(crate) const MAX_EXPRESSION: usize = 4 * 1024;
/// Operators and functions of an expression.
pub(crate) const MAX_OPERATORS: usize = 300;
/// Bytes of all names and values that the expressions of a request refer to.
pub(crate) const MAX_REFERENCES: usize = 2 * 1024 * 1024;

/// The size limit that was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SizeLimit {
    /// An item: 400 KB, its names and its keys in indexes included.
    Item,
    /// The items of a transaction: 4 MB. Of one that reads, it is known when the items are.
    Transaction,
    /// An expression, such as the condition of a write or the filter of a query: 4 KB.
    Expression,
    /// The names and values that the expressions of a request refer to: 2 MB.
    References,
}

impl SizeLimit {
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Self::Item => MAX_ITEM,
            Self::Transaction => MAX_TRANSACTION,
            Self::Expression => MAX_EXPRESSION,
            Self::References => MAX_REFERENCES,
        }
    }
}

impl fmt::Display for SizeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Item => "the item",
            Self::Transaction => "the transaction (up to this item)",
            Self::Expression => "an expression",
            Self::References => "the total of the expressions' names and values",
        })
    }
}
