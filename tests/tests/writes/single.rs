//! One write at a time.

use super::{Order, Shop, User, user};
use dyna_runtime::{Condition, Table};

async fn db() -> Table<Shop> {
    Shop::embedded().await.unwrap()
}

async fn stored(db: &Table<Shop>, id: &str) -> Option<User> {
    User::get(id).consistent().send(db).await.unwrap()
}

#[tokio::test]
async fn put_writes_whether_there_is_an_item_or_not() {
    let db = db().await;
    user("ann", 1).put().send(&db).await.unwrap();
    user("ann", 2).put().send(&db).await.unwrap();
    assert_eq!(stored(&db, "ann").await, Some(user("ann", 2)));
}

#[tokio::test]
async fn create_fails_with_the_existing_item() {
    let db = db().await;
    user("ann", 1).create().send(&db).await.unwrap();
    let error = user("ann", 2).create().send(&db).await.unwrap_err();
    assert!(error.is_condition_failed());
    assert_eq!(
        error.current_item::<User>().unwrap().unwrap(),
        user("ann", 1)
    );
    assert!(error.current_item::<Order>().is_none());
    assert_eq!(stored(&db, "ann").await, Some(user("ann", 1)));
}

#[tokio::test]
async fn replace_fails_if_there_is_no_item() {
    let db = db().await;
    let error = user("ann", 1).replace().send(&db).await.unwrap_err();
    assert!(error.is_condition_failed());
    assert!(error.current_item::<User>().is_none());
    assert_eq!(stored(&db, "ann").await, None);
    user("ann", 1).put().send(&db).await.unwrap();
    user("ann", 2).replace().send(&db).await.unwrap();
    assert_eq!(stored(&db, "ann").await, Some(user("ann", 2)));
}

#[tokio::test]
async fn a_put_depends_on_its_condition() {
    let db = db().await;
    user("ann", 1).put().send(&db).await.unwrap();
    let put = user("ann", 2);
    let error = put.put().when(User::AGE.gt(1)).send(&db).await.unwrap_err();
    assert_eq!(
        error.current_item::<User>().unwrap().unwrap(),
        user("ann", 1)
    );
    let both = put.put().when(User::AGE.eq(1)).when(User::NAME.eq("bob"));
    assert!(both.send(&db).await.unwrap_err().is_condition_failed());
    put.put().when(User::AGE.eq(1)).send(&db).await.unwrap();
    assert_eq!(stored(&db, "ann").await, Some(put));
}

#[tokio::test]
async fn conditions_that_are_known_need_no_item() {
    let db = db().await;
    let never = user("ann", 1)
        .put()
        .when(Condition::any([]))
        .send(&db)
        .await;
    assert!(never.unwrap_err().is_condition_failed());
    assert_eq!(stored(&db, "ann").await, None);
    let always = user("ann", 1)
        .put()
        .when(Condition::all([]))
        .send(&db)
        .await;
    always.unwrap();
    assert_eq!(stored(&db, "ann").await, Some(user("ann", 1)));
}

#[tokio::test]
async fn a_put_returns_the_old_or_the_new_entity() {
    let db = db().await;
    let old = user("ann", 1)
        .put()
        .returning_old()
        .send(&db)
        .await
        .unwrap();
    assert_eq!(old, None);
    let old = user("ann", 2)
        .put()
        .returning_old()
        .send(&db)
        .await
        .unwrap();
    assert_eq!(old, Some(user("ann", 1)));
    let new = user("ann", 3)
        .replace()
        .returning_new()
        .send(&db)
        .await
        .unwrap();
    assert_eq!(new, user("ann", 3));
}

#[tokio::test]
async fn delete_checks_its_condition_and_returns_the_old_item() {
    let db = db().await;
    user("ann", 1).put().send(&db).await.unwrap();
    let delete = User::delete("ann").when(User::AGE.eq(2));
    let error = delete.send(&db).await.unwrap_err();
    assert_eq!(
        error.current_item::<User>().unwrap().unwrap(),
        user("ann", 1)
    );
    let delete = || User::delete("ann").returning_old().send(&db);
    assert_eq!(delete().await.unwrap(), Some(user("ann", 1)));
    assert_eq!(delete().await.unwrap(), None);
}

#[tokio::test]
async fn error_shows_no_values() {
    let db = db().await;
    user("secret", 1).create().send(&db).await.unwrap();
    let error = user("secret", 1).create().send(&db).await.unwrap_err();
    assert_eq!(
        format!("{error:?}"),
        "Error(User: create failed: an item with this key already exists)"
    );
    let mut source = std::error::Error::source(&error);
    while let Some(error) = source {
        assert!(!format!("{error:?}").contains("secret"));
        source = error.source();
    }
}

#[tokio::test]
async fn a_condition_with_a_value_that_cannot_be_stored_makes_no_request() {
    let db = Shop::open(db().await.client().clone());
    let put = user("ann", 1);
    let put = put.put().when(User::AGE.is_in(std::iter::repeat_n(7, 101)));
    assert_eq!(
        put.explain().get("Error"),
        Some("User: age: `is_in` takes at most 100 values")
    );
    let error = put.send(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "User: age: `is_in` takes at most 100 values"
    );
}
