//! Sending a transaction: the writes of a call as DynamoDB takes them, and its answer as theirs.

use super::failure::failed;
use crate::entity::EntityId;
use crate::error::{Error, Result};
use crate::request::backoff::Backoff;
use crate::request::keep::Lock;
use crate::request::limits::{Limit, MAX_TRANSACTION};
use crate::request::wire::NewItems;
use crate::request::write::Write;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::TransactWriteItem;
use std::collections::HashMap;

/// Most operations of a transaction.
pub(crate) const MAX_OPERATIONS: usize = 100;

/// One write of a transaction.
pub(crate) struct Operation {
    /// The name of the table.
    pub(crate) table: String,
    pub(crate) write: Write,
    /// Which operation of the call it belongs to.
    pub(crate) index: usize,
}

/// Where a write stands in the call, and what it depends on, for errors.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) index: usize,
    pub(super) entity: &'static str,
    pub(super) id: EntityId,
    pub(super) lock: Option<Lock>,
    /// The attribute of the unique field whose sentinel it writes.
    pub(super) unique: Option<&'static str>,
}

impl Operation {
    /// A write, with its sentinels.
    pub(crate) fn all(table: &str, mut write: Write, index: usize) -> Vec<Self> {
        let companions = std::mem::take(&mut write.companions);
        let writes = std::iter::once(write).chain(companions);
        let operation = |write| Self {
            table: table.to_owned(),
            write,
            index,
        };
        writes.map(operation).collect()
    }

    fn place(&self) -> Place {
        Place {
            index: self.index,
            entity: self.write.meta.name,
            id: self.write.meta.id(),
            lock: self.write.lock.clone(),
            unique: self.write.unique.map(|unique| unique.name.attribute),
        }
    }
}

/// How a transaction is sent.
#[derive(Debug, Clone)]
pub(crate) struct Sending {
    /// What DynamoDB knows a repeated call by.
    pub(crate) token: Option<String>,
    /// How often a conflict is tried again.
    pub(crate) retries: u32,
}

impl Default for Sending {
    fn default() -> Self {
        Self {
            token: None,
            retries: 3,
        }
    }
}

/// Makes all of the writes, or none. Without writes, no request.
pub(crate) async fn send(
    client: &Client,
    operations: Vec<Operation>,
    sending: Sending,
) -> Result<()> {
    if operations.is_empty() {
        return Ok(());
    }
    check(&operations)?;
    let places: Vec<Place> = operations.iter().map(Operation::place).collect();
    let mut backoff = Backoff::tries(sending.retries);
    let mut items = NewItems::new(Vec::new(), Some(backoff.clock()));
    let operations = operations
        .into_iter()
        .map(|operation| operation.write.into_operation(&operation.table, &mut items))
        .collect::<Result<Vec<TransactWriteItem>>>()?;
    // One token for all tries: the SDK would make one for each, and a try that is still under way would not be known again.
    let token = sending.token.map_or_else(random_token, Ok)?;
    let request = client.transact_write_items().client_request_token(token);
    let request = request.set_transact_items(Some(operations));
    loop {
        let request = request.clone().customize().interceptor(items.clone());
        let answer = request.send().await;
        let Err(error) = answer.map_err(|error| failed(&places, error)) else {
            return Ok(());
        };
        if !is_passing(&error) || !backoff.wait().await {
            return Err(error);
        }
    }
}

/// Refuses what DynamoDB would refuse.
pub(super) fn check(operations: &[Operation]) -> Result<()> {
    if operations.len() > MAX_OPERATIONS {
        return Err(Error::TooMany {
            what: "operations in one transaction",
            found: operations.len(),
            max: MAX_OPERATIONS,
        });
    }
    let mut seen = HashMap::with_capacity(operations.len());
    let most = operations.iter().map(|one| one.write.most_bytes());
    let is_close = most.sum::<usize>() > MAX_TRANSACTION;
    let mut size = 0;
    for operation in operations {
        operation.write.check()?;
        if is_close {
            size += operation.write.size();
            Limit::Transaction.check(operation.write.meta, size)?;
        }
        let Some(key) = operation.write.key() else {
            continue;
        };
        if let Some(first) = seen.insert((&operation.table, key), operation.index) {
            return Err(Error::SameItem {
                entity: operation.write.meta.name,
                first,
                second: operation.index,
                unique: operation.write.unique.map(|unique| unique.name.attribute),
            });
        }
    }
    Ok(())
}

/// Whether the same transaction may succeed in a moment: nothing but others' work was in its way.
fn is_passing(error: &Error) -> bool {
    match error {
        Error::Cancelled { failures, .. } => {
            !failures.is_empty() && failures.iter().all(|failure| failure.reason.is_passing())
        }
        _ => error.code() == Some("TransactionInProgressException"),
    }
}

/// A token that no other process makes: two transactions with one token would count as one.
fn random_token() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|_| Error::Transaction {
        problem: "the operating system gives no random bytes for its token",
    })?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}
