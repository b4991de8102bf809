//! A stored item that is not what its entity asks for is an error that says where, and not what.

use super::{engine, n, raw, s};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaEntity, DynaTable, Error};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table(name = "users", pk = "pk", sk = "sk", index(gsi1, pk = "gsi1pk")),
    pk = "USER#<id>",
    sk = "PROFILE#<n:03>",
    gsi1(as = by_name, pk = "NAME#<nick_name>"),
)]
struct User {
    #[dyna(key_only)]
    id: String,
    #[dyna(key_only)]
    n: u16,
    nick_name: String,
    addresses: Vec<Address>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Address {
    zip: u32,
}

/// Part of every value here, and of no message.
const SECRET: &str = "S3CR3T";

/// An address with this for its code.
fn address(zip: AttributeValue) -> AttributeValue {
    AttributeValue::L(vec![
        AttributeValue::M(HashMap::from([("zip".to_owned(), n("1"))])),
        AttributeValue::M(HashMap::from([("zip".to_owned(), zip)])),
    ])
}

#[tokio::test]
async fn decode_error_names_entity_and_path() {
    let (_, db) = engine::<User>().await;
    let good = address(n("2"));
    let cases = [
        (
            s(SECRET),
            Some(address(s(SECRET))),
            "User USER#<id>/PROFILE#<n:03>: addresses[1].zip: expected number, found string",
        ),
        (
            s(SECRET),
            Some(address(n("-7"))),
            "User USER#<id>/PROFILE#<n:03>: addresses[1].zip: expected u32, found a number out of range",
        ),
        (
            s(SECRET),
            Some(s(SECRET)),
            "User USER#<id>/PROFILE#<n:03>: addresses: expected list, found string",
        ),
        (
            s(SECRET),
            None,
            "User USER#<id>/PROFILE#<n:03>: missing attribute `addresses`",
        ),
        (
            n("7"),
            Some(good.clone()),
            "User USER#<id>/PROFILE#<n:03>: nickName: expected string, found number",
        ),
    ];
    let pk = format!("USER#{SECRET}");
    for (nick_name, addresses, message) in cases {
        let mut item = vec![
            ("pk", s(&pk)),
            ("sk", s("PROFILE#001")),
            ("gsi1pk", s("NAME#x")),
            ("nickName", nick_name),
        ];
        item.extend(addresses.map(|addresses| ("addresses", addresses)));
        raw(&db, &item).await;
        let errors = [
            User::get(SECRET, 1_u16).send(&db).await.unwrap_err(),
            User::query(SECRET).send(&db).await.unwrap_err(),
            User::query(SECRET)
                .n_range(..5_u16)
                .all(&db)
                .await
                .unwrap_err(),
            User::query(SECRET).one(&db).await.unwrap_err(),
            User::by_name("x").all(&db).await.unwrap_err(),
        ];
        for error in errors {
            assert_eq!(error.to_string(), message);
            let Error::Decode {
                entity: "User",
                source,
                ..
            } = &error
            else {
                panic!("{error}")
            };
            let key = error.key().unwrap();
            assert!(!format!("{error:?} {source} {source:?} {key} {key:?}").contains(SECRET));
            assert_eq!(key.reveal(), "USER#S3CR3T/PROFILE#001");
        }
    }
    raw(
        &db,
        &[
            ("pk", s(&pk)),
            ("sk", s("PROFILE#001")),
            ("nickName", s("x")),
            ("addresses", good),
        ],
    )
    .await;
    let user = User::get(SECRET, 1_u16).send(&db).await.unwrap().unwrap();
    assert_eq!(
        (user.id.as_str(), user.n, user.addresses[1].zip),
        (SECRET, 1, 2)
    );
}

/// A key within the entity's prefix that no value of it has: without a tag, it is an item of no entity.
#[tokio::test]
async fn an_untagged_key_that_does_not_fit_is_left_out_and_counted() {
    let (_, db) = engine::<User>().await;
    let pk = format!("USER#{SECRET}");
    for sk in [
        format!("PROFILE#{SECRET}"),
        "PROFILE#".to_owned(),
        "PROFILE#1".to_owned(),
        "PROFILE#001#x".to_owned(),
    ] {
        raw(
            &db,
            &[
                ("pk", s(&pk)),
                ("sk", s(&sk)),
                ("nickName", s("x")),
                ("addresses", AttributeValue::L(vec![])),
            ],
        )
        .await;
        let page = User::query(SECRET).send(&db).await.unwrap();
        assert_eq!((page.items.len(), page.skipped.unknown), (0, 1));
        let request = db.client().delete_item().table_name(db.name().unwrap());
        request
            .key("pk", s(&pk))
            .key("sk", s(&sk))
            .send()
            .await
            .unwrap();
    }
}
