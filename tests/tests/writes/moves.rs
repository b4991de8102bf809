//! Changing the primary key of an item.

use super::{Order, Shop, User, user};
use dyna_runtime::Table;

async fn db() -> Table<Shop> {
    let db = Shop::embedded().await.unwrap();
    user("ann", 7).put().send(&db).await.unwrap();
    db
}

async fn rekey(db: &Table<Shop>, from: &str, to: User) -> dyna_runtime::Result<()> {
    User::rekey(User::key(from), &to).send(db).await
}

async fn users(db: &Table<Shop>) -> Vec<User> {
    let mut users = User::scan().all(db).await.unwrap();
    users.sort_by(|a, b| a.id.cmp(&b.id));
    users
}

#[tokio::test]
async fn a_moved_item_is_under_its_new_key_alone() {
    let db = db().await;
    rekey(&db, "ann", user("anna", 8)).await.unwrap();
    assert_eq!(users(&db).await, [user("anna", 8)]);
}

#[tokio::test]
async fn an_item_that_is_not_there_is_not_moved() {
    let db = db().await;
    let error = rekey(&db, "bob", user("bobby", 8)).await.unwrap_err();
    assert!(error.is_condition_failed());
    assert_eq!(error.failures()[0].index, 0);
    assert!(error.current_item::<User>().is_none());
    assert_eq!(users(&db).await, [user("ann", 7)]);
}

#[tokio::test]
async fn an_item_is_not_moved_over_another() {
    let db = db().await;
    user("anna", 1).put().send(&db).await.unwrap();
    let error = rekey(&db, "ann", user("anna", 8)).await.unwrap_err();
    assert_eq!(error.failures()[0].index, 1);
    assert_eq!(
        error.current_item::<User>().unwrap().unwrap(),
        user("anna", 1)
    );
    assert_eq!(users(&db).await, [user("ann", 7), user("anna", 1)]);
}

#[tokio::test]
async fn a_move_depends_on_its_condition() {
    let db = db().await;
    let anna = user("anna", 8);
    let move_when = |age| User::rekey(User::key("ann"), &anna).when(User::AGE.eq(age));
    let error = move_when(6).send(&db).await.unwrap_err();
    assert_eq!(
        error.current_item::<User>().unwrap().unwrap(),
        user("ann", 7)
    );
    move_when(7).send(&db).await.unwrap();
    assert_eq!(users(&db).await, [user("anna", 8)]);
}

#[tokio::test]
async fn a_move_to_the_same_key_replaces_the_item() {
    let db = db().await;
    rekey(&db, "ann", user("ann", 8)).await.unwrap();
    assert_eq!(users(&db).await, [user("ann", 8)]);
    let error = rekey(&db, "bob", user("bob", 8)).await.unwrap_err();
    assert!(error.is_condition_failed());
    assert_eq!(users(&db).await, [user("ann", 8)]);
}

#[tokio::test]
async fn a_move_is_two_operations_of_a_transaction() {
    let db = db().await;
    user("bob", 1).put().send(&db).await.unwrap();
    let order = Order {
        user: "anna".to_owned(),
        number: 1,
        total: 10,
    };
    let transaction = |bob: User| {
        db.transact()
            .put(&order)
            .rekey(User::rekey(User::key("ann"), &user("anna", 8)))
            .create(&bob)
    };
    let error = transaction(user("bob", 2)).send().await.unwrap_err();
    assert_eq!(error.failures()[0].index, 3);
    assert_eq!(users(&db).await, [user("ann", 7), user("bob", 1)]);
    transaction(user("cy", 2)).send().await.unwrap();
    let moved = [user("anna", 8), user("bob", 1), user("cy", 2)];
    assert_eq!(users(&db).await, moved);
}

#[test]
fn a_move_shows_both_of_its_writes() {
    let anna = user("anna", 8);
    let shown = User::rekey(User::key("ann"), &anna).when(User::AGE.lt(9));
    assert_eq!(format!("{shown:?}"), "Rekey(User)");
    assert_eq!(
        shown.explain().to_string(),
        r#"TransactWriteItems
  0                      Delete writes
  0.Key.pk               "USER#ann"
  0.Key.sk               "PROFILE"
  0.ConditionExpression  attribute_exists(pk) AND age < :v0
  0.:v0                  9
  1                      Put writes
  1.Item.age             8
  1.Item.id              "anna"
  1.Item.kind            "User"
  1.Item.name            "anna"
  1.Item.pk              "USER#anna"
  1.Item.sk              "PROFILE"
  1.ConditionExpression  attribute_not_exists(pk)"#
    );
    let same = User::rekey(User::key("anna"), &anna).explain();
    assert_eq!(same.get("0"), Some("Put writes"));
    assert_eq!(
        same.get("0.ConditionExpression"),
        Some("attribute_exists(pk)")
    );
    assert_eq!(same.get("1"), None);
    let bad = User::rekey(User::key(""), &anna).explain();
    assert_eq!(bad.get("Error"), Some("User: key field `id` is empty"));
}
