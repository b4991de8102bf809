//! Rules of `aws-smithy-mocks` match on the items that are written, and their outputs are read.

use aws_sdk_dynamodb::config::{BehaviorVersion, Region};
use aws_sdk_dynamodb::operation::get_item::GetItemOutput;
use aws_sdk_dynamodb::operation::put_item::PutItemOutput;
use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_dynamodb::{Client, Config};
use aws_smithy_mocks::{MockResponseInterceptor, Rule, RuleMode, create_mock_http_client, mock};
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", sk = "sk"),
    pk = "USER#<id>",
    sk = "AGE#<age:03>"
)]
struct User {
    id: String,
    age: u8,
}

fn ann() -> User {
    User {
        id: "ann".to_owned(),
        age: 7,
    }
}

fn item() -> HashMap<String, AttributeValue> {
    HashMap::from([
        ("pk".to_owned(), AttributeValue::S("USER#ann".to_owned())),
        ("sk".to_owned(), AttributeValue::S("AGE#007".to_owned())),
        ("id".to_owned(), AttributeValue::S("ann".to_owned())),
        ("age".to_owned(), AttributeValue::N("7".to_owned())),
    ])
}

fn mocked(rules: &[&Rule]) -> Table<User> {
    let interceptor = MockResponseInterceptor::new().rule_mode(RuleMode::MatchAny);
    let interceptor = rules
        .iter()
        .fold(interceptor, |it, rule| it.with_rule(rule));
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("local"))
        .allow_no_auth()
        .http_client(create_mock_http_client())
        .interceptor(interceptor);
    User::open(Client::from_conf(config.build()))
}

#[tokio::test]
async fn a_rule_matches_on_the_item_that_is_put() {
    let put = mock!(Client::put_item)
        .match_requests(|request| request.item() == Some(&item()))
        .then_output(|| PutItemOutput::builder().build());
    let db = mocked(&[&put]);
    assert!(db.shows_items_to_interceptors());
    ann().create().send(&db).await.unwrap();
    assert_eq!(put.num_calls(), 1);
}

#[tokio::test]
async fn the_items_of_a_rules_output_are_read() {
    let get = mock!(Client::get_item)
        .then_output(|| GetItemOutput::builder().set_item(Some(item())).build());
    let query =
        mock!(Client::query).then_output(|| QueryOutput::builder().items(item()).count(1).build());
    let db = mocked(&[&get, &query]);
    assert_eq!(User::get("ann", 7_u8).send(&db).await.unwrap(), Some(ann()));
    assert_eq!(User::query("ann").all(&db).await.unwrap(), [ann()]);
}
