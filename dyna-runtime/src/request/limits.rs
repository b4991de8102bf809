//! How much DynamoDB takes, and the error of what is more. It is told before anything is sent.

use crate::codec::size::value_size;
use crate::entity::EntityMeta;
use crate::error::{Error, Result};
use crate::expr::Rendered;
use std::fmt;

/// Bytes of an item, names included.
pub(super) const MAX_ITEM: usize = 400 * 1024;
/// Bytes of all items of a transaction.
pub(super) const MAX_TRANSACTION: usize = 4 * 1024 * 1024;

/// Bytes of an expression.
const MAX_EXPRESSION: usize = 4 * 1024;
/// Operators and functions of an expression.
const MAX_OPERATORS: usize = 300;
/// Bytes of all names and values that the expressions of a request refer to.
const MAX_REFERENCES: usize = 2 * 1024 * 1024;

/// What is too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// An item: 400 KB, its names and its keys in indexes included.
    Item,
    /// The items of a transaction: 4 MB.
    Transaction,
    /// An expression, such as the condition of a write or the filter of a query: 4 KB.
    Expression,
    /// The names and values that the expressions of a request refer to: 2 MB.
    References,
}

impl Limit {
    const fn bytes(self) -> usize {
        match self {
            Self::Item => MAX_ITEM,
            Self::Transaction => MAX_TRANSACTION,
            Self::Expression => MAX_EXPRESSION,
            Self::References => MAX_REFERENCES,
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

/// Fails if one of the expressions of a request is too long, or what they refer to.
pub(super) fn check_expressions<'x>(
    meta: &EntityMeta,
    expressions: impl IntoIterator<Item = &'x String>,
    references: &Rendered,
) -> Result<()> {
    for expression in expressions {
        Limit::Expression.check(meta, expression.len())?;
    }
    let names = references.names.iter();
    let names = names.map(|(alias, name)| alias.len() + name.len());
    let values = references.values.iter();
    let values = values.map(|(alias, value)| alias.len() + value_size(value));
    Limit::References.check(meta, names.chain(values).sum())
}

/// Fails if a condition or a filter has too many operators. An update has no room for as many.
pub(super) fn check_operators(condition: &str) -> Result<()> {
    let found = operators(condition);
    if found <= MAX_OPERATORS {
        return Ok(());
    }
    Err(Error::TooMany {
        what: "operators in one expression",
        found,
        max: MAX_OPERATORS,
    })
}

/// Comparisons, functions and what joins them. No name is taken for one: those that are reserved words have aliases.
fn operators(condition: &str) -> usize {
    let words = condition.split([' ', '(', ')']).map(|word| match word {
        "=" | "<>" | "<" | "<=" | ">" | ">=" | "OR" | "NOT" | "IN" | "AND" => 1,
        // Its `AND` is counted already.
        _ => 0,
    });
    let calls = condition.as_bytes().windows(2);
    let calls = calls.filter(|pair| pair[1] == b'(' && pair[0].is_ascii_lowercase());
    words.sum::<usize>() + calls.count()
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Item => "the item",
            Self::Transaction => "the transaction, up to this item,",
            Self::Expression => "an expression",
            Self::References => "what the expressions refer to",
        })
    }
}
