//! Tokens of transactions, in virtual time. The engine keeps its own by the wall clock, and walks through all of them for each transaction.

use super::server::Reply;
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

/// How long DynamoDB knows a token.
const KNOWN_FOR: Duration = Duration::from_mins(10);

const MISMATCH: &str = r#"{"__type":"com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException","Message":"The request uses the same client token as a previous, but non-identical request."}"#;

/// The transactions that were applied, by their tokens.
#[derive(Default)]
pub(super) struct Tokens {
    known: HashMap<String, (Value, Reply)>,
    by_age: VecDeque<(Duration, String)>,
}

impl Tokens {
    /// The response to a transaction whose token is known.
    pub(super) fn find(&mut self, now: Duration, token: &str, body: &Value) -> Option<Reply> {
        while let Some((at, _)) = self.by_age.front()
            && now.saturating_sub(*at) >= KNOWN_FOR
        {
            let old = self.by_age.pop_front();
            old.and_then(|(_, token)| self.known.remove(&token));
        }
        let (known, reply) = self.known.get(token)?;
        Some(if known == body {
            reply.clone()
        } else {
            Reply::new(400, MISMATCH)
        })
    }

    pub(super) fn keep(&mut self, now: Duration, token: String, body: Value, reply: Reply) {
        self.by_age.push_back((now, token.clone()));
        self.known.insert(token, (body, reply));
    }
}
