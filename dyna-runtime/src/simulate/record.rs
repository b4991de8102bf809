//! Every write that the server applied, for tests of the library itself.

use crate::embedded::Embedded;
use serde_json::{Value, json};
use std::time::Duration;

/// A write that the server applied. Not a part of the interface of this crate.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AppliedWrite {
    /// Virtual time since the simulation began.
    pub at: Duration,
    /// The number of the client.
    pub client: u64,
    /// The operation of DynamoDB: `PutItem`.
    pub operation: String,
    /// The request, as JSON, without its token. Of a batch, the part that was applied.
    pub body: String,
    /// The items of the table after it, as JSON.
    pub items: String,
}

/// What was applied to one table.
pub(super) struct Record {
    table: String,
    pub(super) writes: Vec<AppliedWrite>,
}

impl Record {
    pub(super) fn of(table: String) -> Self {
        Self {
            table,
            writes: Vec::new(),
        }
    }

    /// A request was applied to the tables of the engine.
    pub(super) fn applied(
        &mut self,
        engine: &Embedded,
        at: Duration,
        client: u64,
        operation: &str,
        body: &[u8],
    ) {
        let scan = json!({ "TableName": self.table, "ConsistentRead": true });
        let reply = engine.run("Scan", scan.to_string().as_bytes());
        let response: Value = serde_json::from_str(&reply.body).unwrap_or_default();
        self.writes.push(AppliedWrite {
            at,
            client,
            operation: operation.to_owned(),
            body: String::from_utf8_lossy(body).into_owned(),
            items: response["Items"].to_string(),
        });
    }
}
