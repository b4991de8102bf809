//! How much DynamoDB takes, and the error of what is more. It is told before anything is sent.

use crate::codec::size::value_size;
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
    let names = references.names.iter();
    let names = names.map(|(alias, name)| alias.len() + name.len());
    let values = references.values.iter();
    let values = values.map(|(alias, value)| alias.len() + value_size(value));
    check(SizeLimit::References, meta, names.chain(values).sum())
}

/// Fails if a condition or a filter has too many operators. An update has no room for as many.
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
