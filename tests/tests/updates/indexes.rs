//! Index keys follow their fields.

use super::{Details, Player, Status, Task, assert_keys_are_fresh, db, stored, task};

#[tokio::test]
async fn the_fields_of_an_index_are_set_together() {
    let db = db().await;
    task().create().send(&db).await.unwrap();
    let update = Task::update("b", "1").set_by_status(Status::Done, Some("2026-02-02".to_owned()));
    update.set(Task::TITLE, "Second").send(&db).await.unwrap();
    let done = Task::by_status("b", Status::Done)
        .one(&db)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(done.due.as_deref(), Some("2026-02-02"));
    assert_eq!(done.title, "Second");
    assert_eq!(
        Task::by_status("b", Status::Open).count(&db).await.unwrap(),
        0
    );
    assert_keys_are_fresh(&db).await;
}

#[tokio::test]
async fn without_a_value_the_item_leaves_a_sparse_index_and_comes_back() {
    let db = db().await;
    task().create().send(&db).await.unwrap();
    Task::update("b", "1")
        .set_by_status(Status::Open, None)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(
        Task::by_status("b", Status::Open).count(&db).await.unwrap(),
        0
    );
    assert_keys_are_fresh(&db).await;
    let due = Some("2026-01-01".to_owned());
    Task::update("b", "1")
        .set_by_status(Status::Open, due)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(
        Task::by_status("b", Status::Open).count(&db).await.unwrap(),
        1
    );
    assert_keys_are_fresh(&db).await;
}

#[tokio::test]
async fn nested_fields_of_an_index_are_set_together() {
    let db = db().await;
    task().create().send(&db).await.unwrap();
    Task::update("b", "1")
        .set_by_owner("Bob", 9)
        .send(&db)
        .await
        .unwrap();
    let found = Task::by_owner("BOB").one(&db).await.unwrap().unwrap();
    assert_eq!(
        (found.details.owner.as_str(), found.details.rank),
        ("Bob", 9)
    );
    assert_keys_are_fresh(&db).await;
}

#[tokio::test]
async fn a_value_that_no_key_takes_is_refused() {
    let db = db().await;
    let error = Task::update("b", "1")
        .set_by_owner("a#b", 9)
        .send(&db)
        .await
        .unwrap_err();
    let message = "Task: key field `details.owner` contains the delimiter '#'";
    assert_eq!(error.to_string(), message);
    let error = Task::update("b", "1").set_by_status(Status::Open, Some("soon".to_owned()));
    assert!(error.send(&db).await.unwrap_err().is_invalid_key());
}

#[tokio::test]
async fn a_nested_field_of_an_index_is_not_set_alone() {
    let db = db().await;
    let update = Task::update("b", "1").set(Task::DETAILS.field(Details::OWNER), "Bob");
    let error = update.send(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "Task: details.owner: is part of an index key: set it with the setter of the index, or with `update_loaded`"
    );
    let update = Task::update("b", "1").add(Task::DETAILS.field(Details::RANK), 1);
    assert!(update.send(&db).await.is_err());
}

#[tokio::test]
async fn of_a_loaded_item_one_field_of_an_index_changes() {
    let db = db().await;
    let loaded = task();
    loaded.create().send(&db).await.unwrap();
    let done = Task::update_loaded(&loaded).set(Task::STATUS, Status::Done);
    let done = done
        .add(Task::EDITS, 1)
        .returning_new()
        .send(&db)
        .await
        .unwrap();
    assert_eq!(
        done,
        Task {
            status: Status::Done,
            edits: 1,
            ..task()
        }
    );
    assert_keys_are_fresh(&db).await;
    let owner = Task::update_loaded(&done).set(Task::DETAILS.field(Details::OWNER), "Eve");
    owner.send(&db).await.unwrap();
    assert_eq!(Task::by_owner("eve").count(&db).await.unwrap(), 1);
    assert_keys_are_fresh(&db).await;
    let whole = Details {
        owner: "Zoe".to_owned(),
        rank: 1,
        full_text: String::new(),
        size: 0,
    };
    Task::update_loaded(&done)
        .set(Task::DETAILS, &whole)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(stored(&db).await.details, whole);
    assert_keys_are_fresh(&db).await;
}

#[tokio::test]
async fn a_loaded_item_whose_other_fields_changed_is_refused() {
    let db = db().await;
    let loaded = task();
    loaded.create().send(&db).await.unwrap();
    Task::update("b", "1")
        .set_by_status(Status::Open, None)
        .send(&db)
        .await
        .unwrap();
    let stale = Task::update_loaded(&loaded).set(Task::STATUS, Status::Done);
    let error = stale.send(&db).await.unwrap_err();
    assert!(error.is_condition_failed());
    assert_eq!(error.current_item::<Task>().unwrap().unwrap().due, None);
    // A field of no index does not depend on them.
    let title = Task::update_loaded(&loaded).set(Task::TITLE, "Second");
    title.send(&db).await.unwrap();
    assert_keys_are_fresh(&db).await;
}

#[tokio::test]
async fn a_field_that_is_the_key_itself_is_set_like_any_other() {
    let db = db().await;
    let ann = Player {
        name: "ann".to_owned(),
        game: Some("go".to_owned()),
        score: 1,
    };
    ann.create().send(&db).await.unwrap();
    Player::update("ann")
        .add(Player::SCORE, 41)
        .send(&db)
        .await
        .unwrap();
    let found = Player::ranking("go")
        .score_range(40..)
        .one(&db)
        .await
        .unwrap();
    assert_eq!(found.unwrap().score, 42);
    Player::update("ann")
        .set(Player::GAME, "chess")
        .send(&db)
        .await
        .unwrap();
    assert_eq!(Player::ranking("chess").count(&db).await.unwrap(), 1);
    assert_keys_are_fresh(&db).await;
    Player::update("ann")
        .set(Player::GAME, None)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(Player::ranking("chess").count(&db).await.unwrap(), 0);
    assert_keys_are_fresh(&db).await;
    Player::update("ann")
        .set(Player::GAME, "go")
        .send(&db)
        .await
        .unwrap();
    Player::update("ann")
        .remove(Player::GAME)
        .send(&db)
        .await
        .unwrap();
    assert_keys_are_fresh(&db).await;
    let error = Player::update("ann").set(Player::GAME, "").send(&db).await;
    assert!(error.unwrap_err().is_invalid_key());
    // A key that is nothing but the field has no delimiter.
    let update = Player::update("ann").set(Player::GAME, "a#b");
    update.send(&db).await.unwrap();
    assert_eq!(Player::ranking("a#b").count(&db).await.unwrap(), 1);
}
