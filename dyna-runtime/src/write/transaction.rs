//! Sending a transaction: the writes of a call as DynamoDB takes them, and its response as theirs.

use crate::entity::fill::Precondition;
use crate::entity::fill::VersionCheck;
use crate::entity::in_place::InPlace;
use crate::error::{Error, RequestContext, Result};
use crate::error::{MAX_TRANSACTION, OTHER_CONTENT, SizeLimit};
use crate::schema::EntityId;
use crate::transport::backoff::Backoff;
use crate::transport::limits;
use crate::transport::{CapturedResponse, ItemBodies, ItemFormat};
use crate::write::cancellation::failed;
use crate::write::guard::Guard;
use crate::write::{CONFLICT_RETRIES, Write};
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
    /// The number of the operation of the call that it belongs to.
    pub(crate) index: usize,
}

/// Where a write stands in the call, and what it depends on, for errors.
#[derive(Clone)]
pub(crate) struct OperationInfo {
    pub(crate) index: usize,
    pub(crate) entity: &'static str,
    pub(crate) id: EntityId,
    /// Its name: `create`.
    pub(crate) operation: &'static str,
    pub(crate) precondition: Precondition,
    pub(crate) guard: Option<Guard>,
    pub(crate) version_check: Option<VersionCheck>,
    /// The conditions under which an update in place would not find its fields.
    pub(crate) finds: Vec<InPlace>,
    /// The attribute of the unique field whose sentinel it writes.
    pub(crate) unique: Option<&'static str>,
}

impl Operation {
    /// A write, with its sentinels.
    pub(crate) fn all(table: &str, mut write: Write, index: usize) -> Vec<Self> {
        let operation = write.operation;
        let companions = std::mem::take(&mut write.companions).into_iter();
        // A sentinel fails as the write that it belongs to.
        let companions = companions.map(|one| Write { operation, ..one });
        let writes = std::iter::once(write).chain(companions);
        let operation = |write| Self {
            table: table.to_owned(),
            write,
            index,
        };
        writes.map(operation).collect()
    }

    fn place(&self) -> OperationInfo {
        OperationInfo {
            index: self.index,
            entity: self.write.meta.name,
            id: self.write.meta.id(),
            operation: self.write.operation,
            precondition: self.write.precondition,
            guard: self.write.guard(),
            version_check: self.write.version_check.clone(),
            finds: self.write.in_place.clone(),
            unique: self.write.unique.map(|unique| unique.name.attribute),
        }
    }
}

/// How a transaction is sent.
#[derive(Debug, Clone)]
pub(crate) struct Sending {
    /// The client request token.
    pub(crate) token: Option<String>,
    /// How often a conflict is tried again.
    pub(crate) retries: u32,
}

impl Default for Sending {
    fn default() -> Self {
        Self {
            token: None,
            retries: CONFLICT_RETRIES,
        }
    }
}

/// Makes all of the writes, or none. Without writes, no request.
pub(crate) async fn send(
    client: &Client,
    format: ItemFormat,
    operations: Vec<Operation>,
    sending: Sending,
) -> Result<()> {
    if operations.is_empty() {
        return Ok(());
    }
    check(&operations)?;
    let places: Vec<OperationInfo> = operations.iter().map(Operation::place).collect();
    let tables = tables(&operations);
    let asked = RequestContext {
        table: &tables,
        index: "",
        partition: &[],
    };
    let mut backoff = Backoff::tries(sending.retries);
    // One token for all tries: the SDK would make one for each, and a try that is still under way would not be known again.
    let token = sending.token.map_or_else(random_token, Ok)?;
    // And one request: with the same token, DynamoDB takes no other.
    let (mut writes, mut items) = to_request(&operations, format)?;
    loop {
        let request = client.transact_write_items().client_request_token(&token);
        let request = request.set_transact_items(Some(writes.clone()));
        let kept = CapturedResponse::writing(items.clone(), Some(backoff.observer()));
        let sent = request.customize().interceptor(kept.hook()).send().await;
        let error = match kept.sent(sent, asked) {
            Ok(_) => return Ok(()),
            Err(_) if kept.is_unfilled() => {
                (writes, items) = to_request(&operations, ItemFormat::Maps)?;
                continue;
            }
            Err(error) => failed(&places, error),
        };
        if !is_worth_another(&error) || !backoff.wait().await {
            return Err(error);
        }
    }
}

/// The operations as DynamoDB takes them, and the items that are put into their request.
fn to_request(
    operations: &[Operation],
    format: ItemFormat,
) -> Result<(Vec<TransactWriteItem>, ItemBodies)> {
    let mut items = ItemBodies::new(format);
    let writes = operations.iter();
    let writes = writes.map(|one| one.write.to_operation(&one.table, &mut items));
    Ok((writes.collect::<Result<_>>()?, items))
}

/// The names of the tables, each once.
fn tables(operations: &[Operation]) -> String {
    let mut tables: Vec<&str> = operations.iter().map(|one| one.table.as_str()).collect();
    tables.sort_unstable();
    tables.dedup();
    tables.join(", ")
}

/// Refuses what DynamoDB would refuse.
pub(crate) fn check(operations: &[Operation]) -> Result<()> {
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
            limits::check(SizeLimit::Transaction, operation.write.meta, size)?;
        }
        let Some(key) = operation.write.key() else {
            continue;
        };
        if let Some(first) = seen.insert((&operation.table, key), operation.index) {
            return Err(Error::DuplicateTarget {
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
pub(crate) fn is_passing(error: &Error) -> bool {
    match error {
        Error::TransactionCancelled { failures, .. } => {
            !failures.is_empty() && failures.iter().all(|failure| failure.reason.is_passing())
        }
        _ => error.is_transaction_conflict(),
    }
}

/// Whether the transaction is sent again, with the same token: nothing but others' work was in its way, or DynamoDB may have applied it, and
/// knows it by the token then. What was refused for a condition is refused again.
fn is_worth_another(error: &Error) -> bool {
    let is_refused = matches!(
        error,
        Error::OutcomeUnknown {
            refused: Some(_),
            ..
        }
    );
    let is_other = error.code() == Some(OTHER_CONTENT);
    is_passing(error) || error.is_outcome_unknown() && !is_refused && !is_other
}

/// A token that no other process makes: two transactions with one token would count as one.
pub(crate) fn random_token() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|_| Error::Transaction {
        problem: "the operating system gives no random bytes for its token",
    })?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}
