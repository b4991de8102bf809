//! Expressions as DynamoDB takes them: text, and beside it the names and values that it refers to.

use crate::schema::AttributeName;
use aws_sdk_dynamodb::types::AttributeValue;
use std::fmt::Write as _;

/// The expressions of one request. All of them go through one of these, so that no two aliases clash.
///
/// Values are `:v0`, `:v1`, ..: key conditions and tags have single letters. The keys of maps are `#k0`, `#k1`, ..: no attribute has
/// such an alias, because one that is called `k0` needs none.
#[derive(Debug, Default)]
pub(crate) struct Rendered {
    pub(crate) expression: String,
    /// Aliases and what they stand for.
    pub(crate) names: Vec<(String, String)>,
    pub(crate) values: Vec<(String, AttributeValue)>,
    keys: usize,
}

impl Rendered {
    /// Text that is known when the program is compiled.
    pub(crate) fn push(&mut self, text: &'static str) {
        self.expression.push_str(text);
    }

    pub(crate) fn name(&mut self, name: AttributeName) {
        self.expression.push_str(name.expr);
        if name.expr != name.attribute && !self.names.iter().any(|(alias, _)| alias == name.expr) {
            self.names
                .push((name.expr.to_owned(), name.attribute.to_owned()));
        }
    }

    /// Adds an attribute to a projection, unless it is there.
    pub(crate) fn also(&mut self, name: AttributeName) {
        if !self.expression.split(", ").any(|path| path == name.expr) {
            self.push(", ");
            self.name(name);
        }
    }

    pub(super) fn index(&mut self, index: usize) {
        // Writing to a `String` cannot fail.
        let _ = write!(self.expression, "[{index}]");
    }

    /// The key of a map, which is data: always by an alias.
    pub(super) fn key(&mut self, key: &str) {
        if let Some((alias, _)) = self.names.iter().find(|(_, name)| name == key) {
            self.expression.push_str(alias);
            return;
        }
        let alias = format!("#k{}", self.keys);
        self.keys += 1;
        self.expression.push_str(&alias);
        self.names.push((alias, key.to_owned()));
    }

    pub(crate) fn value(&mut self, value: &AttributeValue) {
        let alias = format!(":v{}", self.values.len());
        self.expression.push_str(&alias);
        self.values.push((alias, value.clone()));
    }
}
