//! `E::raw_key(pk, sk)`: keys as they are stored reach items that no template makes, and no items of others.

use aws_sdk_dynamodb::types::AttributeValue::{self, B, N, S};
use dyna_runtime::error::{KeyErrorKind, Unmet};
use dyna_runtime::{
    ConditionCheck, Delete, DynaEntity, DynaTable, Error, Get, Rekey, Table, Update,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "notes",
    pk = "pk",
    sk = "sk",
    tag = "type",
    index(gsi1, pk = "gsi1pk", sk = "sk")
)]
enum Notes {
    Note(Note),
    User(User),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Notes, pk = "USER#<user>", sk = "NOTE#<n:04>",
    gsi1(as = by_topic, pk = "TOPIC#<topic>", sk = "NOTE#<n:04>"),
)]
struct Note {
    user: String,
    n: u16,
    topic: String,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Notes, pk = "USER#<user>", sk = "@")]
struct User {
    user: String,
}

fn note() -> Note {
    Note {
        user: "ann#admin".to_owned(),
        n: 7,
        topic: "t".to_owned(),
        text: "old".to_owned(),
    }
}

/// An older program has written a user with '#' in the name, with a tag or without one.
async fn legacy(tag: Option<&str>) -> Table<Notes> {
    let db = Notes::embedded().await.unwrap();
    let put = db.client().put_item().table_name("notes");
    let put = put.item("pk", S("USER#ann#admin".to_owned()));
    let put = put.item("sk", S("NOTE#0007".to_owned()));
    let put = put.item("user", S("ann#admin".to_owned()));
    let put = put.item("n", N("7".to_owned()));
    let put = put.item("topic", S("t".to_owned()));
    let put = put.item("text", S("old".to_owned()));
    let put = match tag {
        Some(tag) => put.item("type", S(tag.to_owned())),
        None => put,
    };
    put.send().await.unwrap();
    db
}

fn key() -> dyna_runtime::Key<Note> {
    Note::raw_key("USER#ann#admin", "NOTE#0007")
}

#[tokio::test]
async fn legacy_item_is_read_changed_and_deleted_by_its_stored_key() {
    for tag in [Some("Note"), None] {
        let db = legacy(tag).await;
        assert!(Note::key("ann#admin", 7).check().is_err());
        assert_eq!(Get::new(key()).send(&db).await.unwrap(), Some(note()));
        let batch = db.batch_get([key()]).await.unwrap();
        assert_eq!(batch.items, [Some(note())]);
        let (read,) = db.transact_get((key(),)).await.unwrap();
        assert_eq!(read, Some(note()));
        let update = Update::new(key()).set(Note::TEXT, "new");
        let new = update.returning_new().send(&db).await.unwrap();
        assert_eq!(new.text, "new");
        let update = Update::new(key()).set(Note::TEXT, "newer");
        let check = ConditionCheck::new(Note::key("ann", 1)).missing();
        db.transact()
            .update(update)
            .check(check)
            .send()
            .await
            .unwrap();
        let old = Delete::new(key()).returning_old().send(&db).await.unwrap();
        assert_eq!(old.unwrap().text, "newer");
        assert_eq!(Get::new(key()).send(&db).await.unwrap(), None);
    }
}

#[tokio::test]
async fn legacy_item_moves_to_the_key_that_its_fields_make() {
    let db = legacy(Some("Note")).await;
    let to = Note {
        user: "ann.admin".to_owned(),
        ..note()
    };
    Rekey::new(key(), &to).send(&db).await.unwrap();
    assert_eq!(Note::query("ann.admin").all(&db).await.unwrap(), [to]);
    assert_eq!(Get::new(key()).send(&db).await.unwrap(), None);
}

