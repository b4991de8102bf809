//! A field may be stored in the key attribute of an index that its entity does not declare.

use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "people", pk = "pk", index(by_mail, pk = "email", sk = number("since")))]
enum People {
    User(User),
    Guest(Guest),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = People, pk = "USER#<id>", by_mail(pk = "<email>", sk = "<since>"))]
struct User {
    id: String,
    email: String,
    since: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = People, pk = "GUEST#<id>")]
struct Guest {
    id: String,
    email: Option<String>,
    since: Level,
}

/// Its type does not tell what it is stored as.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Level {
    Number(u64),
    Text(String),
}

fn guest(email: Option<&str>) -> Guest {
    Guest {
        id: "g".to_owned(),
        email: email.map(str::to_owned),
        since: Level::Number(1),
    }
}

#[tokio::test]
async fn null_never_reaches_a_key_attribute() {
    let db = People::embedded().await.unwrap();
    guest(None).put().send(&db).await.unwrap();
    assert_eq!(Guest::get("g").send(&db).await.unwrap(), Some(guest(None)));
    let left = db.batch_write().put(&guest(None)).send().await.unwrap();
    assert!(left.is_empty());
    db.transact().put(&guest(None)).send().await.unwrap();
    guest(Some("a@b")).put().send(&db).await.unwrap();
    // It is in the index, and another entity's.
    assert!(User::by_mail("a@b").all(&db).await.unwrap().is_empty());
    let none = Guest::update("g").set(Guest::EMAIL, None);
    none.send(&db).await.unwrap();
    assert_eq!(Guest::get("g").send(&db).await.unwrap(), Some(guest(None)));
    let kept = Guest::update("g").set_if_missing(Guest::EMAIL, None);
    kept.send(&db).await.unwrap();
}

#[tokio::test]
async fn invalid_key_value_fails_before_the_request() {
    let db = People::embedded().await.unwrap();
    let empty = "Guest: email: is empty, and is stored in a key attribute of the index `by_mail`";
    let error = guest(Some("")).put().send(&db).await.unwrap_err();
    assert_eq!(error.to_string(), empty);
    let mut text = guest(Some("a@b"));
    text.since = Level::Text("secret".to_owned());
    let error = text.create().send(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "Guest: since: is not a number, and is stored in a key attribute of the index `by_mail`"
    );
    guest(None).put().send(&db).await.unwrap();
    let update = Guest::update("g").set(Guest::EMAIL, "");
    assert_eq!(update.send(&db).await.unwrap_err().to_string(), empty);
    let loaded = guest(None);
    let update = Guest::update_loaded(&loaded).set(Guest::EMAIL, "");
    assert_eq!(update.send(&db).await.unwrap_err().to_string(), empty);
}
