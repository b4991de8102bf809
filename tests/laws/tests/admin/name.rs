//! The name of a table, and the values of its variables.

use aws_sdk_dynamodb::Client;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "{app}-{stage}", pk = "pk"), pk = "NOTE#<id>")]
struct Note {
    id: String,
}

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "{name}", pk = "pk"), pk = "NOTE#<id>")]
struct Bare {
    id: String,
}

fn client() -> (Embedded, Client) {
    let engine = Embedded::in_memory().unwrap();
    let client = engine.client();
    (engine, client)
}

fn problem<T: DynaTable>(db: &Table<T>) -> String {
    let error = db.name().unwrap_err();
    assert!(matches!(error, Error::TableName { .. }), "{error}");
    error.to_string()
}

#[tokio::test]
async fn a_value_of_a_variable_is_not_a_variable() {
    let (engine, client) = client();
    let db = Note::open(client)
        .with_variable("app", "{stage}")
        .with_variable("stage", "x");
    assert_eq!(
        problem(&db),
        "table `{app}-{stage}`: the value of `{app}` contains '{', and a table name has only letters, digits, `_`, `-` and `.`"
    );
    let error = Note::get("n1").send(&db).await.unwrap_err();
    assert!(matches!(error, Error::TableName { .. }), "{error}");
    assert_eq!(engine.requests(), 0);
}

#[test]
fn a_value_that_no_table_name_can_have_is_refused() {
    for (value, said) in [
        ("", "the value of `{stage}` is empty"),
        (
            "a b",
            "the value of `{stage}` contains ' ', and a table name has only letters, digits, `_`, `-` and `.`",
        ),
        (
            "ä",
            "the value of `{stage}` contains 'ä', and a table name has only letters, digits, `_`, `-` and `.`",
        ),
        (
            "a/b",
            "the value of `{stage}` contains '/', and a table name has only letters, digits, `_`, `-` and `.`",
        ),
        (
            "a\n",
            "the value of `{stage}` contains '\\n', and a table name has only letters, digits, `_`, `-` and `.`",
        ),
    ] {
        let db = Note::open(client().1)
            .with_variable("app", "a")
            .with_variable("stage", value);
        assert_eq!(problem(&db), format!("table `{{app}}-{{stage}}`: {said}"));
    }
}

#[test]
fn a_name_of_fewer_than_3_or_more_than_255_characters_is_refused() {
    for (length, fits) in [(1, false), (2, false), (3, true), (255, true), (256, false)] {
        let db = Bare::open(client().1).with_variable("name", &"x".repeat(length));
        if fits {
            assert_eq!(db.name().unwrap().len(), length);
        } else {
            let said = format!("the name has {length} characters, and DynamoDB allows 3 to 255");
            assert_eq!(problem(&db), format!("table `{{name}}`: {said}"));
        }
    }
}

#[test]
fn the_first_problem_is_reported() {
    let db = Note::open(client().1)
        .with_variable("app", "")
        .with_variable("nothing", "x");
    assert!(problem(&db).ends_with("the value of `{app}` is empty"));
}
