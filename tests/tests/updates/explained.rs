//! The exact requests of updates.

use super::{Counter, Player, Status, Task, task};

#[test]
fn an_update_shows_its_sections_in_order() {
    let update = Task::update("b", "1")
        .add(Task::EDITS, 1)
        .remove(Task::NOTE)
        .set(Task::TITLE, "Second")
        .append(Task::TAGS, ["c"])
        .when(Task::EDITS.lt(9));
    assert_eq!(
        update.explain().to_string(),
        r#"UpdateItem updates
  Key.pk               "BOARD#b"
  Key.sk               "TASK#1"
  UpdateExpression     SET title = :v0, #tags = list_append(if_not_exists(#tags, :v1), :v2) REMOVE note ADD edits :v3
  ConditionExpression  attribute_exists(pk) AND edits < :v4
  :v0                  "Second"
  :v1                  []
  :v2                  ["c"]
  :v3                  1
  :v4                  9"#
            .replace("#tags", "tags")
    );
}

#[test]
fn an_index_key_is_set_with_its_fields() {
    let due = Some("2026-02-02".to_owned());
    let shown = Task::update("b", "1")
        .set_by_status(Status::Done, due)
        .explain();
    let update = "SET #status = :v0, due = :v1, gsi1pk = :v2, gsi1sk = :v3";
    assert_eq!(shown.get("UpdateExpression"), Some(update));
    assert_eq!(shown.get(":v2"), Some("\"BOARD#b#Done\""));
    assert_eq!(shown.get(":v3"), Some("\"DUE#2026-02-02#1\""));
    let shown = Task::update("b", "1")
        .set_by_status(Status::Done, None)
        .explain();
    let update = "SET #status = :v0 REMOVE due, gsi1pk, gsi1sk";
    assert_eq!(shown.get("UpdateExpression"), Some(update));
}

#[test]
fn of_a_loaded_item_the_keys_of_its_index_follow() {
    let shown = Task::update_loaded(&task())
        .set(Task::STATUS, Status::Done)
        .explain();
    let update = "SET #status = :v0, gsi1pk = :v1, gsi1sk = :v2";
    assert_eq!(shown.get("UpdateExpression"), Some(update));
    let condition = "attribute_exists(pk) AND due = :v3";
    assert_eq!(shown.get("ConditionExpression"), Some(condition));
}

#[test]
fn update_of_a_loaded_item_without_index_key_accepts_missing_and_null() {
    let loaded = Task {
        due: None,
        ..task()
    };
    let shown = Task::update_loaded(&loaded)
        .set(Task::STATUS, Status::Done)
        .explain();
    let update = "SET #status = :v0 REMOVE gsi1pk, gsi1sk";
    assert_eq!(shown.get("UpdateExpression"), Some(update));
    let condition = "attribute_exists(pk) AND (attribute_not_exists(due) OR due = :v1)";
    assert_eq!(shown.get("ConditionExpression"), Some(condition));
    assert_eq!(shown.get(":v1"), Some("null"));
}

#[test]
fn native_key_attribute_is_set_alone() {
    let shown = Player::update("ann").add(Player::SCORE, 1).explain();
    assert_eq!(shown.get("UpdateExpression"), Some("ADD score :v0"));
    let ann = Player {
        name: "ann".to_owned(),
        game: Some("go".to_owned()),
        score: 7,
    };
    let shown = Player::update_loaded(&ann).set(Player::SCORE, 8).explain();
    assert_eq!(shown.get("UpdateExpression"), Some("SET score = :v0"));
    let condition = Some("attribute_exists(pk)");
    assert_eq!(shown.get("ConditionExpression"), condition);
}

#[test]
fn an_upsert_has_no_condition_and_all_that_the_key_says() {
    let shown = Counter::upsert("orders").add(Counter::VALUE, 1).explain();
    assert_eq!(shown.get("ConditionExpression"), None);
    let update = "SET kind = :v0, #name = :v1, gsi1pk = :v2, gsi1sk = :v3 ADD #value :v4";
    assert_eq!(shown.get("UpdateExpression"), Some(update));
}
