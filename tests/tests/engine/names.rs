//! The name of a table and its variables.

use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaEntity, DynaTable, Error};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "{app}-{stage}-notes-{stage}", pk = "pk", sk = "sk"),
    pk = "N#<id>",
    sk = "<x>"
)]
struct Note {
    id: String,
    x: String,
}

fn note() -> Note {
    Note {
        id: "a".to_owned(),
        x: "b".to_owned(),
    }
}

#[tokio::test]
async fn variables_are_given_when_the_table_is_opened() {
    let engine = Embedded::in_memory().unwrap();
    let open = |stage| {
        Note::open(engine.client())
            .with_variable("stage", stage)
            .with_variable("app", "dyna")
    };
    let (prod, test) = (open("prod"), open("test"));
    assert_eq!(prod.name().unwrap(), "dyna-prod-notes-prod");
    prod.create_table().await.unwrap();
    test.create_table().await.unwrap();
    note().create().send(&prod).await.unwrap();
    assert_eq!(Note::get("a", "b").send(&prod).await.unwrap(), Some(note()));
    assert_eq!(Note::get("a", "b").send(&test).await.unwrap(), None);
    assert_eq!(Note::query("a").all(&test.clone()).await.unwrap(), []);
}

/// All requests of a table whose name is not known fail, and none is made.
#[tokio::test]
async fn a_name_that_is_not_complete_makes_no_request() {
    let engine = Embedded::in_memory().unwrap();
    let tables = [
        (
            Note::open(engine.client()).with_variable("app", "a"),
            "the variable `{stage}` has no value",
        ),
        (
            Note::open(engine.client()).with_variable("stage", "a"),
            "the variable `{app}` has no value",
        ),
        (
            Note::open(engine.client())
                .with_variable("app", "a")
                .with_variable("stage", "s")
                .with_variable("stge", "s"),
            "its name has no variable `{stge}`",
        ),
    ];
    for (db, problem) in tables {
        let errors = [
            note().put().send(&db).await.unwrap_err(),
            note().create().send(&db).await.unwrap_err(),
            Note::get("a", "b").send(&db).await.unwrap_err(),
            Note::delete("a", "b").send(&db).await.unwrap_err(),
            Note::query("a").send(&db).await.unwrap_err(),
            Note::query("a").all(&db).await.unwrap_err(),
            Note::query("a").one(&db).await.unwrap_err(),
            Note::query("a").first(&db).await.unwrap_err(),
            db.create_table().await.unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(
                &error,
                Error::TableName {
                    name: "{app}-{stage}-notes-{stage}",
                    ..
                }
            ));
            assert!(error.to_string().contains(problem), "{error}");
        }
    }
    assert_eq!(engine.requests(), 0);
}

#[tokio::test]
async fn the_embedded_table_has_a_value_for_every_variable() {
    let db = Note::embedded().await.unwrap();
    assert_eq!(db.name().unwrap(), "embedded-embedded-notes-embedded");
    note().create().send(&db).await.unwrap();
}

#[tokio::test]
async fn missing_table_is_reported() {
    let engine = Embedded::in_memory().unwrap();
    let db = Note::open(engine.client())
        .with_variable("app", "a")
        .with_variable("stage", "s");
    let error = Note::get("a", "b").send(&db).await.unwrap_err();
    assert!(error.is_table_not_found());
    assert!(
        error
            .to_string()
            .starts_with("GetItem on table `a-s-notes-s`: ResourceNotFoundException")
    );
}
