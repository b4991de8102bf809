//! What a request would ask DynamoDB, for people to read.

use crate::codec::Item;
use crate::codec::display::text;
use crate::entity::EntityMeta;
use crate::error::{Error, Result};
use crate::expr::Rendered;
use crate::key::KeyError;
use crate::read::{Consistency, ReadOptions, Start};
use crate::write::transaction;
use crate::write::transaction::Operation;
use crate::write::{Action, Write};
use std::borrow::Cow;
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

    /// How the items of a query or a scan are read.
    pub(super) fn options(&mut self, options: &ReadOptions) {
        if let Some(limit) = options.limit {
            self.member("limit", limit.to_string());
        }
        if let Some(size) = options.page_size {
            self.member("Limit", size.to_string());
        }
        if options.consistency == Consistency::Strong {
            self.member("ConsistentRead", "true");
        }
        match &options.start {
            Start::Beginning => {}
            Start::After(cursor) => self.member("after", cursor.to_string()),
            Start::Before(cursor) => self.member("before", cursor.to_string()),
        }
        if options.attributes.hydrate {
            self.member("then", "BatchGetItem of the keys");
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

/// What a write asks.
pub(crate) fn explain_write(write: &Write) -> Explain {
    let (operation, member, item) = match &write.action {
        Action::Put(item) => ("PutItem", "Item", Cow::Owned(item.map())),
        Action::Update(key, _) => ("UpdateItem", "Key", Cow::Borrowed(key)),
        Action::Delete(key) => ("DeleteItem", "Key", Cow::Borrowed(key)),
        Action::Check(key) => ("ConditionCheck", "Key", Cow::Borrowed(key)),
    };
    let mut explain = Explain::new(operation, write.meta.schema.name);
    explain.item(member, &item);
    let (update, condition, rendered) = write.rendered();
    let limits = write.check_expressions(update.as_ref(), condition.as_ref(), &rendered);
    if let Some(update) = update {
        explain.member("UpdateExpression", update);
    }
    if let Some(condition) = condition {
        explain.member("ConditionExpression", condition);
    }
    explain.references(rendered);
    if let Err(error) = limits {
        explain.member("Error", error.to_string());
    }
    explain
}

/// What a write asks, or why it will not be made.
pub(crate) fn explain_single(
    operation: &'static str,
    meta: &EntityMeta,
    write: Result<Write>,
) -> Explain {
    let checked = write.and_then(|write| write.check().map(|()| write));
    match checked {
        Ok(write) if !write.companions.is_empty() => {
            explain_transaction(&Operation::all(meta.schema.name, write, 0), None)
        }
        Ok(write) => explain_write(&write),
        Err(error) => {
            let mut explain = Explain::new(operation, meta.schema.name);
            explain.member("Error", error.to_string());
            explain
        }
    }
}

/// What a transaction asks, and why it will not be sent.
pub(crate) fn explain_transaction(operations: &[Operation], error: Option<&Error>) -> Explain {
    let mut explain = Explain::new("TransactWriteItems", "");
    for Operation { write, index, .. } in operations {
        // The sentinel of a unique field stands under the operation that needs it.
        let number = match write.unique {
            Some(unique) => format!("{index}.{}", unique.name.attribute),
            None => index.to_string(),
        };
        explain.nested(&number, &explain_write(write));
    }
    let refused = transaction::check(operations).err();
    if let Some(error) = error.or(refused.as_ref()) {
        explain.member("Error", error.to_string());
    }
    explain
}