#[tokio::test]
async fn raw_key_of_another_entity_does_not_read_its_item() {
    let db = legacy(Some("Note")).await;
    let user = User {
        user: "bob".to_owned(),
    };
    user.create().send(&db).await.unwrap();
    let bob = || Note::raw_key("USER#bob", "@");
    assert_eq!(Get::new(bob()).send(&db).await.unwrap(), None);
    let errors = [
        Update::new(bob())
            .set(Note::TEXT, "x")
            .send(&db)
            .await
            .unwrap_err(),
        Delete::new(bob()).send(&db).await.unwrap_err(),
    ];
    for error in errors {
        let unmet = match &error {
            Error::ConditionFailed { unmet, .. } => *unmet,
            error => panic!("{error:?}"),
        };
        assert_eq!(unmet, Unmet::OtherEntity);
    }
    let both = db.transact().delete(Delete::new(bob())).send().await;
    assert!(both.unwrap_err().is_condition_failed());
    let moved = Rekey::new(
        bob(),
        &Note {
            user: "x".to_owned(),
            ..note()
        },
    )
    .send(&db)
    .await;
    assert!(moved.unwrap_err().is_condition_failed());
    assert_eq!(User::get("bob").send(&db).await.unwrap(), Some(user));
}

/// DynamoDB checks no conditions there, or the item would be a misfit.
#[tokio::test]
async fn stored_key_that_no_template_makes_is_refused_in_batches_and_upserts() {
    let db = legacy(Some("Note")).await;
    let mismatch = |error: Error| match error {
        Error::Key(error) => assert_eq!(error.kind(), KeyErrorKind::TemplateMismatch),
        error => panic!("{error:?}"),
    };
    mismatch(db.batch_write().delete(key()).send().await.unwrap_err());
    let upsert = Update::upsert(key()).set_by_topic("t").set(Note::TEXT, "x");
    mismatch(upsert.send(&db).await.unwrap_err());
    // A stored key that a template makes is like any other.
    let mut own = note();
    own.user = "ann".to_owned();
    own.create().send(&db).await.unwrap();
    let left = db
        .batch_write()
        .delete(Note::raw_key("USER#ann", "NOTE#0007"))
        .send()
        .await;
    assert!(left.unwrap().is_empty());
    assert_eq!(Note::get("ann", 7).send(&db).await.unwrap(), None);
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "numbers", pk = number("n"), sk = binary("b")), pk = "<n>", sk = "<b>")]
struct Native {
    n: u32,
    #[serde(with = "serde_bytes")]
    b: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "alone", pk = "pk"), pk = "A#<id>")]
struct Alone {
    id: String,
}

#[tokio::test]
async fn stored_keys_are_text_numbers_and_bytes() {
    let db = Native::embedded().await.unwrap();
    let native = Native {
        n: 7,
        b: vec![1, 2],
    };
    native.put().send(&db).await.unwrap();
    for key in [
        Native::raw_key(7_u32, vec![1_u8, 2]),
        Native::raw_key(7_i64, [1_u8, 2].as_slice()),
        Native::raw_key(N("7".to_owned()), B(vec![1, 2].into())),
    ] {
        assert_eq!(Get::new(key).send(&db).await.unwrap(), Some(native.clone()));
    }
    let db = Alone::embedded().await.unwrap();
    let alone = Alone { id: "x".to_owned() };
    alone.put().send(&db).await.unwrap();
    let found = Get::new(Alone::raw_key("A#x", ())).send(&db).await.unwrap();
    assert_eq!(found, Some(alone));
}

#[test]
fn stored_keys_are_held_to_the_key_schema() {
    let kind = |key: dyna_runtime::Key<Native>| key.check().unwrap_err().kind();
    let bytes = || B(vec![1].into());
    let wrong = |value: AttributeValue| kind(Native::raw_key(value, bytes()));
    assert!(matches!(
        wrong(S("7".to_owned())),
        KeyErrorKind::WrongType { .. }
    ));
    assert!(matches!(
        wrong(N("x".to_owned())),
        KeyErrorKind::WrongType { .. }
    ));
    assert!(matches!(
        wrong(AttributeValue::Null(true)),
        KeyErrorKind::WrongType { .. }
    ));
    assert_eq!(kind(Native::raw_key(1_u8, Vec::new())), KeyErrorKind::Empty);
    let long = kind(Native::raw_key(1_u8, vec![0; 1025]));
    assert_eq!(
        long,
        KeyErrorKind::TooLong {
            length: 1025,
            max: 1024
        }
    );
    let error = Note::raw_key("", "x").check().unwrap_err();
    assert_eq!(error.to_string(), "Note: key field `pk` is empty");
    assert_eq!(format!("{:?}", key()), "Key(Note)");
}
