//! Transactions that others are in the way of.

use super::{Shop, ages, order};
use crate::writes::server::{Does, Server};
use crate::writes::user;
use dyna_runtime::error::FailureReason;
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// DynamoDB's answer to a transaction that it cancelled for these reasons.
fn cancelled(reasons: &[&str]) -> Does {
    let reasons: Vec<Value> = reasons
        .iter()
        .map(|code| json!({ "Code": code, "Message": format!("said of {code}") }))
        .collect();
    Does::Fail(json!({
        "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
        "Message": "Transaction cancelled",
        "CancellationReasons": reasons,
    }))
}

async fn server(script: impl Fn(usize) -> Does + Send + Sync + 'static) -> (Server, Table<Shop>) {
    Server::table("TransactWriteItems", move |n, _| script(n)).await
}

#[tokio::test(start_paused = true)]
async fn a_conflict_is_tried_again_under_the_same_token() {
    let (server, db) = server(|n| match n {
        0 => cancelled(&["None", "TransactionConflict"]),
        1 => cancelled(&["ThrottlingError", "TransactionConflict"]),
        2 => cancelled(&["ProvisionedThroughputExceeded", "None"]),
        _ => Does::Pass,
    })
    .await;
    let transaction = db.transact().put(&user("ann", 1)).put(&order("ann", 1));
    transaction.send().await.unwrap();
    assert_eq!(ages(&db).await, [("ann".to_owned(), 1)]);
    let asked = server.asked();
    assert_eq!(asked.len(), 4);
    let token = |body: &Value| body["ClientRequestToken"].as_str().unwrap().to_owned();
    assert_eq!(token(&asked[0]).len(), 32);
    assert!(asked.iter().all(|body| token(body) == token(&asked[0])));
    db.transact().put(&user("ann", 2)).send().await.unwrap();
    assert_ne!(token(&server.asked()[4]), token(&asked[0]));
}

#[tokio::test(start_paused = true)]
async fn a_conflict_that_stays_is_an_error_when_the_tries_are_used_up() {
    for (retries, tries) in [(None, 4), (Some(0), 1), (Some(1), 2)] {
        let (server, db) = server(|_| cancelled(&["None", "TransactionConflict"])).await;
        let mut transaction = db.transact().put(&user("ann", 1)).put(&order("ann", 1));
        if let Some(retries) = retries {
            transaction = transaction.retries(retries);
        }
        let error = transaction.send().await.unwrap_err();
        assert!(error.is_transaction_conflict());
        assert!(!error.is_condition_failed() && !error.is_throttled());
        assert_eq!(
            error.to_string(),
            "the transaction was cancelled: operation 1 (put Order): another request was writing the item"
        );
        assert_eq!(server.asked().len(), tries);
    }
}

#[tokio::test(start_paused = true)]
async fn permanent_failures_are_not_retried() {
    let reasons = [
        ("ConditionalCheckFailed", FailureReason::ConditionFailed),
        ("ValidationError", FailureReason::ValidationFailed),
        (
            "ItemCollectionSizeLimitExceeded",
            FailureReason::CollectionTooLarge,
        ),
        ("AccessDenied", FailureReason::Other),
    ];
    for (code, reason) in reasons {
        let (server, db) = server(move |_| cancelled(&["TransactionConflict", code])).await;
        let transaction = db.transact().put(&user("ann", 1)).put(&order("ann", 1));
        let error = transaction.send().await.unwrap_err();
        assert_eq!(server.asked().len(), 1);
        let reasons: Vec<_> = error.failures().iter().map(|f| f.reason).collect();
        assert_eq!(reasons, [FailureReason::TransactionConflict, reason]);
    }
}

#[tokio::test(start_paused = true)]
async fn validation_message_of_an_operation_is_passed_on() {
    let (_, db) = server(|_| cancelled(&["ValidationError"])).await;
    let error = db.transact().put(&user("ann", 1)).send().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the transaction was cancelled: operation 0 (put User): said of ValidationError"
    );
}

#[tokio::test(start_paused = true)]
async fn a_transaction_that_is_under_way_already_is_waited_for() {
    let busy = || {
        Does::Fail(json!({
            "__type": "com.amazonaws.dynamodb.v20120810#TransactionInProgressException",
            "Message": "The transaction with the given request token is already in progress",
        }))
    };
    // The client tries three times by itself.
    let (server, db) = server(move |n| if n < 4 { busy() } else { Does::Pass }).await;
    let send = || db.transact().put(&user("ann", 1)).token("pay-7").retries(1);
    send().send().await.unwrap();
    assert_eq!(server.asked().len(), 5);
    assert!(
        server
            .asked()
            .iter()
            .all(|body| body["ClientRequestToken"] == "pay-7")
    );

    let (server, db) = self::server(move |_| busy()).await;
    let error = db.transact().put(&user("ann", 1)).retries(0).send().await;
    let error = error.unwrap_err();
    // Whoever sends it may yet succeed.
    assert!(error.is_outcome_unknown() && !error.is_transaction_conflict());
    assert_eq!(error.code(), Some("TransactionInProgressException"));
    assert_eq!(server.asked().len(), 3);
}

/// Written in a transaction with what stands for its e-mail.
#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "members", pk = "pk"), pk = "MEMBER#<id>")]
struct Member {
    id: String,
    #[dyna(unique)]
    email: String,
}

#[tokio::test(start_paused = true)]
async fn single_write_reports_the_permanent_reason() {
    let script = |reasons: [&'static str; 2]| {
        Server::table::<Member>("TransactWriteItems", move |_, _| cancelled(&reasons))
    };
    let (id, email) = ("ann".to_owned(), "a@x".to_owned());
    let ann = Member { id, email };
    let (server, db) = script(["TransactionConflict", "ConditionalCheckFailed"]).await;
    let error = ann.create().send(&db).await.unwrap_err();
    assert!(error.is_not_unique() && !error.is_transaction_conflict());
    assert_eq!(server.asked().len(), 1);
    let (server, db) = script(["None", "TransactionConflict"]).await;
    let error = ann.create().send(&db).await.unwrap_err();
    assert!(error.is_transaction_conflict() && !error.is_not_unique());
    assert_eq!(server.asked().len(), 4);
}
