//! Unique values: taken, handed over, given up, and never shared.

use super::{Office, User, account, db, items};
use dyna_runtime::Table;

pub(super) fn user(id: &str, email: &str, phone: Option<u64>) -> User {
    User {
        id: id.to_owned(),
        email: email.to_owned(),
        phone,
        name: id.to_owned(),
    }
}

pub(super) async fn stored(db: &Table<Office>, id: &str) -> User {
    User::get(id).consistent().send(db).await.unwrap().unwrap()
}

#[tokio::test]
async fn no_two_items_are_created_with_one_value() {
    let (db, _) = db().await;
    user("ann", "a@x", Some(7))
        .create()
        .send(&db)
        .await
        .unwrap();
    let error = user("bob", "a@x", None)
        .create()
        .send(&db)
        .await
        .unwrap_err();
    assert!(error.is_not_unique() && !error.is_condition_failed());
    assert_eq!(error.to_string(), "User: another item has the same `email`");
    let error = user("bob", "b@x", Some(7))
        .create()
        .send(&db)
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "User: another item has the same `phone`");
    assert!(User::get("bob").send(&db).await.unwrap().is_none());
    let error = user("ann", "c@x", None)
        .create()
        .send(&db)
        .await
        .unwrap_err();
    assert!(error.is_condition_failed());
    assert_eq!(
        error.current_item::<User>().unwrap().unwrap(),
        stored(&db, "ann").await
    );
    // Nothing of what failed is left: the item and its two values.
    assert_eq!(items(&db).await, 3);
    user("bob", "b@x", None).create().send(&db).await.unwrap();
    user("eve", "e@x", None).create().send(&db).await.unwrap();
    assert_eq!(items(&db).await, 7);
}

#[tokio::test]
async fn a_value_is_handed_over_by_an_update_of_the_loaded_item() {
    let (db, _) = db().await;
    let ann = user("ann", "a@x", Some(7));
    ann.create().send(&db).await.unwrap();
    user("bob", "b@x", None).create().send(&db).await.unwrap();
    let taken = User::update_loaded(&ann)
        .set(User::EMAIL, "b@x")
        .send(&db)
        .await
        .unwrap_err();
    assert_eq!(taken.to_string(), "User: another item has the same `email`");
    let update = User::update_loaded(&ann)
        .set(User::EMAIL, "c@x")
        .set(User::PHONE, None);
    update.set(User::NAME, "Ann").send(&db).await.unwrap();
    let changed = User {
        name: "Ann".to_owned(),
        ..user("ann", "c@x", None)
    };
    assert_eq!(stored(&db, "ann").await, changed);
    assert_eq!(User::by_email("c@x").one(&db).await.unwrap(), Some(changed));
    assert_eq!(items(&db).await, 4);
    user("eve", "a@x", Some(7))
        .create()
        .send(&db)
        .await
        .unwrap();
    // What was loaded is not what is stored any more.
    let stale = User::update_loaded(&ann)
        .set(User::EMAIL, "d@x")
        .send(&db)
        .await
        .unwrap_err();
    assert!(stale.is_condition_failed());
    assert_eq!(items(&db).await, 7);
}

#[tokio::test]
async fn a_value_that_stays_needs_no_hand_over() {
    let (db, _) = db().await;
    let ann = user("ann", "a@x", None);
    ann.create().send(&db).await.unwrap();
    let same = User::update_loaded(&ann)
        .set(User::EMAIL, "a@x")
        .set(User::NAME, "Ann");
    same.send(&db).await.unwrap();
    User::update("ann")
        .set(User::NAME, "Anna")
        .send(&db)
        .await
        .unwrap();
    assert_eq!(stored(&db, "ann").await.name, "Anna");
    assert_eq!(items(&db).await, 2);
}

#[tokio::test]
async fn deleted_item_releases_its_unique_values() {
    let (db, _) = db().await;
    let ann = user("ann", "a@x", Some(7));
    ann.create().send(&db).await.unwrap();
    User::delete_loaded(&ann).send(&db).await.unwrap();
    assert_eq!(items(&db).await, 0);
    user("bob", "a@x", Some(7))
        .create()
        .send(&db)
        .await
        .unwrap();
    assert!(
        User::delete_loaded(&ann)
            .send(&db)
            .await
            .unwrap_err()
            .is_condition_failed()
    );
    assert_eq!(items(&db).await, 3);
}

#[tokio::test]
async fn values_are_taken_in_transactions_with_others() {
    let (db, _) = db().await;
    let (ann, bob) = (user("ann", "a@x", None), user("bob", "a@x", None));
    db.transact()
        .create(&account("x"))
        .create(&ann)
        .send()
        .await
        .unwrap();
    let error = db
        .transact()
        .create(&account("y"))
        .create(&bob)
        .send()
        .await
        .unwrap_err();
    assert!(error.is_not_unique());
    let [failure] = error.failures() else {
        panic!("{error}")
    };
    assert_eq!((failure.index, failure.field), (1, Some("email")));
    db.transact()
        .delete(User::delete_loaded(&ann))
        .send()
        .await
        .unwrap();
    db.transact().create(&bob).send().await.unwrap();
    assert_eq!(items(&db).await, 3);
}

#[tokio::test]
async fn scans_do_not_see_the_items_of_values() {
    let (db, _) = db().await;
    let ann = user("ann", "a@x", Some(7));
    ann.create().send(&db).await.unwrap();
    let users = User::scan().all(&db).await.unwrap();
    assert_eq!(users, std::slice::from_ref(&ann));
    assert_eq!(Office::scan().all(&db).await.unwrap(), [Office::User(ann)]);
    let page = Office::scan().limit(1).send(&db).await.unwrap();
    assert_eq!(page.items.len(), 1);
}

#[tokio::test]
async fn a_change_of_values_returns_no_item() {
    let (db, _) = db().await;
    let ann = user("ann", "a@x", None);
    assert_eq!(ann.create().returning_new().send(&db).await.unwrap(), ann);
    let update = User::update_loaded(&ann)
        .set(User::EMAIL, "b@x")
        .returning_new();
    let error = update.send(&db).await.unwrap_err();
    assert!(error.to_string().contains("cannot return items"));
    assert_eq!(stored(&db, "ann").await, ann);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_64_tasks_for_one_email_exactly_one_gets_it() {
    let (db, _) = db().await;
    let tasks = (0..64).map(|n| {
        let db = db.clone();
        tokio::spawn(async move {
            let created = user(&n.to_string(), "one@x", None).create().send(&db).await;
            match created {
                Ok(()) => true,
                Err(error) => {
                    assert!(error.is_not_unique(), "{error}");
                    false
                }
            }
        })
    });
    let mut winners = 0;
    for task in tasks.collect::<Vec<_>>() {
        winners += usize::from(task.await.unwrap());
    }
    assert_eq!(winners, 1);
    assert_eq!(items(&db).await, 2);
    assert_eq!(User::by_email("one@x").count(&db).await.unwrap(), 1);
}
