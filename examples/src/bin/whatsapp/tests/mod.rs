//! The patterns find exactly what they name, and items are stored as in the contract.

mod changes;
mod indexes;
mod items;
mod keys;

use crate::model::WhatsApp;
use crate::{at_time, opened, sample};
use dyna_examples::{Account, Answers, COLUMNS, Engine, Model};
use dyna_runtime::Table;
use tokio::sync::OnceCell;

/// The table with all samples, which is written once. It is only read.
async fn with_samples() -> &'static Table<WhatsApp> {
    static TABLE: OnceCell<Table<WhatsApp>> = OnceCell::const_new();
    let open = async || opened(&Engine::embedded().unwrap()).await.unwrap();
    TABLE.get_or_init(open).await
}

#[tokio::test]
async fn the_account_fits_the_terminal() {
    let mut account = Account::default();
    let engine = Engine::embedded().unwrap();
    WhatsApp::tell(&engine, &mut account).await.unwrap();
    let text = account.to_string();
    let wide: Vec<_> = text
        .lines()
        .filter(|line| line.chars().count() > COLUMNS)
        .collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

#[tokio::test]
async fn every_pattern_answers_but_what_is_meant_to_be_refused() {
    let mut answers = Answers::default();
    let engine = Engine::embedded().unwrap();
    WhatsApp::answer(&engine, &mut answers).await.unwrap();
    let answers = answers.into_vec();
    let refused: Vec<_> = answers
        .iter()
        .filter_map(|a| Some((a.pattern.as_str(), a.answer.get("refused")?.as_str()?)))
        .collect();
    assert_eq!(
        refused,
        [
            (
                "Unread counters: the same again",
                "TransactionCanceledException: 0 ConditionFailed"
            ),
            (
                "Delivery status history: late",
                "ConditionalCheckFailedException"
            ),
        ]
    );
    let nothing = |answer: &serde_json::Value| answer.is_null() || answer == &serde_json::json!([]);
    let empty = answers.iter().filter(|a| nothing(&a.answer));
    let empty: Vec<_> = empty.map(|a| a.pattern.as_str()).collect();
    assert_eq!(
        empty,
        ["Idempotency records: 24 hours", "Unread counters: receive"]
    );
}
