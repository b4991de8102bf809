//! What may be given for a text field of a key: every owner of text, and references to it.

use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

macro_rules! entities {
    ($($name:ident: $text:ty;)*) => {$(
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
        #[dyna(
            table(
                name = "notes",
                pk = "pk",
                sk = "sk",
                index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
                index(gsi2, pk = "gsi2pk"),
            ),
            pk = "OWNER#<owner>",
            sk = "NOTE#<id>",
            gsi1(as = by_topic, pk = "TOPIC#<topic>", sk = "NOTE#<id>"),
            gsi2(as = by_mail, pk = "MAIL#<mail|lower>"),
        )]
        struct $name {
            owner: $text,
            id: $text,
            topic: Option<$text>,
            mail: $text,
        }
    )*};
}

entities! {
    Owned: String;
    Boxed: Box<str>;
    Borrowed: Cow<'static, str>;
}

fn lent<T: ?Sized>(text: &T) -> &T {
    text
}

/// Every way to ask, with one kind of argument.
macro_rules! ask {
    ($entity:ident, $db:expr, $note:expr, $given:expr) => {{
        let (db, note) = ($db, $note);
        let given = $given;
        assert_eq!(
            $entity::get(given("ann"), given("n1"))
                .send(db)
                .await
                .unwrap(),
            Some(note.clone())
        );
        assert_eq!(
            $entity::query(given("ann"))
                .id(given("n1"))
                .all(db)
                .await
                .unwrap(),
            std::slice::from_ref(note)
        );
        assert_eq!(
            $entity::query(given("ann"))
                .id_range(given("n0")..)
                .all(db)
                .await
                .unwrap(),
            std::slice::from_ref(note)
        );
        assert_eq!(
            $entity::query(given("ann"))
                .id_starts_with(given("n"))
                .all(db)
                .await
                .unwrap(),
            std::slice::from_ref(note)
        );
        assert_eq!(
            $entity::by_topic(given("rust")).all(db).await.unwrap(),
            std::slice::from_ref(note)
        );
        assert_eq!(
            $entity::by_mail(given("Ann@x")).all(db).await.unwrap(),
            std::slice::from_ref(note)
        );
        let key = $entity::key(given("ann"), given("n1"));
        assert_eq!(key, $entity::key("ann", "n1"));
    }};
}

macro_rules! asked_with_every_argument {
    ($($entity:ident $test:ident;)*) => {$(
        #[tokio::test]
        async fn $test() {
            let db = &$entity::embedded().await.unwrap();
            let note = &$entity {
                owner: "ann".into(),
                id: "n1".into(),
                topic: Some("rust".into()),
                mail: "ann@x".into(),
            };
            note.create().send(db).await.unwrap();
            ask!($entity, db, note, |text: &'static str| text);
            ask!($entity, db, note, |text: &'static str| -> &'static &'static str { Box::leak(Box::new(text)) });
            ask!($entity, db, note, |text: &'static str| String::from(text));
            ask!($entity, db, note, |text: &'static str| -> &'static String { Box::leak(Box::new(String::from(text))) });
            ask!($entity, db, note, |text: &'static str| Box::<str>::from(text));
            ask!($entity, db, note, |text: &'static str| -> &'static Box<str> { Box::leak(Box::new(text.into())) });
            ask!($entity, db, note, |text: &'static str| Arc::<str>::from(text));
            ask!($entity, db, note, |text: &'static str| -> &'static Arc<str> { Box::leak(Box::new(text.into())) });
            ask!($entity, db, note, |text: &'static str| Cow::Borrowed(lent(text)));
            ask!($entity, db, note, |text: &'static str| Cow::<'static, str>::Owned(text.to_owned()));
            ask!($entity, db, note, |text: &'static str| -> &'static Cow<'static, str> { Box::leak(Box::new(text.into())) });
        }
    )*};
}

asked_with_every_argument! {
    Owned a_string_field_takes_every_text;
    Boxed a_boxed_str_field_takes_every_text;
    Borrowed a_cow_field_takes_every_text;
}

/// What `iter().filter(..)` and nested loops yield.
#[tokio::test]
async fn references_to_references_are_taken() {
    let db = Owned::embedded().await.unwrap();
    let (ann, ids) = (String::from("ann"), ["n1"]);
    let names = [&ann];
    for name in &names {
        for id in &ids {
            assert_eq!(Owned::get(name, id).send(&db).await.unwrap(), None);
        }
    }
}

/// A `Cow` that borrows from what is shorter than the program.
#[tokio::test]
async fn a_cow_may_borrow() {
    let db = Owned::embedded().await.unwrap();
    let name = String::from("ann");
    let borrowed = String::from_utf8_lossy(name.as_bytes());
    assert_eq!(Owned::get(&borrowed, "n1").send(&db).await.unwrap(), None);
    assert_eq!(Owned::get(borrowed, "n1").send(&db).await.unwrap(), None);
}
