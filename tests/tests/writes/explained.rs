//! The exact requests of writes.

use super::{User, user};

#[test]
fn a_put_without_a_condition_has_no_expression() {
    let shown = user("ann", 7).put().explain().to_string();
    assert_eq!(
        shown,
        r#"PutItem writes
  Item.age   7
  Item.id    "ann"
  Item.kind  "User"
  Item.name  "ann"
  Item.pk    "USER#ann"
  Item.sk    "PROFILE""#
    );
}

#[test]
fn a_condition_follows_the_one_of_the_request() {
    let ann = user("ann", 7);
    let condition = |shown: dyna_runtime::Explain| {
        let shown = shown.get("ConditionExpression").map(str::to_owned);
        shown.unwrap()
    };
    assert_eq!(
        condition(ann.create().explain()),
        "attribute_not_exists(pk)"
    );
    let either = || User::AGE.gt(7).or(User::NAME.missing());
    assert_eq!(
        condition(ann.replace().when(either()).explain()),
        "attribute_exists(pk) AND (age > :v0 OR attribute_not_exists(#name) OR #name = :v1)"
    );
    assert_eq!(
        condition(ann.put().when(either()).explain()),
        "age > :v0 OR attribute_not_exists(#name) OR #name = :v1"
    );
}

#[test]
fn a_delete_shows_its_key_and_its_condition() {
    let shown = User::delete("ann").when(User::NAME.eq("Ann")).explain();
    assert_eq!(
        shown.to_string(),
        r#"DeleteItem writes
  Key.pk               "USER#ann"
  Key.sk               "PROFILE"
  ConditionExpression  #name = :v0
  #name                name
  :v0                  "Ann""#
    );
}
