//! Requests as text, without sending them.

use crate::codec::Item;
use crate::codec::display::text;
use crate::entity::EntityMeta;
use crate::error::{Error, Result};
use crate::expr::Rendered;
use crate::key::KeyError;
use crate::read::{Consistency, ReadOptions, Start};
use crate::write::returning::Which;
use crate::write::transaction;
use crate::write::transaction::Operation;
use crate::write::{Write, WriteKind};
use std::borrow::Cow;
use std::fmt;

/// A request as DynamoDB receives it: operation and parameters. Shows the values of keys and conditions.
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
    parameters: Vec<(String, String)>,
}

impl Explain {
    pub(super) fn new(operation: &'static str, table: impl Into<String>) -> Self {
        Self {
            operation,
            table: table.into(),
            parameters: Vec::new(),
        }
    }

    pub(super) fn parameter(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.parameters.push((name.into(), value.into()));
    }

    pub(super) fn alias(&mut self, alias: Option<(&str, &str)>) {
        if let Some((alias, name)) = alias {
            self.parameter(alias, name);
        }
    }

    /// An expression, and the names and values that it refers to.
    pub(super) fn expression(&mut self, parameter: &str, rendered: Rendered) {
        self.parameter(parameter, &*rendered.expression);
        self.references(rendered);
    }

    /// The names and values that expressions refer to.
    pub(super) fn references(&mut self, rendered: Rendered) {
        self.parameters.extend(rendered.names);
        for (alias, value) in rendered.values {
            self.parameter(alias, text(&value));
        }
    }

    /// The request will fail with this error, and not be made.
    pub(super) fn error(&mut self, error: &KeyError) {
        self.parameter("Error", error.to_string());
    }

    /// An operation of a transaction, with its parameters under its number.
    pub(super) fn nested(&mut self, number: &str, operation: &Self) {
        let Self {
            operation: name,
            table,
            parameters,
        } = operation;
        let name = name.trim_end_matches("Item");
        self.parameter(number, format!("{name} {table}"));
        for (parameter, value) in parameters {
            self.parameter(format!("{number}.{parameter}"), value);
        }
    }

    pub(super) fn item(&mut self, prefix: &str, item: &Item) {
        let mut attributes: Vec<_> = item.iter().collect();
        attributes.sort_by_key(|(name, _)| *name);
        for (name, value) in attributes {
            self.parameter(format!("{prefix}.{name}"), text(value));
        }
    }

    /// An item, or why there is none.
    pub(super) fn item_or_error(&mut self, prefix: &str, item: Result<&Item, &Error>) {
        match item {
            Ok(item) => self.item(prefix, item),
            Err(error) => self.parameter("Error", error.to_string()),
        }
    }

    /// How the items of a query or a scan are read.
    pub(super) fn options(&mut self, options: &ReadOptions) {
        if let Some(limit) = options.limit {
            self.parameter("limit", limit.to_string());
        }
        if let Some(size) = options.page_size {
            self.parameter("Limit", size.to_string());
        }
        if options.consistency == Consistency::Strong {
            self.parameter("ConsistentRead", "true");
        }
        match &options.start {
            Start::Beginning => {}
            Start::After(cursor) => self.parameter("after", cursor.to_string()),
            Start::Before(cursor) => self.parameter("before", cursor.to_string()),
        }
        if options.attributes.hydrate {
            self.parameter("then", "BatchGetItem of the keys");
        }
    }

    /// The operation, such as `Query`.
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// The parameters of the request with their values, in the order in which they are shown.
    pub fn parameters(&self) -> &[(String, String)] {
        &self.parameters
    }

    /// The value of one parameter, such as `KeyConditionExpression`.
    pub fn get(&self, parameter: &str) -> Option<&str> {
        self.parameters
            .iter()
            .find(|(name, _)| name == parameter)
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
            .parameters
            .iter()
            .map(|(name, _)| name.chars().count())
            .max()
            .unwrap_or_default();
        for (name, value) in &self.parameters {
            write!(f, "\n  {name:width$}  {value}")?;
        }
        Ok(())
    }
}

/// A write as DynamoDB receives it.
pub(crate) fn explain_write(write: &Write) -> Explain {
    let known = |key| Ok(Cow::Borrowed(key));
    let (operation, parameter, item) = match &write.action {
        WriteKind::Put(item) => ("PutItem", "Item", item.map(write.meta.name).map(Cow::Owned)),
        WriteKind::Update(key, _) => ("UpdateItem", "Key", known(key)),
        WriteKind::Delete(key) => ("DeleteItem", "Key", known(key)),
        WriteKind::Check(key) => ("ConditionCheck", "Key", known(key)),
    };
    let mut explain = Explain::new(operation, write.meta.schema.name);
    explain.item_or_error(parameter, item.as_deref());
    let (update, condition, rendered) = write.rendered();
    let limits = write.check_expressions(update.as_ref(), condition.as_ref(), &rendered);
    if let Some(update) = update {
        explain.parameter("UpdateExpression", update);
    }
    if let Some(condition) = condition {
        explain.parameter("ConditionExpression", condition);
    }
    explain.references(rendered);
    if let Err(error) = limits {
        explain.parameter("Error", error.to_string());
    }
    explain
}

/// A write as DynamoDB receives it, or the error for which it is not sent.
pub(crate) fn explain_single(
    operation: &'static str,
    meta: &EntityMeta,
    write: Result<Write>,
    which: Which,
) -> Explain {
    let checked = write.and_then(|write| write.check().map(|()| write));
    match checked {
        Ok(write) if which.is_once() || !write.companions.is_empty() => {
            explain_transaction(&Operation::all(meta.schema.name, write, 0), None)
        }
        Ok(write) => explain_write(&write),
        Err(error) => {
            let mut explain = Explain::new(operation, meta.schema.name);
            explain.parameter("Error", error.to_string());
            explain
        }
    }
}

/// A transaction as DynamoDB receives it, and the error for which it is not sent.
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
        explain.parameter("Error", error.to_string());
    }
    explain
}
