//! What is too large is refused before anything is sent, and what is just small enough is stored.

use super::{Order, Shop, User, user};
use dyna_runtime::embedded::Embedded;
use dyna_runtime::error::SizeLimit;
use dyna_runtime::{Condition, Error, Table, TransactWrite};

const ITEM: usize = 400 * 1024;

/// A user whose item has exactly so many bytes.
///
/// pk + `USER#<id>` + sk + `PROFILE` + kind + `User` + id + `<id>` + name + age and 2 bytes of it.
fn sized(id: &str, bytes: usize) -> User {
    let others = 2 + 5 + id.len() + 2 + 7 + 4 + 4 + 2 + id.len() + 4 + 3 + 2;
    User {
        name: "x".repeat(bytes - others),
        ..user(id, 7)
    }
}

async fn db() -> (Embedded, Table<Shop>) {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::<Shop>::embedded_in(&engine).await.unwrap();
    (engine, db)
}

#[tokio::test]
async fn an_item_of_400_kb_is_stored_and_a_byte_more_is_refused() {
    let (engine, db) = db().await;
    let fits = sized("ann", ITEM);
    fits.put().send(&db).await.unwrap();
    db.transact().put(&fits).send().await.unwrap();
    assert!(db.batch_write().put(&fits).send().await.unwrap().is_empty());
    let before = engine.requests();
    let large = sized("ann", ITEM + 1);
    let told = "User: the item is 409601 bytes; DynamoDB allows 409600";
    let error = large.put().send(&db).await.unwrap_err();
    assert_eq!(error.to_string(), told);
    let error = db.transact().create(&large).send().await.unwrap_err();
    assert_eq!(error.to_string(), told);
    let error = db.batch_write().put(&large).send().await.unwrap_err();
    assert_eq!(error.to_string(), told);
    let error = User::rekey(User::key("bob"), &large).send(&db).await;
    assert_eq!(error.unwrap_err().to_string(), told);
    assert_eq!(large.put().explain().get("Error"), Some(told));
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn a_transaction_has_4_mb_and_the_item_that_is_too_much_is_named() {
    let (engine, db) = db().await;
    let users: Vec<User> = (0..10).map(|n| sized(&format!("user-{n}"), ITEM)).collect();
    // Ten items of 400 KB leave 96 KB of 4 MB.
    let transaction = |last| {
        let transaction = users.iter().fold(db.transact(), TransactWrite::put);
        transaction.put(&sized("last", last)).send()
    };
    let before = engine.requests();
    let error = transaction(96 * 1024 + 1).await.unwrap_err();
    assert!(matches!(
        error,
        Error::TooLarge {
            limit: SizeLimit::Transaction,
            ..
        }
    ));
    assert_eq!(
        error.to_string(),
        "User: the transaction (up to this item) is 4194305 bytes; DynamoDB allows 4194304"
    );
    assert_eq!(engine.requests(), before);
    transaction(96 * 1024).await.unwrap();
    assert_eq!(User::scan().all(&db).await.unwrap().len(), 11);
}

/// A condition with so many values.
fn any_of(count: u32) -> Condition<Order> {
    let hundred = |start: u32| Order::TOTAL.is_in(start..count.min(start + 100));
    Condition::any((0..count).step_by(100).map(hundred))
}

/// The longest condition that an expression has room for, and how many bytes it takes there.
fn longest(expression: impl Fn(u32) -> Option<usize>) -> (u32, usize) {
    let fits = |count| expression(count).map(|bytes| (count, bytes));
    (1..1000).map_while(fits).last().unwrap()
}

#[tokio::test]
async fn filter_of_4_kb_is_sent_and_a_longer_one_fails() {
    let (engine, db) = db().await;
    let query = |count| Order::query("ann").filter(any_of(count));
    let filter = |count| Some(query(count).explain().get("FilterExpression")?.len());
    let (count, bytes) = longest(filter);
    assert_eq!(query(count).all(&db).await.unwrap(), []);
    assert_eq!(
        Order::scan().filter(any_of(500)).all(&db).await.unwrap(),
        []
    );
    let before = engine.requests();
    let more = bytes + ", :v587".len();
    assert!(bytes <= 4096 && more > 4096);
    let told = format!("Order: an expression is {more} bytes; DynamoDB allows 4096");
    let error = query(count + 1).all(&db).await.unwrap_err();
    assert_eq!(error.to_string(), told);
    assert_eq!(query(count + 1).explain().get("Error"), Some(&*told));
    let scan = || Order::scan().filter(any_of(count + 9));
    let error = scan().all(&db).await.unwrap_err();
    assert_eq!(scan().explain().get("Error"), Some(&*error.to_string()));
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn condition_over_4_kb_fails_in_every_request() {
    let (engine, db) = db().await;
    let delete = |count| Order::delete("ann", 1).when(any_of(count));
    let condition = |count| {
        let shown = delete(count).explain();
        let bytes = shown.get("ConditionExpression")?.len();
        shown.get("Error").is_none().then_some(bytes)
    };
    let (count, _) = longest(condition);
    assert!(
        delete(count)
            .send(&db)
            .await
            .unwrap_err()
            .is_condition_failed()
    );
    let transaction = |count| db.transact().put(&user("ann", 1)).delete(delete(count));
    let error = transaction(count).send().await.unwrap_err();
    assert!(error.is_condition_failed());
    let before = engine.requests();
    let too_long = |error: Error| {
        matches!(
            error,
            Error::TooLarge {
                limit: SizeLimit::Expression,
                ..
            }
        )
    };
    assert!(too_long(delete(count + 1).send(&db).await.unwrap_err()));
    assert!(too_long(transaction(count + 1).send().await.unwrap_err()));
    assert!(transaction(count + 1).explain().get("1.Error").is_some());
    let update = Order::update("ann", 1).add(Order::TOTAL, 1);
    let update = update.when(any_of(count + 1));
    assert!(too_long(update.send(&db).await.unwrap_err()));
    assert_eq!(engine.requests(), before);
}

#[test]
fn the_values_of_a_filter_have_2_mb() {
    // The field's alias and name, the aliases of two values, the tag, and the NULL that a tag may be: one byte.
    let names = "#name name :v0 :v1 :e User :null".replace(' ', "").len() + 1;
    let query = |bytes: usize| {
        let half = "x".repeat(1024 * 1024);
        let rest = "y".repeat(bytes - half.len() - names);
        let either = User::NAME.eq(half).or(User::NAME.eq(rest));
        User::scan().filter(either).explain()
    };
    let told = "User: the total of the expressions' names and values is 2097153 bytes; DynamoDB allows 2097152";
    assert_eq!(query(2 * 1024 * 1024 + 1).get("Error"), Some(told));
    assert_eq!(query(2 * 1024 * 1024).get("Error"), None);
}
