//! A field that is stored under an alias.

use super::{map, n, names, raw, s, store};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::expr::Condition;
use dyna_runtime::{DynaEntity, DynaFields, DynaProjection, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk")),
    pk = "USER#<id>",
    gsi1(as = by_email, pk = "EMAIL#<email>")
)]
#[serde(rename_all = "camelCase")]
struct User {
    id: String,
    #[serde(alias = "mail", alias = "e-mail")]
    email: String,
    #[serde(alias = "visits")]
    visit_count: u32,
    #[serde(alias = "memo")]
    note: Option<String>,
    #[serde(alias = "labels")]
    tags: Vec<String>,
    #[serde(alias = "details")]
    data: Data,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
struct Data {
    #[serde(alias = "town")]
    city: String,
}

#[derive(Debug, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = User)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Part {
    #[serde(alias = "visits")]
    visit_count: u32,
    #[dyna(nested)]
    #[serde(alias = "details")]
    data: City,
}

#[derive(Debug, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = Data)]
struct City {
    #[serde(alias = "town")]
    city: String,
}

/// An item as it was written when the fields had other names.
async fn stored(db: &Table<User>) -> User {
    let old = [
        ("pk", s("USER#ann")),
        ("gsi1pk", s("EMAIL#a@x")),
        ("id", s("ann")),
        ("e-mail", s("a@x")),
        ("visits", n(3)),
        ("memo", s("m")),
        ("labels", AttributeValue::L(vec![s("a")])),
        ("details", map([("town", s("Rome"))])),
    ];
    store(db, old).await;
    let read = User::get("ann").send(db).await.unwrap().unwrap();
    let expected = User {
        id: "ann".to_owned(),
        email: "a@x".to_owned(),
        visit_count: 3,
        note: Some("m".to_owned()),
        tags: vec!["a".to_owned()],
        data: Data {
            city: "Rome".to_owned(),
        },
    };
    assert_eq!(read, expected);
    expected
}

#[tokio::test]
async fn setting_a_field_removes_its_aliases() {
    let db = User::embedded().await.unwrap();
    let mut user = stored(&db).await;
    User::update("ann")
        .set(User::VISIT_COUNT, 4)
        .set(User::NOTE, None)
        .set(User::DATA, user.data.clone())
        .send(&db)
        .await
        .unwrap();
    let left = [
        "data",
        "e-mail",
        "gsi1pk",
        "id",
        "labels",
        "pk",
        "visitCount",
    ];
    assert_eq!(names(&raw(&db, "USER#ann").await), left);
    user.visit_count = 4;
    user.note = None;
    assert_eq!(User::get("ann").send(&db).await.unwrap(), Some(user));

    // The fields of an index, by their setter.
    let mut user = stored(&db).await;
    User::update("ann")
        .set_by_email("b@x")
        .send(&db)
        .await
        .unwrap();
    user.email = "b@x".to_owned();
    let item = raw(&db, "USER#ann").await;
    assert_eq!(
        (item.get("e-mail"), &item["gsi1pk"]),
        (None, &s("EMAIL#b@x"))
    );
    assert_eq!(User::get("ann").send(&db).await.unwrap(), Some(user));

    // An item that was loaded; and a removal.
    let mut user = stored(&db).await;
    User::update_loaded(&user)
        .set(User::EMAIL, "c@x")
        .remove(User::NOTE)
        .send(&db)
        .await
        .unwrap();
    user.email = "c@x".to_owned();
    user.note = None;
    let item = raw(&db, "USER#ann").await;
    assert_eq!(
        names(&item),
        ["details", "email", "gsi1pk", "id", "labels", "pk", "visits"]
    );
    assert_eq!(
        User::get("ann").send(&db).await.unwrap(),
        Some(user.clone())
    );

    // A nested field, once the struct has its own name.
    user.put().send(&db).await.unwrap();
    let mut old = raw(&db, "USER#ann").await;
    old.insert("data".to_owned(), map([("town", s("Rome"))]));
    store(&db, old.iter().map(|(k, v)| (k.as_str(), v.clone()))).await;
    User::update("ann")
        .set(User::DATA.field(Data::CITY), "Bari")
        .send(&db)
        .await
        .unwrap();
    let item = raw(&db, "USER#ann").await;
    assert_eq!(item["data"], map([("city", s("Bari"))]));
}

