//! Size limits of DynamoDB, checked before anything is sent.

use crate::codec::size::value_size;
use crate::codec::{EMPTY_NAME, EncodeError};
use crate::entity::EntityMeta;
use crate::error::{Error, MAX_OPERATORS, Result, SizeLimit};
use crate::expr::Rendered;

/// Fails if there are more bytes than the limit allows.
pub(crate) fn check(limit: SizeLimit, meta: &EntityMeta, found: usize) -> Result<()> {
    let max = limit.bytes();
    if found <= max {
        return Ok(());
    }
    Err(Error::TooLarge {
        entity: meta.name,
        limit,
        found,
        max,
    })
}

/// Fails if one of the expressions of a request is too long, or what they refer to.
pub(crate) fn check_expressions<'x>(
    meta: &EntityMeta,
    expressions: impl IntoIterator<Item = &'x String>,
    references: &Rendered,
) -> Result<()> {
    for expression in expressions {
        check(SizeLimit::Expression, meta, expression.len())?;
    }
    let mut names = references.names.iter();
    if names.any(|(_, name)| name.is_empty()) {
        return Err(Error::Encode {
            entity: meta.name,
            source: EncodeError::new(EMPTY_NAME),
        });
    }
    let names = references.names.iter();
    let names = names.map(|(alias, name)| alias.len() + name.len());
    let values = references.values.iter();
    let values = values.map(|(alias, value)| alias.len() + value_size(value));
    check(SizeLimit::References, meta, names.chain(values).sum())
}

/// Fails if a condition or a filter has too many operators. Those of an update count too, but 4 KB have no room for as many: two of them,
/// `a = if_not_exists(a, :v0) + :v1, `, are 33 bytes.
pub(crate) fn check_operators(condition: &str) -> Result<()> {
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
