//! What is refused before anything is sent.

use super::{Log, db, order};
use crate::writes::{Order, User, user};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Region};
use dyna_runtime::{Error, Table};

/// A client that reaches no one: a request would be an error of its own.
fn nowhere() -> Client {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("local"));
    Client::from_conf(config.build())
}

#[tokio::test]
async fn hundred_operations_are_applied_and_one_more_is_refused() {
    let db = db().await;
    let orders = |n| (0..n).map(|number| order("ann", number));
    let transaction = |n| orders(n).fold(db.transact(), |t, order| t.put(&order));
    let error = transaction(101).send().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "101 operations in one transaction; DynamoDB allows 100"
    );
    transaction(100).send().await.unwrap();
    let stored = Order::query("ann").all(&db).await.unwrap();
    assert_eq!(stored, orders(100).collect::<Vec<_>>());
}

#[tokio::test]
async fn two_operations_on_one_item_are_refused_by_their_numbers() {
    let db = Table::<super::Shop>::open(nowhere());
    let transaction = db
        .transact()
        .put(&order("ann", 1))
        .put(&user("ann", 1))
        .put(&order("ann", 2))
        .check(User::check("ann").exists());
    let explained = transaction.explain();
    let error = transaction.send().await.unwrap_err();
    assert!(matches!(
        error,
        Error::DuplicateTarget {
            first: 1,
            second: 3,
            ..
        }
    ));
    let told = "User: writes 1 and 3 target the same item; DynamoDB allows one write per item";
    assert_eq!(error.to_string(), told);
    assert_eq!(explained.get("Error"), Some(told));
}

#[tokio::test]
async fn a_key_that_cannot_be_is_an_error_of_the_transaction() {
    let db = Table::<super::Shop>::open(nowhere());
    let transaction = db.transact().put(&user("ann", 1));
    let transaction = transaction.delete(User::delete("")).put(&user("a#b", 1));
    let told = "User: key field `id` is empty";
    assert_eq!(transaction.explain().get("Error"), Some(told));
    assert_eq!(transaction.send().await.unwrap_err().to_string(), told);
}

#[tokio::test]
async fn a_condition_that_cannot_be_written_is_an_error_of_the_transaction() {
    let db = Table::<super::Shop>::open(nowhere());
    let many = User::AGE.is_in(std::iter::repeat_n(7, 101));
    let transaction = db.transact().check(User::check("ann").when(many));
    let told = "User: age: `is_in` takes at most 100 values";
    assert_eq!(transaction.explain().get("Error"), Some(told));
    assert_eq!(transaction.send().await.unwrap_err().to_string(), told);
}

#[tokio::test]
async fn a_table_without_a_name_is_an_error_of_the_transaction() {
    let logs = Table::<Log>::open(nowhere());
    let db = Table::<super::Shop>::open(nowhere());
    let transaction = db.transact().on(&logs).put(&Log { id: 1 });
    let error = transaction.send().await.unwrap_err();
    assert!(matches!(error, Error::TableName { .. }));
}
