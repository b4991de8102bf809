//! The version on every way that a write can take, alone and in a transaction.

use super::{Account, Office, account, db};
use dyna_runtime::{Error, Table};

async fn stored(db: &Table<Office>, id: &str) -> Option<Account> {
    Account::get(id).consistent().send(db).await.unwrap()
}

/// An account that was loaded, and what it is now.
async fn raced() -> (Table<Office>, Account, Account) {
    let (db, _) = db().await;
    let stale = account("a")
        .create()
        .returning_new()
        .send(&db)
        .await
        .unwrap();
    let faster = Account::update("a")
        .add(Account::BALANCE, 1)
        .returning_new();
    let current = faster.send(&db).await.unwrap();
    (db, stale, current)
}

fn assert_lost(sent: Result<(), Error>, current: &Account) {
    let error = sent.unwrap_err();
    assert!(error.is_version_conflict() && !error.is_condition_failed());
    assert_eq!(&error.current_item::<Account>().unwrap().unwrap(), current);
}

#[tokio::test]
async fn stale_version_fails_in_transactions() {
    let (db, stale, current) = raced().await;
    let moved = Account {
        id: "b".to_owned(),
        ..stale.clone()
    };
    let update = || Account::update_loaded(&stale).set(Account::BALANCE, 9);
    assert_lost(db.transact().put(&stale).send().await, &current);
    assert_lost(db.transact().put(stale.replace()).send().await, &current);
    assert_lost(db.transact().update(update()).send().await, &current);
    let delete = db.transact().delete(Account::delete_loaded(&stale));
    assert_lost(delete.send().await, &current);
    let by_key = Account::rekey(Account::key("a"), &moved);
    assert_lost(db.transact().rekey(by_key).send().await, &current);
    let loaded = Account::rekey_loaded(&stale, &moved);
    assert_lost(db.transact().rekey(loaded).send().await, &current);
    // What changes nothing asks too.
    assert_lost(Account::update_loaded(&stale).send(&db).await, &current);
    let unchanged = db.transact().update(Account::update_loaded(&stale));
    assert_lost(unchanged.send().await, &current);
    Account::update_loaded(&current).send(&db).await.unwrap();
    assert_eq!(stored(&db, "a").await, Some(current));
    assert_eq!(stored(&db, "b").await, None);
}

#[tokio::test]
async fn current_version_succeeds_in_transactions() {
    let (db, _, current) = raced().await;
    let version = async || stored(&db, "a").await.map(|account| account.version);
    db.transact().put(&current).send().await.unwrap();
    assert_eq!(version().await, Some(3));
    let loaded = stored(&db, "a").await.unwrap();
    let update = Account::update_loaded(&loaded).set(Account::PLAN, "pro");
    db.transact().update(update).send().await.unwrap();
    db.transact()
        .update(Account::update("a").add(Account::BALANCE, 1))
        .send()
        .await
        .unwrap();
    assert_eq!(version().await, Some(5));
    let loaded = stored(&db, "a").await.unwrap();
    db.transact()
        .delete(Account::delete_loaded(&loaded))
        .send()
        .await
        .unwrap();
    assert_eq!(version().await, None);
    db.transact().create(&account("a")).send().await.unwrap();
    assert_eq!(version().await, Some(1));
}

#[tokio::test]
async fn an_upsert_counts_from_one() {
    let (db, _) = db().await;
    let upsert = || {
        let upsert = Account::upsert("a").add(Account::BALANCE, 5);
        upsert.set_by_owner("ann", "free").returning_new()
    };
    assert_eq!(upsert().send(&db).await.unwrap().version, 1);
    let second = upsert().send(&db).await.unwrap();
    assert_eq!((second.version, second.balance), (2, 10));
    let stale = Account {
        version: 1,
        ..second
    };
    assert!(
        stale
            .put()
            .send(&db)
            .await
            .unwrap_err()
            .is_version_conflict()
    );
}

#[test]
fn the_version_is_one_comparison_and_one_addition() {
    let loaded = Account {
        version: 3,
        ..account("a")
    };
    let shown = Account::update_loaded(&loaded)
        .set(Account::BALANCE, 9)
        .explain();
    let update = "SET balance = :v0 ADD version :v1";
    assert_eq!(shown.get("UpdateExpression"), Some(update));
    let condition = "attribute_exists(pk) AND version = :v2";
    assert_eq!(shown.get("ConditionExpression"), Some(condition));
    assert_eq!((shown.get(":v1"), shown.get(":v2")), (Some("1"), Some("3")));
    let shown = loaded.put().explain();
    assert_eq!(shown.get("ConditionExpression"), Some("version = :v0"));
    assert_eq!(shown.get("Item.version"), Some("4"));
    let new = account("a").put().explain();
    // Zero, which other software may store, is no version.
    let absent = "attribute_not_exists(version) OR version = :v0";
    assert_eq!(new.get("ConditionExpression"), Some(absent));
    let delete = Account::delete_loaded(&loaded).explain();
    let condition = "attribute_exists(pk) AND version = :v0";
    assert_eq!(delete.get("ConditionExpression"), Some(condition));
}
