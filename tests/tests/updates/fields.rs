//! What an update does to fields.

use super::{Details, Task, assert_keys_are_fresh, db, stored, task};
use std::collections::{BTreeMap, BTreeSet};

fn set(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[tokio::test]
async fn each_change_has_its_effect() {
    let db = db().await;
    let mut expected = Task {
        labels: BTreeMap::from([("x".to_owned(), 1), ("y".to_owned(), 2)]),
        watchers: set(&["ann", "bob"]),
        note: Some("old".to_owned()),
        tags: vec!["a".to_owned(), "b".to_owned()],
        ..task()
    };
    expected.create().send(&db).await.unwrap();
    Task::update("b", "1")
        .set(Task::TITLE, "Second")
        .remove(Task::NOTE)
        .add(Task::EDITS, 3)
        .append(Task::TAGS, ["c", "d"])
        .add_elements(Task::WATCHERS, set(&["eve"]))
        .set(Task::LABELS.entry("x"), 9)
        .remove(Task::LABELS.entry("y"))
        .set(Task::DETAILS.field(Details::FULL_TEXT), "more")
        .add(Task::DETAILS.field(Details::SIZE), 4)
        .send(&db)
        .await
        .unwrap();
    expected.title = "Second".to_owned();
    expected.note = None;
    expected.edits = 3;
    expected.tags = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    expected.watchers = set(&["ann", "bob", "eve"]);
    expected.labels = BTreeMap::from([("x".to_owned(), 9)]);
    expected.details.full_text = "more".to_owned();
    expected.details.size = 5;
    assert_eq!(stored(&db).await, expected);
    Task::update("b", "1")
        .set_if_missing(Task::NOTE, "new")
        .set_if_missing(Task::TITLE, "Third")
        .subtract(Task::EDITS, 1)
        .subtract(Task::DETAILS.field(Details::SIZE), 2)
        .prepend(Task::TAGS, ["x", "y"])
        .delete_elements(Task::WATCHERS, set(&["bob", "nobody"]))
        .send(&db)
        .await
        .unwrap();
    expected.note = Some("new".to_owned());
    expected.edits = 2;
    expected.details.size = 3;
    expected.tags = ["x", "y", "a", "b", "c", "d"].map(str::to_owned).to_vec();
    expected.watchers = set(&["ann", "eve"]);
    assert_eq!(stored(&db).await, expected);
    assert_keys_are_fresh(&db).await;
}

#[tokio::test]
async fn elements_of_lists_are_set_and_removed() {
    let db = db().await;
    let tags = ["a", "b", "c"].map(str::to_owned).to_vec();
    Task { tags, ..task() }.create().send(&db).await.unwrap();
    let update = Task::update("b", "1").set(Task::TAGS.index(0), "z");
    update.remove(Task::TAGS.index(1)).send(&db).await.unwrap();
    assert_eq!(stored(&db).await.tags, ["z", "c"]);
}

#[tokio::test]
async fn an_update_needs_an_item() {
    let db = db().await;
    let update = Task::update("b", "1").set(Task::TITLE, "Second");
    let error = update.send(&db).await.unwrap_err();
    assert!(error.is_condition_failed());
    assert!(Task::get("b", "1").send(&db).await.unwrap().is_none());
}

#[tokio::test]
async fn update_checks_its_condition_and_returns_the_requested_item() {
    let db = db().await;
    task().create().send(&db).await.unwrap();
    let update = || Task::update("b", "1").set(Task::TITLE, "Second");
    let refused = update().when(Task::EDITS.gt(0)).send(&db).await;
    let error = refused.unwrap_err();
    assert_eq!(error.current_item::<Task>().unwrap().unwrap(), task());
    let old = update().returning_old().send(&db).await.unwrap();
    assert_eq!(old, Some(task()));
    let new = Task::update("b", "1").add(Task::EDITS, 1).returning_new();
    let new = new.send(&db).await.unwrap();
    assert_eq!((new.title.as_str(), new.edits), ("Second", 1));
}

#[tokio::test]
async fn update_without_changes_only_checks_conditions() {
    let db = db().await;
    task().create().send(&db).await.unwrap();
    let ask = |edits| Task::update("b", "1").when(Task::EDITS.eq(edits));
    ask(0).send(&db).await.unwrap();
    assert!(ask(1).send(&db).await.unwrap_err().is_condition_failed());
    assert_eq!(stored(&db).await, task());
}

#[tokio::test]
async fn one_place_is_changed_once() {
    let db = db().await;
    let twice = [
        Task::update("b", "1")
            .set(Task::TITLE, "x")
            .set(Task::TITLE, "y"),
        Task::update("b", "1")
            .set(Task::LABELS, BTreeMap::new())
            .set(Task::LABELS.entry("x"), 1),
    ];
    let messages = [
        "Task: title: is changed twice in one update",
        "Task: labels.*: is changed twice in one update",
    ];
    for (update, message) in twice.into_iter().zip(messages) {
        assert_eq!(update.explain().get("Error"), Some(message));
        assert_eq!(update.send(&db).await.unwrap_err().to_string(), message);
    }
}

#[tokio::test]
async fn a_value_that_cannot_be_stored_is_refused() {
    let db = db().await;
    let update = Task::update("b", "1").add_elements(Task::WATCHERS, BTreeSet::<String>::new());
    let error = update.send(&db).await.unwrap_err();
    let problem = "Task: watchers: a set cannot be empty;";
    assert!(error.to_string().starts_with(problem), "{error}");
    let error = Task::update("b#", "1").send(&db).await.unwrap_err();
    assert!(error.is_invalid_key());
}

#[tokio::test]
async fn only_sets_take_elements() {
    let db = db().await;
    let update = Task::update("b", "1").add_elements(Task::TAGS, vec!["a".to_owned()]);
    let error = update.send(&db).await.unwrap_err();
    let message = "Task: tags: expected a field that is stored as a set, as by `#[serde(with = \"dyna_runtime::serde::string_set\")]`, found list";
    assert_eq!(error.to_string(), message);
}
