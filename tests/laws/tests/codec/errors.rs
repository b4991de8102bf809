//! What DynamoDB would refuse is refused before the request, and errors show no values unless they are asked to.

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaEntity, DynaTable, Error, Result};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// A type that says what it does not like.
#[derive(Debug, Clone, PartialEq)]
struct Email(String);

impl Serialize for Email {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.0.contains('@') {
            return Err(serde::ser::Error::custom(format!("{} has no @", self.0)));
        }
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Email {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if !text.contains('@') {
            return Err(serde::de::Error::custom(format!("{text} has no @")));
        }
        Ok(Self(text))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
    email: Email,
    #[serde(default)]
    emails: Vec<Email>,
    #[serde(default)]
    ratio: f64,
    #[serde(default)]
    ratios: BTreeMap<String, f64>,
    #[serde(default)]
    json: serde_json::Value,
}

fn user() -> User {
    User {
        id: "a".to_owned(),
        email: Email("ann@example.org".to_owned()),
        emails: Vec::new(),
        ratio: 0.5,
        ratios: BTreeMap::new(),
        json: serde_json::Value::Null,
    }
}

fn quiet(error: &Error) -> String {
    let mut text = format!("{error} {error:?} {error:#?}");
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        text = format!("{text} {error} {error:?}");
        source = error.source();
    }
    assert!(!text.contains("s3cret"), "{text}");
    error.to_string()
}

#[tokio::test]
async fn messages_of_types_are_shown_only_by_reveal() {
    let db = User::embedded().await.unwrap();
    let secret = || Email("s3cret".to_owned());
    let mut wrong = user();
    wrong.emails = vec![secret()];
    let error = wrong.put().send(&db).await.unwrap_err();
    let text = quiet(&error);
    assert!(text.starts_with("User: emails[0]: "), "{text}");
    let Error::Encode { source, .. } = error else {
        panic!("{text}")
    };
    assert_eq!(source.reveal(), "emails[0]: s3cret has no @");

    let set = User::update("a").set(User::EMAIL, secret());
    quiet(&set.send(&db).await.unwrap_err());
    let right = user();
    let when = right.put().when(User::EMAIL.eq(secret()));
    quiet(&when.send(&db).await.unwrap_err());

    let put = db.client().put_item().table_name("users");
    let put = put.item("pk", AttributeValue::S("USER#a".to_owned()));
    let put = put.item("id", AttributeValue::S("a".to_owned()));
    let put = put.item("email", AttributeValue::S("s3cret".to_owned()));
    put.send().await.unwrap();
    let error = User::get("a").send(&db).await.unwrap_err();
    quiet(&error);
    let Error::Decode { source, .. } = error else {
        panic!("{error}")
    };
    assert_eq!(source.reveal(), "email: s3cret has no @");
}

#[tokio::test]
async fn number_out_of_range_is_refused_before_the_request() {
    let db = User::embedded().await.unwrap();
    let refused = |error: Error, place: &str| {
        let text = error.to_string();
        assert!(
            text.starts_with(&format!("User: {place}: expected ")),
            "{text}"
        );
        assert!(matches!(error, Error::Encode { .. }), "{text}");
    };
    for ratio in [1e126, 1e-131, -1e300, f64::NAN, f64::INFINITY] {
        let wrong = User { ratio, ..user() };
        refused(wrong.put().send(&db).await.unwrap_err(), "ratio");
        let batch = db.batch_write().put(&wrong).send().await;
        refused(batch.unwrap_err(), "ratio");
        let ratios = BTreeMap::from([("x".to_owned(), ratio)]);
        let wrong = User { ratios, ..user() };
        refused(wrong.put().send(&db).await.unwrap_err(), "ratios.*");
        let set = User::update("a").set(User::RATIO, ratio);
        refused(set.send(&db).await.unwrap_err(), "ratio");
        let add = User::update("a").add(User::RATIO, ratio);
        refused(add.send(&db).await.unwrap_err(), "ratio");
        let when = User::update("a").set(User::EMAIL, user().email);
        let when = when.when(User::RATIO.lt(ratio));
        refused(when.send(&db).await.unwrap_err(), "ratio");
    }
    let user = User {
        ratio: 1e-130,
        ratios: BTreeMap::from([("x".to_owned(), -9.9e125)]),
        ..user()
    };
    user.put().send(&db).await.unwrap();
    assert_eq!(User::get("a").send(&db).await.unwrap(), Some(user));
}

/// DynamoDB stores 32 levels, of which the attribute is the first: a number can be inside of 31 lists or maps.
#[tokio::test]
async fn nesting_of_more_than_32_levels_is_refused_before_the_request() {
    let db = User::embedded().await.unwrap();
    let nested = |levels: usize| {
        let json = (0..levels).fold(serde_json::json!(7), |json, n| match n % 2 {
            0 => serde_json::json!([json]),
            _ => serde_json::json!({ "x": json }),
        });
        User { json, ..user() }
    };
    let deepest = nested(31);
    deepest.put().send(&db).await.unwrap();
    assert_eq!(User::get("a").send(&db).await.unwrap(), Some(deepest));
    for levels in [32, 33, 100] {
        let deep = nested(levels);
        let error = deep.put().send(&db).await.unwrap_err().to_string();
        assert!(error.starts_with("User: json"), "{error}");
        assert!(error.contains("32 levels"), "{error}");
        let batch = db.batch_write().put(&deep).send().await;
        assert!(matches!(batch.unwrap_err(), Error::Encode { .. }));
        let set = User::update("a")
            .set(User::JSON, &deep.json)
            .send(&db)
            .await;
        assert!(matches!(set.unwrap_err(), Error::Encode { .. }));
    }
}
