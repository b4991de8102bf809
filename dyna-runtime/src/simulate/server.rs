//! The tables: the engine, the tokens that it knows, and the copy that is behind.

use super::clock::VirtualTime;
use super::late::{Late, LateArrivals};
use super::record::Record;
use super::replica::Replica;
use super::tokens::Tokens;
use super::trace::Outcome;
use crate::embedded::{Embedded, EmbeddedError};
use fastrand::Rng;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

pub(super) use crate::embedded::Reply;

pub(super) struct Server {
    engine: Embedded,
    tokens: Tokens,
    replica: Option<Replica>,
    late: LateArrivals,
    pub(super) record: Option<Record>,
}

impl Server {
    /// Without tables; with a copy of them, if reads may be so long behind.
    pub(super) fn new(
        time: VirtualTime,
        longest_lag: Option<Duration>,
    ) -> Result<Self, EmbeddedError> {
        let replica = match longest_lag {
            Some(lag) => Some(Replica::new(Embedded::with_clock(Arc::new(time))?, lag)),
            None => None,
        };
        Ok(Self {
            engine: Embedded::with_clock(Arc::new(time))?,
            tokens: Tokens::default(),
            replica,
            late: LateArrivals::default(),
            record: None,
        })
    }

    /// A request is on its way.
    pub(super) fn hold(&mut self, late: Late) {
        self.late.hold(late);
    }

    /// Carries out the next request that was on its way and has arrived by now.
    pub(super) fn apply_late(&mut self, now: Duration) -> Option<(Late, Reply)> {
        let late = self.late.next(now)?;
        let reply = self.apply(late.due, late.client, &late.operation, &late.body);
        Some((late, reply))
    }

    /// Carries out a request.
    pub(super) fn apply(
        &mut self,
        now: Duration,
        client: u64,
        operation: &str,
        body: &[u8],
    ) -> Reply {
        if operation != "TransactWriteItems" {
            return self.apply_once(now, client, operation, body);
        }
        let Ok(mut request) = serde_json::from_slice::<Value>(body) else {
            return self.apply_once(now, client, operation, body);
        };
        let token = request
            .as_object_mut()
            .and_then(|it| it.remove("ClientRequestToken"));
        let Some(token) = token.and_then(|token| token.as_str().map(str::to_owned)) else {
            return self.apply_once(now, client, operation, body);
        };
        if let Some(reply) = self.tokens.find(now, &token, &request) {
            return reply;
        }
        let reply = self.apply_once(now, client, operation, request.to_string().as_bytes());
        if reply.status == 200 {
            self.tokens.keep(now, token, request, reply.clone());
        }
        reply
    }

    fn apply_once(&mut self, now: Duration, client: u64, operation: &str, body: &[u8]) -> Reply {
        let reply = self.engine.run(operation, body);
        if reply.status != 200 || !is_write(operation) {
            return reply;
        }
        if let Some(replica) = &mut self.replica {
            replica.applied(now, operation, body);
        }
        if let Some(record) = &mut self.record {
            record.applied(&self.engine, now, client, operation, body);
        }
        reply
    }

    /// Reads what the tables held so long ago.
    pub(super) fn read_stale(
        &mut self,
        now: Duration,
        lag: Duration,
        operation: &str,
        body: &[u8],
    ) -> Reply {
        match &mut self.replica {
            Some(replica) => replica.read(now, lag, operation, body),
            None => self.engine.run(operation, body),
        }
    }

    /// Carries out some part of a batch, and returns the rest as unprocessed; `None` if it cannot be parted.
    pub(super) fn apply_partly(
        &mut self,
        now: Duration,
        client: u64,
        operation: &str,
        body: &[u8],
        rng: &mut Rng,
    ) -> Option<Reply> {
        let mut request = serde_json::from_slice(body).ok()?;
        let (member, rest) = match operation {
            "BatchWriteItem" => (
                "UnprocessedItems",
                hold_back(&mut request, rng, |it| Some(it))?,
            ),
            _ => (
                "UnprocessedKeys",
                hold_back(&mut request, rng, |it| it.get_mut("Keys"))?,
            ),
        };
        let mut reply = self.apply(now, client, operation, request.to_string().as_bytes());
        if reply.status == 200 {
            let mut response: Value = serde_json::from_str(&reply.body).ok()?;
            response[member] = rest;
            reply.body = response.to_string();
        }
        Some(reply)
    }

