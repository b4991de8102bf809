//! Unique values at their edges: what they look like, what they are called, and when there are none.

use super::unique::user;
use super::{User, db};
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

/// A table whose key attribute has the name that one would give to the owner of a value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "badges", pk = "owner", index(by_value, pk = "value")),
    pk = "BADGE#<id>",
    by_value(as = by_color, pk = "<color>"),
)]
struct Badge {
    id: String,
    #[dyna(unique, nulls = "store")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    color: String,
    #[dyna(version)]
    version: u32,
}

fn badge(id: &str, code: Option<&str>) -> Badge {
    Badge {
        id: id.to_owned(),
        code: code.map(str::to_owned),
        color: "red".to_owned(),
        version: 0,
    }
}

async fn load(db: &Table<Badge>, id: &str) -> Badge {
    Badge::get(id).send(db).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_value_that_was_none_or_becomes_none_is_held_by_no_one() {
    let db = Badge::embedded().await.unwrap();
    badge("a", None).create().send(&db).await.unwrap();
    badge("b", None).create().send(&db).await.unwrap();
    let set = |loaded: &Badge, code: Option<&str>| {
        let update = Badge::update_loaded(loaded);
        update.set(Badge::CODE, code.map(str::to_owned)).send(&db)
    };
    set(&load(&db, "a").await, Some("x")).await.unwrap();
    let taken = set(&load(&db, "b").await, Some("x")).await.unwrap_err();
    assert!(taken.is_not_unique());
    // An update stores NULL here, where the entity itself stores nothing.
    set(&load(&db, "a").await, None).await.unwrap();
    set(&load(&db, "b").await, Some("x")).await.unwrap();
    Badge::delete_loaded(&load(&db, "a").await)
        .send(&db)
        .await
        .unwrap();
    Badge::delete_loaded(&load(&db, "b").await)
        .send(&db)
        .await
        .unwrap();
    let left = db.client().scan().table_name(db.name().unwrap());
    assert_eq!(left.send().await.unwrap().count, 0);
}

#[tokio::test]
async fn locally_modified_entity_releases_no_value() {
    let db = Badge::embedded().await.unwrap();
    badge("a", Some("x")).create().send(&db).await.unwrap();
    let altered = Badge {
        code: Some("y".to_owned()),
        ..load(&db, "a").await
    };
    // The version is right, and the value is not the one to give up: neither may leave `x` behind.
    let update = Badge::update_loaded(&altered).set(Badge::CODE, "z".to_owned());
    assert!(update.send(&db).await.unwrap_err().is_condition_failed());
    let delete = Badge::delete_loaded(&altered).send(&db).await;
    assert!(delete.unwrap_err().is_condition_failed());
    assert_eq!(load(&db, "a").await.code.as_deref(), Some("x"));
}

#[tokio::test]
async fn unique_values_do_not_collide() {
    let (db, _) = db().await;
    for (n, email) in ["#", "a#b", "a", "A", " a", "UNIQUE#User#email#a", "é"]
        .iter()
        .enumerate()
    {
        user(&n.to_string(), email, None)
            .create()
            .send(&db)
            .await
            .unwrap();
    }
    let again = user("x", "UNIQUE#User#email#a", None)
        .create()
        .send(&db)
        .await;
    assert!(again.unwrap_err().is_not_unique());
}

#[tokio::test]
async fn a_value_that_no_key_can_hold_is_refused() {
    let (db, _) = db().await;
    let refused = async |email: String| {
        let error = user("ann", &email, None)
            .create()
            .send(&db)
            .await
            .unwrap_err();
        assert!(error.is_invalid_key());
        error.to_string()
    };
    assert_eq!(
        refused(String::new()).await,
        "User: key field `email` is empty"
    );
    // `UNIQUE#User#email#` has 18 bytes of 2048.
    let long = refused("x".repeat(2031)).await;
    assert!(
        long.contains("`email`") && long.contains("2049") && long.contains("2048"),
        "{long}"
    );
    let longest = "x".repeat(2030);
    let ann = user("ann", &longest, None);
    let create = ann.create().explain();
    assert_eq!(create.get("Error"), None);
    ann.create().send(&db).await.unwrap();
    assert!(User::get("ann").send(&db).await.unwrap().is_some());
}

#[test]
fn explain_of_create_shows_sentinels() {
    let ann = user("ann", "a@x", None);
    assert_eq!(
        ann.create().explain().to_string(),
        r#"TransactWriteItems
  0                            Put kept
  0.Item.email                 "a@x"
  0.Item.gsi1pk                "EMAIL#a@x"
  0.Item.gsi1sk                "USER"
  0.Item.id                    "ann"
  0.Item.kind                  "User"
  0.Item.name                  "ann"
  0.Item.pk                    "USER#ann"
  0.Item.sk                    "USER"
  0.ConditionExpression        attribute_not_exists(pk)
  0.email                      Put kept
  0.email.Item.dyna:owner      ["USER#ann", "USER"]
  0.email.Item.pk              "UNIQUE#User#email#a@x"
  0.email.Item.sk              "UNIQUE"
  0.email.ConditionExpression  attribute_not_exists(pk)"#
    );
}

#[test]
fn explain_of_update_shows_released_and_claimed_values() {
    let ann = user("ann", "a@x", Some(7));
    let shown = User::update_loaded(&ann).set(User::PHONE, 8).explain();
    assert_eq!(
        shown.to_string(),
        r#"TransactWriteItems
  0                            Update kept
  0.Key.pk                     "USER#ann"
  0.Key.sk                     "USER"
  0.UpdateExpression           SET phone = :v0
  0.ConditionExpression        attribute_exists(pk) AND phone = :v1
  0.:v0                        8
  0.:v1                        7
  0.phone                      Delete kept
  0.phone.Key.pk               "UNIQUE#User#phone#7"
  0.phone.Key.sk               "UNIQUE"
  0.phone.ConditionExpression  attribute_not_exists(pk) OR #dyna_owner = :v0
  0.phone.#dyna_owner          dyna:owner
  0.phone.:v0                  ["USER#ann", "USER"]
  0.phone                      Put kept
  0.phone.Item.dyna:owner      ["USER#ann", "USER"]
  0.phone.Item.pk              "UNIQUE#User#phone#8"
  0.phone.Item.sk              "UNIQUE"
  0.phone.ConditionExpression  attribute_not_exists(pk)"#
    );
}
