//! The exact requests of transactions.

use super::{Log, Shop, db, order};
use crate::writes::{User, user};
use dyna_runtime::Table;

#[tokio::test]
async fn explain_numbers_each_operation() {
    let db = db().await;
    let logs = Table::<Log>::open(db.client().clone()).with_variable("stage", "test");
    let transaction = db
        .transact()
        .create(&order("ann", 1))
        .delete(User::delete("bob").when(User::NAME.eq("Bob")))
        .on(&logs)
        .put(&Log { id: 1 })
        .on(&db)
        .check(User::check("cy").exists().when(User::AGE.gt(7)))
        .update(User::update("dan").add(User::AGE, 1));
    assert_eq!(
        transaction.explain().to_string(),
        r#"TransactWriteItems
  0                      Put writes
  0.Item.kind            "Order"
  0.Item.number          1
  0.Item.pk              "USER#ann"
  0.Item.sk              "ORDER#00001"
  0.Item.total           10
  0.Item.user            "ann"
  0.ConditionExpression  attribute_not_exists(pk)
  1                      Delete writes
  1.Key.pk               "USER#bob"
  1.Key.sk               "PROFILE"
  1.ConditionExpression  #name = :v0
  1.#name                name
  1.:v0                  "Bob"
  2                      Put logs-{stage}
  2.Item.id              1
  2.Item.pk              "LOG#1"
  3                      ConditionCheck writes
  3.Key.pk               "USER#cy"
  3.Key.sk               "PROFILE"
  3.ConditionExpression  attribute_exists(pk) AND age > :v0
  3.:v0                  7
  4                      Update writes
  4.Key.pk               "USER#dan"
  4.Key.sk               "PROFILE"
  4.UpdateExpression     ADD age :v0
  4.ConditionExpression  attribute_exists(pk)
  4.:v0                  1"#
    );
}

#[tokio::test]
async fn empty_transaction_explains_to_nothing() {
    let db: Table<Shop> = db().await;
    assert_eq!(db.transact().explain().to_string(), "TransactWriteItems");
    // What is known to be true needs no condition, but a check has none without.
    let always = User::check("ann").when(dyna_runtime::Condition::all([]));
    let transaction = db.transact().put(&user("bob", 1)).check(always);
    assert_eq!(transaction.explain().get("0.ConditionExpression"), None);
    assert_eq!(
        transaction.explain().get("1.ConditionExpression"),
        Some("attribute_exists(pk) OR attribute_not_exists(pk)")
    );
    transaction.send().await.unwrap();
}
