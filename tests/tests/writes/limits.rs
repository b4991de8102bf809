//! What is too large is refused before anything is sent, and what is just small enough is stored.

use super::{Shop, User, user};
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{Error, Limit, Table, Transact};

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
    let told = "User: the item has 409601 bytes, and DynamoDB takes 409600";
    let error = large.put().send(&db).await.unwrap_err();
    assert_eq!(error.to_string(), told);
    let error = db.transact().create(&large).send().await.unwrap_err();
    assert_eq!(error.to_string(), told);
    let error = db.batch_write().put(&large).send().await.unwrap_err();
    assert_eq!(error.to_string(), told);
    let error = User::move_to(User::key("bob"), &large).send(&db).await;
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
        let transaction = users.iter().fold(db.transact(), Transact::put);
        transaction.put(&sized("last", last)).send()
    };
    let before = engine.requests();
    let error = transaction(96 * 1024 + 1).await.unwrap_err();
    assert!(matches!(
        error,
        Error::TooLarge {
            limit: Limit::Transaction,
            ..
        }
    ));
    assert_eq!(
        error.to_string(),
        "User: the transaction, up to this item, has 4194305 bytes, and DynamoDB takes 4194304"
    );
    assert_eq!(engine.requests(), before);
    transaction(96 * 1024).await.unwrap();
    assert_eq!(User::scan().all(&db).await.unwrap().len(), 11);
}
