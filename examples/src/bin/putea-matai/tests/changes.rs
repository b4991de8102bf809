//! What is written is there afterwards, and nothing else has changed.

use super::with_samples;
use crate::model::Transaction;
use crate::sample::{self, EVERYDAY, GROCERIES, USER};
use crate::{changes, patterns, traps};
use dyna_runtime::Table;
use jiff::civil::date;

async fn found(db: &Table<crate::PuteaMatai>, of: &Transaction) -> Option<Transaction> {
    let get = Transaction::get(USER, EVERYDAY, of.date, &*of.transaction_id);
    get.send(db).await.unwrap()
}

#[tokio::test]
async fn annotations_are_appended_to_those_that_are_there() {
    let db = &with_samples().await;
    let mut shopping = sample::shopping();
    let annotate = changes::annotate(&shopping, &sample::remark());
    annotate.send(db).await.unwrap();
    shopping.annotations.push(sample::remark());
    assert_eq!(found(db, &shopping).await, Some(shopping.clone()));
    assert_eq!(shopping.annotations.len(), 2);
}

#[tokio::test]
async fn nothing_is_annotated_that_is_not_there() {
    let db = &with_samples().await;
    let mut unknown = sample::shopping();
    unknown.transaction_id = "txn-unknown".to_owned();
    let annotate = changes::annotate(&unknown, &sample::remark());
    let error = annotate.send(db).await.unwrap_err();
    assert!(error.is_condition_failed());
    assert_eq!(found(db, &unknown).await, None);
}

#[tokio::test]
async fn a_transaction_moves_to_another_month_once() {
    let db = &with_samples().await;
    let old = sample::shopping();
    let mut moved = old.clone();
    moved.date = date(2025, 7, 31);
    let redate = || changes::redate(old.date, &moved).send(db);
    redate().await.unwrap();
    assert_eq!(found(db, &old).await, None);
    assert_eq!(found(db, &moved).await, Some(moved.clone()));
    let error = redate().await.unwrap_err();
    assert!(error.is_condition_failed());
    assert_eq!(found(db, &moved).await, Some(moved.clone()));
}

#[tokio::test]
async fn a_transaction_that_was_annotated_meanwhile_stays() {
    let db = &with_samples().await;
    let read = sample::shopping();
    let annotate = changes::annotate(&read, &sample::remark());
    annotate.send(db).await.unwrap();
    let mut moved = read.clone();
    moved.date = date(2025, 7, 31);
    let error = changes::redate(read.date, &moved).send(db).await;
    assert!(error.unwrap_err().is_condition_failed());
    let stored = found(db, &read).await.unwrap();
    assert_eq!(stored.annotations.len(), 2);
    assert_eq!(found(db, &moved).await, None);
}

#[tokio::test]
async fn a_renamed_tag_has_its_text_by_its_id() {
    let db = &with_samples().await;
    let rename = changes::rename_tag(USER, GROCERIES, "Food");
    rename.send(db).await.unwrap();
    let tags = patterns::tags_for_user(db, USER).await.unwrap();
    let texts: Vec<_> = tags.iter().map(|tag| tag.text.as_str()).collect();
    let expected = [
        "Food",
        "Entertainment",
        "Transport",
        "Home",
        "Health",
        "Savings",
    ];
    assert_eq!(texts, expected);
    let shopping = found(db, &sample::shopping()).await.unwrap();
    assert_eq!(shopping.tags, ["Groceries"]);
    assert_eq!(traps::tag_texts(&shopping, &tags), ["Food"]);
}

#[tokio::test]
async fn a_statement_can_be_imported_again() {
    let db = &with_samples().await;
    let (upload, transactions) = sample::statement();
    for _ in 0..2 {
        let import = changes::import(db, &upload, &transactions);
        import.await.unwrap();
        let (from, until) = (date(2026, 1, 1), date(2026, 1, 31));
        let found = patterns::single_month(db, (USER, EVERYDAY), from, until);
        assert_eq!(found.await.unwrap(), transactions);
        let uploads = patterns::uploads_for_account(db, USER, EVERYDAY);
        let uploads = uploads.await.unwrap();
        assert_eq!(uploads.len(), 13);
        assert_eq!(uploads[11], upload);
    }
}