    /// Deletes the items that have expired, in the copy too.
    pub(super) fn sweep(&mut self) -> Result<usize, EmbeddedError> {
        if let Some(replica) = &mut self.replica {
            replica.sweep().map_err(EmbeddedError::open)?;
        }
        let database = self.engine.database();
        database.sweep_ttl().map_err(EmbeddedError::open)
    }
}

/// Takes some of the items of a batch out of it, at least one, and leaves at least one.
fn hold_back(
    request: &mut Value,
    rng: &mut Rng,
    list: fn(&mut Value) -> Option<&mut Value>,
) -> Option<Value> {
    let tables = request.get_mut("RequestItems")?.as_object_mut()?;
    let mut left: usize = 0;
    for table in tables.values_mut() {
        left += list(table)?.as_array()?.len();
    }
    let mut to_hold = match left {
        0 | 1 => return None,
        count => rng.usize(1..count),
    };
    let mut held = serde_json::Map::new();
    for (name, table) in tables.iter_mut() {
        let mut rest = table.clone();
        let (items, rest_items) = (
            list(table)?.as_array_mut()?,
            list(&mut rest)?.as_array_mut()?,
        );
        rest_items.clear();
        let mut at = 0;
        while at < items.len() {
            // Of those that are left, so many are still to be held.
            if rng.usize(..left) < to_hold {
                rest_items.push(items.remove(at));
                to_hold -= 1;
            } else {
                at += 1;
            }
            left -= 1;
        }
        if !rest_items.is_empty() {
            held.insert(name.clone(), rest);
        }
    }
    // DynamoDB takes no empty lists.
    tables.retain(|_, table| {
        list(table).and_then(|it| it.as_array().map(|it| !it.is_empty())) == Some(true)
    });
    Some(Value::Object(held))
}

pub(super) fn is_write(operation: &str) -> bool {
    let reads = [
        "BatchGetItem",
        "GetItem",
        "Query",
        "Scan",
        "SearchVectors",
        "TransactGetItems",
    ];
    let is_of_items = !operation.starts_with("Describe") && !operation.starts_with("List");
    is_of_items && !reads.contains(&operation)
}

/// Whether a read may be stale, and then whether it reads an index.
pub(super) fn may_be_stale(operation: &str, body: &[u8]) -> Option<bool> {
    if !matches!(operation, "GetItem" | "Query" | "Scan" | "BatchGetItem") {
        return None;
    }
    let request: Value = serde_json::from_slice(body).ok()?;
    let is_consistent = |request: &Value| request["ConsistentRead"] == Value::Bool(true);
    if operation == "BatchGetItem" {
        let tables = request["RequestItems"].as_object()?;
        return (!tables.values().any(is_consistent)).then_some(false);
    }
    (!is_consistent(&request)).then_some(request.get("IndexName").is_some())
}

/// How many operations a transaction has.
pub(super) fn operations(operation: &str, body: &[u8]) -> Option<usize> {
    if !operation.starts_with("Transact") {
        return None;
    }
    let request: Value = serde_json::from_slice(body).ok()?;
    Some(request["TransactItems"].as_array()?.len())
}

/// What the server did, by its response.
pub(super) fn outcome(reply: &Reply) -> Outcome {
    if reply.status == 200 {
        return Outcome::Applied;
    }
    let body: Value = serde_json::from_str(&reply.body).unwrap_or_default();
    let code = body["__type"].as_str().unwrap_or_default();
    Outcome::Refused(code.rsplit('#').next().unwrap_or_default().to_owned())
}
