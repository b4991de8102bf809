//! DynamoDB in memory, as far as engines deviate, written from its documentation alone: it says who is right.
//!
//! - `TransactWriteItems` is all or nothing. Every condition is looked at before anything is written; if one does not hold, the request is
//!   cancelled, with a reason for each operation that was in the way.
//! - A transaction that comes again with its `ClientRequestToken`, within ten minutes, succeeds and writes nothing.
//! - A query with a `Limit` stops when it has read that many items, and returns the `LastEvaluatedKey` to go on from, whether there is
//!   more or not.
//! - `ADD` to a number of an item makes it the sum, and starts from zero.
//! - `ReturnValuesOnConditionCheckFailure` of `ALL_OLD` returns the item that did not meet the condition.
//! - `UpdateTimeToLive` sets the attribute that items expire by, and `DescribeTimeToLive` returns it.

use dyna_examples::Answer;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What the answer of a pattern must be.
pub(crate) struct Fact {
    pub(crate) pattern: &'static str,
    part: Part,
    value: Value,
}

/// Which part of an answer a fact is about.
enum Part {
    Whole,
    /// How many items there are.
    Count,
    /// A value inside, by a JSON pointer.
    At(&'static str),
}

impl Fact {
    pub(crate) fn holds(&self, answer: &Answer) -> bool {
        let found = match self.part {
            Part::Whole => Some(answer.answer.clone()),
            Part::Count => answer.answer.as_array().map(|items| json!(items.len())),
            Part::At(pointer) => answer.answer.pointer(pointer).cloned(),
        };
        answer.pattern == self.pattern && found.as_ref() == Some(&self.value)
    }
}

/// What is stored.
#[derive(Default)]
pub(crate) struct Memory {
    /// The items by key, each with the one number that is counted in it.
    items: BTreeMap<&'static str, i64>,
    /// The tokens of transactions that were made.
    tokens: BTreeSet<&'static str>,
}

/// A write of a transaction, and what must be true for it.
pub(crate) enum Write {
    /// The item is not there; its number is 0.
    Create(&'static str),
    /// The item is there; nothing is written.
    Check(&'static str),
    /// The item is there; its number grows by one.
    Count(&'static str),
    /// The same, but the item may be new.
    CountOrCreate(&'static str),
    /// The item is there, and goes.
    Delete(&'static str),
}

impl Memory {
    pub(crate) fn of(items: &[(&'static str, i64)]) -> Self {
        Self {
            items: items.iter().copied().collect(),
            tokens: BTreeSet::new(),
        }
    }

    fn allows(&self, write: &Write) -> bool {
        match write {
            Write::Create(key) => !self.items.contains_key(key),
            Write::Check(key) | Write::Count(key) | Write::Delete(key) => {
                self.items.contains_key(key)
            }
            Write::CountOrCreate(_) => true,
        }
    }

    /// What a transaction answers.
    pub(crate) fn transact(&mut self, writes: &[Write]) -> Value {
        let failed = writes
            .iter()
            .enumerate()
            .filter(|(_, write)| !self.allows(write));
        let failed: Vec<_> = failed
            .map(|(at, _)| format!("{at} ConditionFailed"))
            .collect();
        if !failed.is_empty() {
            return json!({"refused": format!("TransactionCanceledException: {}", failed.join(", "))});
        }
        for write in writes {
            match write {
                Write::Create(key) => drop(self.items.insert(key, 0)),
                Write::Check(_) => {}
                Write::Count(key) | Write::CountOrCreate(key) => {
                    *self.items.entry(key).or_default() += 1;
                }
                Write::Delete(key) => drop(self.items.remove(key)),
            }
        }
        Value::Null
    }

    /// The same of a transaction with a token.
    pub(crate) fn transact_once(&mut self, token: &'static str, writes: &[Write]) -> Value {
        if self.tokens.contains(token) {
            return Value::Null;
        }
        let answer = self.transact(writes);
        if answer.is_null() {
            self.tokens.insert(token);
        }
        answer
    }

    pub(crate) fn number(&self, key: &str) -> Value {
        json!(self.items.get(key))
    }

    fn count(&self, prefix: &str) -> Value {
        json!(
            self.items
                .keys()
                .filter(|key| key.starts_with(prefix))
                .count()
        )
    }
}

/// Whether a query with a limit tells where to go on, in a partition with so many items.
pub(crate) fn goes_on(items: usize, limit: usize) -> Value {
    json!((0..items).take(limit).count() == limit)
}

/// What a model must answer where an engine deviates.
pub(crate) fn facts(model: &str) -> Vec<Fact> {
    match model {
        "discord" => discord(),
        "putea-matai" => putea_matai(),
        "serenya" => serenya(),
        "tazco" => tazco(),
        "whatsapp" => whatsapp(),
        _ => vec![],
    }
}

fn fact(pattern: &'static str, part: Part, value: Value) -> Fact {
    Fact {
        pattern,
        part,
        value,
    }
}

fn discord() -> Vec<Fact> {
    // Who is there, where she is a member, the invite with its uses, and the channel.
    let mut db = Memory::of(&[
        ("user mira", 0),
        ("mira in test", 0),
        ("mira in club", 0),
        ("invite", 0),
        ("test: random", 0),
        ("second invite", 3),
    ]);
    let open = [
        Write::Create("server reading"),
        Write::Create("reading: books"),
        Write::Create("mira in reading"),
        Write::Check("user mira"),
    ];
    let join = [Write::Create("guest in test"), Write::Count("invite")];
    let moved = [
        Write::Delete("test: random"),
        Write::Create("reading: random"),
    ];
    let late = [
        Write::Create("late guest in test"),
        Write::Count("second invite"),
    ];
    vec![
        fact("Table of Discord", Part::Whole, json!("as declared")),
        fact("Open a server", Part::Whole, db.transact(&open)),
        fact(
            "Open a server: its owner's servers",
            Part::Count,
            db.count("mira in"),
        ),
        fact("Open a server: again", Part::Whole, db.transact(&open)),
        fact("Join by an invite", Part::Whole, db.transact(&join)),
        fact("Join by an invite: again", Part::Whole, db.transact(&join)),
        fact(
            "Join by an invite: its uses",
            Part::At("/uses"),
            db.number("invite"),
        ),
        fact("Move a channel", Part::Whole, db.transact(&moved)),
        fact(
            "Move a channel: where it is",
            Part::Count,
            db.count("reading:"),
        ),
        fact("Increment invite uses", Part::At("/uses"), {
            db.transact(&[Write::Count("second invite")]);
            db.number("second invite")
        }),
        fact(
            "Join by an invite: under a token",
            Part::Whole,
            db.transact_once("token", &late),
        ),
        fact(
            "Join by an invite: under the same token",
            Part::Whole,
            db.transact_once("token", &late),
        ),
        fact(
            "Join by an invite: used once for both",
            Part::At("/uses"),
            db.number("second invite"),
        ),
    ]
}

fn putea_matai() -> Vec<Fact> {
    // Someone has annotated the transaction since it was loaded, so as it was loaded it is not there any more.
    let mut db = Memory::of(&[("annotated", 0)]);
    let moved = |from| [Write::Delete(from), Write::Create("txn-abc123 in July")];
    vec![
        fact(
            "Give a transaction another date: annotated meanwhile",
            Part::Whole,
            db.transact(&moved("as loaded")),
        ),
        fact(
            "Give a transaction another date",
            Part::Whole,
            db.transact(&moved("annotated")),
        ),
        fact(
            "Give a transaction another date: again",
            Part::Whole,
            db.transact(&moved("annotated")),
        ),
        // The second one of its new day, since ids sort as text.
        fact(
            "Give a transaction another date: what is there",
            Part::At("/1/transactionId"),
            json!("txn-abc123"),
        ),
    ]
}

fn serenya() -> Vec<Fact> {
    // Another user of another identity, but with the address that is claimed by then.
    let mut db = Memory::default();
    let first = ["user 200", "once@example.com", "google 200"].map(Write::Create);
    let second = ["user 201", "once@example.com", "google 201"].map(Write::Create);
    vec![
        fact("Table of Serenya", Part::Whole, json!("as declared")),
        fact("Register", Part::Whole, db.transact(&first)),
        fact(
            "Register: the same address",
            Part::Whole,
            db.transact(&second),
        ),
        fact(
            "Register: who has the address",
            Part::At("/data/external_id"),
            json!("200"),
        ),
    ]
}

fn tazco() -> Vec<Fact> {
    // Three events of the card have a number, and none of the other card.
    let mut sequences = Memory::of(&[("card", 3)]);
    let mut next = |key| {
        sequences.transact(&[Write::CountOrCreate(key)]);
        sequences.number(key)
    };
    vec![
        fact(
            "Table of IdempotencyRecord",
            Part::Whole,
            json!("as declared"),
        ),
        // The card has twelve transactions.
        fact(
            "transactions.findByCard: up to the last one",
            Part::At("/more"),
            goes_on(12, 12),
        ),
        // The record there has expired, and gives way.
        fact("idempotency.createOnce", Part::Whole, Value::Null),
        // The record that took the place of the expired one.
        fact(
            "idempotency.createOnce: again",
            Part::At("/statusCode"),
            json!(409),
        ),
        fact("outbox.markSent", Part::At("/status"), json!("sent")),
        // It had failed once.
        fact("outbox.markFailed", Part::At("/retryCount"), json!(2)),
        // Eight were due: one is sent now, and one is put off.
        fact(
            "outbox.findReadyForRetry: after that",
            Part::Count,
            json!(6),
        ),
        fact("outboxSequences.next", Part::Whole, next("card")),
        fact("outboxSequences.next: again", Part::Whole, next("card")),
        fact(
            "outboxSequences.next: the first",
            Part::Whole,
            next("another card"),
        ),
    ]
}

fn whatsapp() -> Vec<Fact> {
    let mut db = Memory::of(&[("conversation", 1)]);
    let receive = [
        Write::Create("message"),
        Write::CountOrCreate("conversation"),
    ];
    let unread = Part::At("/unreadCount");
    vec![
        fact("Table of WhatsApp", Part::Whole, json!("as declared")),
        fact(
            "Unread counters: receive",
            Part::Whole,
            db.transact(&receive),
        ),
        fact(
            "Unread counters: the same again",
            Part::Whole,
            db.transact(&receive),
        ),
        fact(
            "Unread counters: conversation",
            unread,
            db.number("conversation"),
        ),
        fact(
            "Unread counters: read",
            Part::At("/lastMessagePk"),
            json!("MSG#wamid.0603"),
        ),
        fact(
            "Idempotency: again",
            Part::At("/requestId"),
            json!("request-02"),
        ),
    ]
}
