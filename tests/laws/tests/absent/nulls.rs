//! `nulls = "store"` on a table, an entity or a field.

use super::{map, n, names, null, raw, s, store};
use dyna_runtime::{DynaEntity, DynaFields, DynaTable, Error};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, DynaFields)]
struct Inner {
    a: Option<u8>,
}

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(
    name = "all",
    pk = "pk",
    ttl = "ttl",
    nulls = "store",
    index(by_owner, pk = "owner", sk = number("rank")),
    index(other, pk = "email")
)]
enum All {
    Item(Item),
}

/// In a table that stores NULL. Its fields are keys of an index that it uses, and of one that it does not.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = All, pk = "ITEM#<id>", by_owner(pk = "<owner>", sk = "<rank>"))]
struct Item {
    id: String,
    owner: Option<String>,
    rank: Option<u32>,
    email: Option<String>,
    note: Option<String>,
    inner: Inner,
    #[dyna(ttl)]
    ttl: Option<u64>,
}

#[tokio::test]
async fn a_table_stores_null_but_never_in_a_key() {
    let db = All::embedded().await.unwrap();
    let item = Item {
        id: "1".to_owned(),
        ..Item::default()
    };
    item.create().send(&db).await.unwrap();
    let stored = raw(&db, "ITEM#1").await;
    assert_eq!(names(&stored), ["id", "inner", "note", "pk"]);
    assert_eq!(
        (&stored["note"], &stored["inner"]),
        (&null(), &map([("a", null())]))
    );
    assert_eq!(Item::get("1").send(&db).await.unwrap(), Some(item.clone()));

    let full = Item {
        owner: Some("ann".to_owned()),
        rank: Some(1),
        email: Some("a@x".to_owned()),
        note: Some("x".to_owned()),
        inner: Inner { a: Some(1) },
        ttl: Some(99_999_999_999),
        ..item.clone()
    };
    full.put().send(&db).await.unwrap();
    Item::update("1")
        .set(Item::OWNER, None)
        .set(Item::RANK, None)
        .set(Item::EMAIL, None)
        .set(Item::NOTE, None)
        .set(Item::INNER.field(Inner::A), None)
        .set(Item::TTL, None)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(raw(&db, "ITEM#1").await, stored);
    // The whole of a nested struct is stored alike.
    Item::update("1")
        .set(Item::INNER, Inner::default())
        .send(&db)
        .await
        .unwrap();
    assert_eq!(raw(&db, "ITEM#1").await, stored);
    // To conditions it is absent.
    Item::update("1")
        .remove(Item::NOTE)
        .when(Item::NOTE.missing())
        .send(&db)
        .await
        .unwrap();
    assert_eq!(Item::get("1").send(&db).await.unwrap(), Some(item));
}

/// An entity that stores NULL; and one in which a field does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "whole", pk = "pk"), pk = "WHOLE#<id>", nulls = "store")]
struct Whole {
    id: String,
    note: Option<String>,
    inner: Inner,
    #[dyna(created_at)]
    created_at: Option<u64>,
    #[dyna(unique)]
    name: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "field", pk = "pk"), pk = "FIELD#<id>")]
struct Partly {
    id: String,
    note: Option<String>,
    inner: Inner,
    #[dyna(nulls = "store")]
    kept: Option<u8>,
    #[dyna(nulls = "store")]
    kept_inner: Inner,
}

#[tokio::test]
async fn an_entity_stores_null_in_all_of_its_fields() {
    let db = Whole::embedded().await.unwrap();
    let whole = |id: &str| Whole {
        id: id.to_owned(),
        note: None,
        inner: Inner { a: None },
        created_at: None,
        name: None,
    };
    // `None` is not unique.
    whole("1").create().send(&db).await.unwrap();
    whole("2").create().send(&db).await.unwrap();
    let stored = raw(&db, "WHOLE#1").await;
    assert_eq!(
        names(&stored),
        ["created_at", "id", "inner", "name", "note", "pk"]
    );
    assert_eq!(
        (&stored["name"], &stored["inner"]),
        (&null(), &map([("a", null())]))
    );
    let loaded = Whole::get("1").send(&db).await.unwrap().unwrap();
    Whole::update_loaded(&loaded)
        .set(Whole::NAME, "a")
        .send(&db)
        .await
        .unwrap();
    let named = Whole::get("1").send(&db).await.unwrap().unwrap();
    Whole::update_loaded(&named)
        .set(Whole::NAME, None)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(raw(&db, "WHOLE#1").await["name"], null());
    let other = Whole::get("2").send(&db).await.unwrap().unwrap();
    Whole::update_loaded(&other)
        .set(Whole::NAME, "a")
        .send(&db)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_field_stores_null_in_it_and_below_it() {
    let db = Partly::embedded().await.unwrap();
    let partly = Partly {
        id: "1".to_owned(),
        note: None,
        inner: Inner { a: None },
        kept: None,
        kept_inner: Inner { a: None },
    };
    partly.create().send(&db).await.unwrap();
    let stored = raw(&db, "FIELD#1").await;
    assert_eq!(names(&stored), ["id", "inner", "kept", "kept_inner", "pk"]);
    assert_eq!(stored["kept_inner"], map([("a", null())]));
    assert_eq!(stored["inner"], map([]));

    Partly::update("1")
        .set(Partly::KEPT, 1)
        .set(Partly::NOTE, "x")
        .send(&db)
        .await
        .unwrap();
    Partly::update("1")
        .set(Partly::KEPT, None)
        .set(Partly::NOTE, None)
        .set(Partly::KEPT_INNER.field(Inner::A), None)
        .set(Partly::INNER.field(Inner::A), None)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(raw(&db, "FIELD#1").await, stored);
    assert_eq!(Partly::get("1").send(&db).await.unwrap(), Some(partly));
}

#[tokio::test]
async fn in_place_change_of_null_fails() {
    let db = Partly::embedded().await.unwrap();
    let item = [
        ("pk", s("FIELD#1")),
        ("id", s("1")),
        ("note", null()),
        ("kept", null()),
        ("inner", map([])),
        ("kept_inner", map([("a", n(1))])),
    ];
    store(&db, item).await;
    let error = Partly::update("1")
        .set_if_missing(Partly::NOTE, "x")
        .send(&db)
        .await
        .unwrap_err();
    assert!(matches!(error, Error::StoredOtherwise { .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "Partly: note: is stored as NULL, which an update cannot replace in place: set the field to a value"
    );
    // Where there is nothing, it is set; where there is a value, it stays.
    Partly::update("1")
        .set_if_missing(Partly::INNER.field(Inner::A), 7)
        .set_if_missing(Partly::KEPT_INNER.field(Inner::A), 7)
        .send(&db)
        .await
        .unwrap();
    let stored = raw(&db, "FIELD#1").await;
    assert_eq!(
        (&stored["inner"], &stored["kept_inner"]),
        (&map([("a", n(7))]), &map([("a", n(1))]))
    );
    // DynamoDB itself refuses to add to NULL, and writes nothing.
    assert!(
        Partly::update("1")
            .add(Partly::KEPT, 1)
            .send(&db)
            .await
            .is_err()
    );
    assert_eq!(raw(&db, "FIELD#1").await, stored);
}