#[tokio::test]
async fn a_change_in_place_of_a_field_under_its_alias_is_refused() {
    let db = User::embedded().await.unwrap();
    stored(&db).await;
    let before = raw(&db, "USER#ann").await;
    let updates = [
        (
            User::update("ann").add(User::VISIT_COUNT, 1),
            "visitCount",
            "visits",
        ),
        (
            User::update("ann").subtract(User::VISIT_COUNT, 1),
            "visitCount",
            "visits",
        ),
        (
            User::update("ann").append(User::TAGS, ["b"]),
            "tags",
            "labels",
        ),
        (
            User::update("ann").prepend(User::TAGS, ["b"]),
            "tags",
            "labels",
        ),
        (
            User::update("ann").set_if_missing(User::NOTE, "x"),
            "note",
            "memo",
        ),
        (
            User::update("ann").set(User::DATA.field(Data::CITY), "x"),
            "data",
            "details",
        ),
        (
            User::update("ann").set(User::TAGS.index(0), "x"),
            "tags",
            "labels",
        ),
    ];
    for (update, field, alias) in updates {
        let error = update.send(&db).await.unwrap_err();
        assert!(matches!(error, Error::StoredOtherwise { .. }), "{error}");
        let expected = format!(
            "User: {field}: is stored under its alias `{alias}`, which this update would not change; set the whole field, or write the item with `put`"
        );
        assert_eq!(error.to_string(), expected);
    }
    assert_eq!(raw(&db, "USER#ann").await, before);
    // Under its own name it is found.
    let user = User::get("ann").send(&db).await.unwrap().unwrap();
    user.put().send(&db).await.unwrap();
    User::update("ann")
        .add(User::VISIT_COUNT, 1)
        .append(User::TAGS, ["b"])
        .send(&db)
        .await
        .unwrap();
    let read = User::get("ann").send(&db).await.unwrap().unwrap();
    assert_eq!((read.visit_count, read.tags.len()), (4, 2));
}

#[tokio::test]
async fn conditions_and_filters_hold_under_either_name() {
    let db = User::embedded().await.unwrap();
    let user = stored(&db).await;
    let new = User {
        id: "bob".to_owned(),
        ..user
    };
    new.put().send(&db).await.unwrap();
    let city = || User::DATA.field(Data::CITY);
    let cases: [(Condition<User>, bool); 18] = [
        (User::VISIT_COUNT.eq(3), true),
        (User::VISIT_COUNT.eq(4), false),
        (User::VISIT_COUNT.ne(3), false),
        (User::VISIT_COUNT.ne(4), true),
        (User::VISIT_COUNT.gt(2), true),
        (User::VISIT_COUNT.gt(2).not(), false),
        (User::VISIT_COUNT.between(1, 2), false),
        (User::VISIT_COUNT.is_in([3, 7]), true),
        (User::NOTE.exists(), true),
        (User::NOTE.missing(), false),
        (User::NOTE.eq(None), false),
        (User::NOTE.starts_with("m"), true),
        (User::TAGS.contains("a"), true),
        (User::TAGS.size().eq(1), true),
        (User::TAGS.size().ne(1), false),
        (city().eq("Rome"), true),
        (city().ne("Rome"), false),
        (User::NOTE.eq_field(User::EMAIL), false),
    ];
    for (condition, expected) in cases {
        let shown = format!("{condition:?}");
        let found = User::scan().filter(condition.clone()).all(&db).await;
        assert_eq!(
            found.unwrap().len(),
            if expected { 2 } else { 0 },
            "{shown}"
        );
        let write = User::update("ann").when(condition).send(&db).await;
        assert_eq!(write.is_ok(), expected, "{shown}");
    }
}

#[tokio::test]
async fn projection_requests_the_aliases() {
    let db = User::embedded().await.unwrap();
    stored(&db).await;
    let get = User::get("ann").project::<Part>();
    let expected = "visitCount, visits, #data.city, #data.town, details.city, details.town";
    let explain = get.explain();
    assert_eq!(explain.get("ProjectionExpression"), Some(expected));
    let part = Part {
        visit_count: 3,
        data: City {
            city: "Rome".to_owned(),
        },
    };
    assert_eq!(get.send(&db).await.unwrap(), Some(part));
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "docs", pk = "pk", ttl = "expires"), pk = "DOC#<id>")]
struct Doc {
    #[dyna(key_only)]
    #[serde(alias = "docId")]
    id: String,
    #[dyna(version)]
    #[serde(alias = "rev")]
    version: u64,
    #[dyna(unique)]
    #[serde(alias = "title")]
    name: String,
    #[dyna(ttl)]
    #[serde(alias = "until", rename = "expires")]
    expires: Option<u64>,
    #[dyna(updated_at)]
    #[serde(alias = "changed")]
    updated_at: Option<u64>,
}

#[tokio::test]
async fn managed_fields_are_found_under_their_aliases() {
    let db = Doc::embedded().await.unwrap();
    let old = [
        ("pk", s("DOC#1")),
        ("docId", s("1")),
        ("rev", n(7)),
        ("title", s("a")),
        ("until", n(99_999_999_999)),
        ("changed", n(1)),
    ];
    store(&db, old.clone()).await;
    let doc = Doc::get("1").send(&db).await.unwrap().unwrap();
    assert_eq!(
        (doc.id.as_str(), doc.version, doc.name.as_str()),
        ("1", 7, "a")
    );
    // The version cannot be counted on in place.
    let error = Doc::update_loaded(&doc)
        .set(Doc::EXPIRES, 5)
        .send(&db)
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("version: is stored under its alias `rev`"),
        "{error}"
    );

    // A stale version is still noticed.
    let stale = Doc {
        version: 6,
        ..doc.clone()
    };
    let error = Doc::delete_loaded(&stale).send(&db).await.unwrap_err();
    assert!(error.is_version_conflict(), "{error}");
    Doc::delete_loaded(&doc).send(&db).await.unwrap();
}
