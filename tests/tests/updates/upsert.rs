//! An upsert changes an item, or makes one.

use super::{Counter, Player, Status, Task, assert_keys_are_fresh, db};

#[tokio::test]
async fn an_upsert_makes_a_whole_item_and_changes_it_later() {
    let db = db().await;
    let next = || {
        Counter::upsert("orders")
            .add(Counter::VALUE, 1)
            .returning_new()
    };
    let first = next().send(&db).await.unwrap();
    let expected = Counter {
        name: "orders".to_owned(),
        value: 1,
        label: None,
    };
    assert_eq!(first, expected);
    assert_keys_are_fresh(&db).await;
    assert_eq!(next().send(&db).await.unwrap().value, 2);
    let all = Counter::all().all(&db).await.unwrap();
    assert_eq!(
        all,
        [Counter {
            value: 2,
            ..expected
        }]
    );
    assert_keys_are_fresh(&db).await;
}

#[tokio::test]
async fn an_upsert_that_would_make_half_an_item_is_refused() {
    let db = db().await;
    let half = Counter::upsert("orders").set(Counter::LABEL, "Orders");
    let error = half.send(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "Counter: an upsert may create the item, and the new item could not be decoded: Counter COUNTER#<name>/COUNTER: missing attribute `value`"
    );
    let raw = db.client().scan().table_name(db.name().unwrap());
    assert_eq!(raw.send().await.unwrap().count, 0);
}

#[tokio::test]
async fn an_upsert_of_a_native_index_needs_no_more() {
    let db = db().await;
    let upsert = Player::upsert("ann")
        .set(Player::GAME, "go")
        .add(Player::SCORE, 7);
    upsert.send(&db).await.unwrap();
    assert_eq!(
        Player::ranking("go").score(7_u64).count(&db).await.unwrap(),
        1
    );
    assert_keys_are_fresh(&db).await;
}

#[tokio::test]
async fn an_upsert_takes_the_fields_of_its_indexes() {
    let db = db().await;
    let task = super::task();
    let upsert = || {
        Task::upsert("b", "1")
            .set_by_status(Status::Open, None)
            .set(Task::TITLE, "First")
            .set(Task::EDITS, 0)
            .set(Task::TAGS, &task.tags)
            .set(Task::LABELS, &task.labels)
    };
    // A nested field cannot be set in a struct that is not there.
    let nested = upsert().set_by_owner("Ann", 7).send(&db).await.unwrap_err();
    let message = "Task: details.owner: is inside a value that the item does not have";
    assert_eq!(nested.to_string(), message);
}
