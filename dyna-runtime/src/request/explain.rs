//! What a request would ask DynamoDB, for people to read.

use crate::codec::Item;
use crate::expr::Rendered;
use crate::key::KeyError;
use aws_sdk_dynamodb::types::AttributeValue;
use std::fmt;

/// What a request asks of DynamoDB, in DynamoDB's own terms. Shows the values of keys and conditions.
///
/// ```
/// # use dyna_runtime::{DynaEntity, DynaTable};
/// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
/// # #[dyna(table(name = "posts", pk = "pk", sk = "sk"), pk = "USER#<user>", sk = "POST#<n:05>")]
/// # struct Post { user: String, n: u32 }
/// assert_eq!(
///     Post::query("ann").n_range(7..).explain().to_string(),
///     r#"Query posts
///   KeyConditionExpression  pk = :p AND sk BETWEEN :s AND :t
///   :p                      "USER#ann"
///   :s                      "POST#00007"
///   :t                      "POST#\u{10ffff}""#
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explain {
    operation: &'static str,
    table: String,
    members: Vec<(String, String)>,
}

impl Explain {
    pub(super) fn new(operation: &'static str, table: impl Into<String>) -> Self {
        Self {
            operation,
            table: table.into(),
            members: Vec::new(),
        }
    }

    pub(super) fn member(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.members.push((name.into(), value.into()));
    }

    pub(super) fn alias(&mut self, alias: Option<(&str, &str)>) {
        if let Some((alias, name)) = alias {
            self.member(alias, name);
        }
    }

    /// An expression, and the names and values that it refers to.
    pub(super) fn expression(&mut self, member: &str, rendered: Rendered) {
        self.member(member, &*rendered.expression);
        self.references(rendered);
    }

    /// The names and values that expressions refer to.
    pub(super) fn references(&mut self, rendered: Rendered) {
        self.members.extend(rendered.names);
        for (alias, value) in rendered.values {
            self.member(alias, text(&value));
        }
    }

    /// The request will fail with this error, and not be made.
    pub(super) fn error(&mut self, error: &KeyError) {
        self.member("Error", error.to_string());
    }

    /// An operation of a transaction, with its members under its number.
    pub(super) fn nested(&mut self, number: &str, operation: &Self) {
        let Self {
            operation: name,
            table,
            members,
        } = operation;
        let name = name.trim_end_matches("Item");
        self.member(number, format!("{name} {table}"));
        for (member, value) in members {
            self.member(format!("{number}.{member}"), value);
        }
    }

    pub(super) fn item(&mut self, prefix: &str, item: &Item) {
        let mut attributes: Vec<_> = item.iter().collect();
        attributes.sort_by_key(|(name, _)| *name);
        for (name, value) in attributes {
            self.member(format!("{prefix}.{name}"), text(value));
        }
    }

    /// The operation, such as `Query`.
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// The members of the request with their values, in the order in which they are shown.
    pub fn members(&self) -> &[(String, String)] {
        &self.members
    }

    /// The value of one member, such as `KeyConditionExpression`.
    pub fn get(&self, member: &str) -> Option<&str> {
        self.members
            .iter()
            .find(|(name, _)| name == member)
            .map(|(_, value)| value.as_str())
    }
}

impl fmt::Display for Explain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.operation)?;
        if !self.table.is_empty() {
            write!(f, " {}", self.table)?;
        }
        let width = self
            .members
            .iter()
            .map(|(name, _)| name.chars().count())
            .max()
            .unwrap_or_default();
        for (name, value) in &self.members {
            write!(f, "\n  {name:width$}  {value}")?;
        }
        Ok(())
    }
}

/// A value as people write it, and before a set the name of its type.
pub(crate) fn text(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => format!("{text:?}"),
        AttributeValue::N(number) => number.clone(),
        AttributeValue::Bool(value) => value.to_string(),
        AttributeValue::Null(_) => "null".to_owned(),
        AttributeValue::B(bytes) => format!("{} bytes", bytes.as_ref().len()),
        AttributeValue::L(list) => {
            format!("[{}]", list.iter().map(text).collect::<Vec<_>>().join(", "))
        }
        AttributeValue::M(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(name, _)| *name);
            let entries: Vec<_> = entries
                .iter()
                .map(|(name, value)| format!("{name}: {}", text(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        AttributeValue::Ss(set) => format!("SS {set:?}"),
        AttributeValue::Ns(set) => format!("NS [{}]", set.join(", ")),
        AttributeValue::Bs(set) => format!("BS of {} binaries", set.len()),
        _ => "(unknown)".to_owned(),
    }
}
