//! A difference is never taken for a deviation, and the model in memory does what DynamoDB's documentation says.

use crate::deviations::DEVIATIONS;
use crate::memory::{Memory, Write, facts, goes_on};
use crate::{Other, cell, contradictions};
use dyna_examples::{Answer, MODELS};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn answer(pattern: &str, answer: Value) -> Answer {
    Answer {
        pattern: pattern.to_owned(),
        answer,
    }
}

fn engine(name: &str) -> Other {
    Other {
        name: name.to_owned(),
        url: String::new(),
    }
}

#[test]
fn an_answer_is_equal_or_a_failure_unless_it_is_listed() {
    let row = &answer("Open a server", json!(null));
    let other = &answer(
        "Open a server",
        json!({"refused": "UnknownOperationException"}),
    );
    let of = |name, found| {
        let (word, failure) = cell("discord", row, &engine(name), found);
        (word, failure.is_some())
    };
    let told = |word: &str, fails| (word.to_owned(), fails);
    assert_eq!(of("moto", Some(row)), told("=", false));
    assert_eq!(of("moto", Some(other)), told("DIFFERS", true));
    assert_eq!(of("moto", None), told("DIFFERS", true));
    assert_eq!(of("dynalite", Some(other)), told("(1)", false));
    // A deviation that is gone has to go from the list.
    assert_eq!(of("dynalite", Some(row)), told("=", true));
}

#[test]
fn the_model_in_memory_knows_of_every_deviation() {
    for model in MODELS {
        let known: BTreeSet<_> = facts(model).iter().map(|fact| fact.pattern).collect();
        let listed = DEVIATIONS.iter().flat_map(|it| it.patterns);
        for (_, pattern) in listed.filter(|(of, _)| of == model) {
            assert!(known.contains(pattern), "{model}, {pattern}");
        }
    }
    let models: BTreeSet<_> = MODELS.iter().collect();
    let listed = DEVIATIONS.iter().flat_map(|it| it.patterns);
    assert!(listed.into_iter().all(|(model, _)| models.contains(model)));
}

#[test]
fn the_embedded_engine_is_held_to_the_model_in_memory() {
    let facts = facts("tazco");
    let mut answers = vec![
        answer("Table of IdempotencyRecord", json!("as declared")),
        answer(
            "transactions.findByCard: up to the last one",
            json!({"items": [], "more": true}),
        ),
        answer("idempotency.createOnce", json!(null)),
        answer("idempotency.createOnce: again", json!({"statusCode": 409})),
        answer("outbox.markSent", json!({"status": "sent"})),
        answer("outbox.markFailed", json!({"retryCount": 2})),
        answer(
            "outbox.findReadyForRetry: after that",
            json!([1, 2, 3, 4, 5, 6]),
        ),
        answer("outboxSequences.next", json!(4)),
        answer("outboxSequences.next: again", json!(5)),
        answer("outboxSequences.next: the first", json!(1)),
    ];
    let found = contradictions("tazco", &answers, &facts);
    assert!(found.is_empty(), "{found:?}");
    answers[1] = answer(
        "transactions.findByCard: up to the last one",
        json!({"items": [], "more": false}),
    );
    assert_eq!(contradictions("tazco", &answers, &facts).len(), 1);
}

#[test]
fn a_transaction_is_made_as_a_whole_and_once_for_its_token() {
    let mut db = Memory::of(&[("invite", 0)]);
    let join = [Write::Create("guest"), Write::Count("invite")];
    assert_eq!(db.transact_once("a", &join), json!(null));
    assert_eq!(db.transact_once("a", &join), json!(null));
    assert_eq!(db.number("invite"), json!(1));
    let refused = json!({"refused": "TransactionCanceledException: 0 ConditionFailed"});
    assert_eq!(db.transact(&join), refused);
    assert_eq!(db.number("invite"), json!(1));
    let gone = [Write::Delete("invite"), Write::Check("nobody")];
    let refused = json!({"refused": "TransactionCanceledException: 1 ConditionFailed"});
    assert_eq!(db.transact(&gone), refused);
    assert_eq!(db.number("invite"), json!(1));
}

#[test]
fn a_query_that_stops_at_its_limit_tells_where_to_go_on() {
    assert_eq!(goes_on(12, 11), json!(true));
    assert_eq!(goes_on(12, 12), json!(true));
    assert_eq!(goes_on(12, 13), json!(false));
}
