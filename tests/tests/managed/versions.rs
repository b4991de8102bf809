//! A version is checked and counted on by every write.

use super::{Account, account, db};

async fn stored(db: &dyna_runtime::Table<super::Office>) -> Account {
    let account = Account::get("a").consistent().send(db).await.unwrap();
    account.unwrap()
}

#[tokio::test]
async fn every_write_counts_the_version() {
    let (db, _) = db().await;
    account("a").create().send(&db).await.unwrap();
    assert_eq!(stored(&db).await.version, 1);
    let loaded = stored(&db).await;
    let put = Account {
        balance: 1,
        ..loaded
    };
    let put = put.put().returning_new().send(&db).await.unwrap();
    assert_eq!((put.version, put.balance), (2, 1));
    let replaced = Account { balance: 2, ..put };
    let replaced = replaced.replace().returning_new().send(&db).await.unwrap();
    assert_eq!(replaced.version, 3);
    Account::update("a")
        .add(Account::BALANCE, 1)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(stored(&db).await.version, 4);
    let loaded = stored(&db).await;
    let changed = Account::update_loaded(&loaded)
        .set(Account::OWNER, "bob")
        .returning_new();
    assert_eq!(changed.send(&db).await.unwrap().version, 5);
    db.transact().put(&stored(&db).await).send().await.unwrap();
    assert_eq!(stored(&db).await.version, 6);
    db.transact()
        .update(Account::update_loaded(&stored(&db).await).set(Account::PLAN, "pro"))
        .send()
        .await
        .unwrap();
    assert_eq!(stored(&db).await.version, 7);
}

#[tokio::test]
async fn a_stale_version_is_an_error_of_its_own_with_the_current_item() {
    let (db, _) = db().await;
    account("a").create().send(&db).await.unwrap();
    let stale = stored(&db).await;
    let current = Account::update_loaded(&stale)
        .set(Account::PLAN, "pro")
        .returning_new();
    let current = current.send(&db).await.unwrap();
    let errors = [
        stale.put().send(&db).await.unwrap_err(),
        stale.replace().send(&db).await.unwrap_err(),
        Account::update_loaded(&stale)
            .set(Account::BALANCE, 9)
            .send(&db)
            .await
            .unwrap_err(),
        Account::update_loaded(&stale)
            .set(Account::PLAN, "x")
            .send(&db)
            .await
            .unwrap_err(),
        Account::delete_loaded(&stale).send(&db).await.unwrap_err(),
    ];
    for error in errors {
        assert!(error.is_version_conflict() && !error.is_condition_failed());
        assert_eq!(error.current_item::<Account>().unwrap().unwrap(), current);
        assert_eq!(
            error.to_string(),
            "Account: version conflict: the item changed after it was loaded"
        );
    }
    let error = db.transact().put(&stale).send().await.unwrap_err();
    assert!(error.is_version_conflict());
    assert_eq!(error.current_item::<Account>().unwrap().unwrap(), current);
    assert_eq!(stored(&db).await, current);
}

#[tokio::test]
async fn version_zero_means_a_new_item() {
    let (db, _) = db().await;
    account("a").put().send(&db).await.unwrap();
    let error = account("a").put().send(&db).await.unwrap_err();
    assert!(error.is_version_conflict());
    let error = account("a").create().send(&db).await.unwrap_err();
    assert!(error.is_condition_failed() && !error.is_version_conflict());
    let gone = Account {
        version: 7,
        ..account("b")
    };
    assert!(
        gone.put()
            .send(&db)
            .await
            .unwrap_err()
            .is_version_conflict()
    );
}

#[tokio::test]
async fn failed_condition_at_the_right_version_is_not_a_conflict() {
    let (db, _) = db().await;
    account("a").create().send(&db).await.unwrap();
    let loaded = stored(&db).await;
    let error = loaded
        .put()
        .when(Account::BALANCE.gt(0))
        .send(&db)
        .await
        .unwrap_err();
    assert!(error.is_condition_failed() && !error.is_version_conflict());
}

#[tokio::test]
async fn a_loaded_item_is_deleted_at_its_version() {
    let (db, _) = db().await;
    account("a").create().send(&db).await.unwrap();
    let loaded = stored(&db).await;
    Account::delete_loaded(&loaded).send(&db).await.unwrap();
    assert!(
        Account::delete_loaded(&loaded)
            .send(&db)
            .await
            .unwrap_err()
            .is_version_conflict()
    );
}

#[tokio::test]
async fn a_move_checks_the_version_of_the_old_item() {
    let (db, _) = db().await;
    account("a").create().send(&db).await.unwrap();
    let stale = stored(&db).await;
    Account::update("a")
        .add(Account::BALANCE, 1)
        .send(&db)
        .await
        .unwrap();
    let moved = Account {
        id: "b".to_owned(),
        ..stale
    };
    let error = Account::rekey(Account::key("a"), &moved)
        .send(&db)
        .await
        .unwrap_err();
    assert!(error.is_version_conflict());
    let moved = Account {
        id: "b".to_owned(),
        ..stored(&db).await
    };
    Account::rekey(Account::key("a"), &moved)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(
        Account::get("b").send(&db).await.unwrap().unwrap().version,
        3
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_64_tasks_on_one_version_exactly_one_wins_each_round() {
    let (db, _) = db().await;
    account("a").create().send(&db).await.unwrap();
    for round in 1..=4 {
        let loaded = stored(&db).await;
        let tasks = (0..64_i64).map(|n| {
            let (db, loaded) = (db.clone(), loaded.clone());
            tokio::spawn(async move {
                let update = Account::update_loaded(&loaded).set(Account::BALANCE, n);
                match update.send(&db).await {
                    Ok(()) => Some(n),
                    Err(error) => {
                        assert!(error.is_version_conflict());
                        None
                    }
                }
            })
        });
        let mut winners = Vec::new();
        for task in tasks.collect::<Vec<_>>() {
            winners.extend(task.await.unwrap());
        }
        let stored = stored(&db).await;
        assert_eq!(winners, [stored.balance]);
        assert_eq!(stored.version, round + 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_64_tasks_that_count_none_is_lost() {
    let (db, _) = db().await;
    account("a").create().send(&db).await.unwrap();
    let tasks = (0..64).map(|_| {
        let db = db.clone();
        tokio::spawn(async move {
            let update = Account::update("a").add(Account::BALANCE, 1);
            update.send(&db).await.unwrap();
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    let stored = stored(&db).await;
    assert_eq!((stored.balance, stored.version), (64, 65));
}
