//! What an item keeps when it gets another key.

use super::unique::{stored, user};
use super::{Account, Note, User, account, db, items};
use jiff::Timestamp;

#[tokio::test]
async fn a_moved_item_takes_its_unique_values_along() {
    let (db, _) = db().await;
    let ann = user("ann", "a@x", Some(7));
    ann.create().send(&db).await.unwrap();
    let anna = user("anna", "a@x", Some(8));
    User::rekey_loaded(&ann, &anna).send(&db).await.unwrap();
    assert!(User::get("ann").send(&db).await.unwrap().is_none());
    assert_eq!(stored(&db, "anna").await, anna);
    // The item, its e-mail and its new phone.
    assert_eq!(items(&db).await, 3);
    let taken = user("eve", "a@x", None).create().send(&db).await;
    assert!(taken.unwrap_err().is_not_unique());
    user("eve", "e@x", Some(7))
        .create()
        .send(&db)
        .await
        .unwrap();
    // The value is the moved item's own: it can be handed over and given up.
    let changed = User::update_loaded(&anna).set(User::EMAIL, "b@x");
    changed.send(&db).await.unwrap();
    User::delete_loaded(&stored(&db, "anna").await)
        .send(&db)
        .await
        .unwrap();
    user("bob", "a@x", Some(8))
        .create()
        .send(&db)
        .await
        .unwrap();
    assert_eq!(items(&db).await, 6);
}

#[tokio::test]
async fn an_item_is_not_moved_over_another_or_onto_its_values() {
    let (db, _) = db().await;
    let (ann, bob) = (user("ann", "a@x", None), user("bob", "b@x", None));
    db.transact()
        .create(&ann)
        .create(&bob)
        .send()
        .await
        .unwrap();
    let error = User::rekey_loaded(&ann, &user("anna", "b@x", None))
        .send(&db)
        .await;
    let error = error.unwrap_err();
    assert!(error.is_not_unique());
    assert_eq!(error.failures()[0].index, 1);
    let error = User::rekey_loaded(&ann, &user("bob", "a@x", None))
        .send(&db)
        .await;
    let error = error.unwrap_err();
    assert_eq!(error.current_item::<User>().unwrap().unwrap(), bob);
    let stale = user("ann", "old@x", None);
    let error = User::rekey_loaded(&stale, &user("anna", "old@x", None))
        .send(&db)
        .await;
    assert!(error.unwrap_err().is_condition_failed());
    assert_eq!(
        (stored(&db, "ann").await, stored(&db, "bob").await),
        (ann, bob)
    );
    assert_eq!(items(&db).await, 4);
}

#[tokio::test]
async fn a_move_to_the_same_key_changes_the_values() {
    let (db, _) = db().await;
    let ann = user("ann", "a@x", Some(7));
    ann.create().send(&db).await.unwrap();
    let changed = user("ann", "b@x", Some(7));
    User::rekey_loaded(&ann, &changed).send(&db).await.unwrap();
    assert_eq!(stored(&db, "ann").await, changed);
    assert_eq!(items(&db).await, 3);
    user("bob", "a@x", None).create().send(&db).await.unwrap();
}

#[tokio::test]
async fn rekey_loaded_checks_the_version() {
    let (db, _) = db().await;
    let loaded = account("a")
        .create()
        .returning_new()
        .send(&db)
        .await
        .unwrap();
    let moved = Account {
        id: "b".to_owned(),
        ..loaded.clone()
    };
    Account::update("a")
        .add(Account::BALANCE, 1)
        .send(&db)
        .await
        .unwrap();
    let error = Account::rekey_loaded(&loaded, &moved)
        .send(&db)
        .await
        .unwrap_err();
    assert!(error.is_version_conflict());
    let current = error.current_item::<Account>().unwrap().unwrap();
    assert_eq!((current.version, current.balance), (2, 1));
    Account::rekey_loaded(&current, &moved)
        .send(&db)
        .await
        .unwrap();
    assert!(Account::get("a").send(&db).await.unwrap().is_none());
}

#[tokio::test]
async fn the_time_of_creation_stays() {
    let (db, clock) = db().await;
    let note = Note {
        id: "n".to_owned(),
        text: "a".to_owned(),
        created: Timestamp::UNIX_EPOCH,
        updated: None,
    };
    let note = note.create().returning_new().send(&db).await.unwrap();
    clock.set(2_000);
    let moved = Note {
        id: "m".to_owned(),
        ..note
    };
    Note::rekey(Note::key("n"), &moved).send(&db).await.unwrap();
    let moved = Note::get("m").send(&db).await.unwrap().unwrap();
    let times = (moved.created.as_second(), moved.updated);
    assert_eq!(times, (1_000, Some(2_000_000)));
}
