//! Functions of templates that take several fields, and that leave items out of an index.

use super::{stored, text};
use dyna_runtime::key::KeyErrorKind;
use dyna_runtime::{DynaEntity, DynaTable, Error, KeyPart};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
enum Status {
    Open,
    Closed,
    Draft,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "issues",
        pk = "pk",
        sk = "sk",
        index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
        index(gsi2, pk = "gsi2pk", sk = "gsi2sk")
    ),
    pk = "REPO#<repo>",
    sk = "ISSUE#<number:05>",
    gsi1(as = by_status, pk = "REPO#<repo>", sk = "ISSUE#<(status, number)|self::issue_sort>"),
    gsi2(as = labelled, pk = "LABEL#<label|self::public>", sk = "<repo>#<number:05>"),
)]
struct Issue {
    repo: String,
    number: u32,
    status: Status,
    label: String,
}

/// Open ones first, the newest of them first; drafts are nowhere.
fn issue_sort(status: &Status, number: &u32) -> Option<String> {
    match status {
        Status::Open => Some(format!("OPEN-{:05}", 99_999 - number)),
        Status::Closed => Some(format!("SHUT-{number:05}")),
        Status::Draft => None,
    }
}

/// Labels that begin with `_` are nobody's business.
fn public(label: &String) -> Option<String> {
    (!label.starts_with('_')).then(|| label.to_uppercase())
}

fn issue(number: u32, status: Status, label: &str) -> Issue {
    Issue {
        repo: "r".to_owned(),
        number,
        status,
        label: label.to_owned(),
    }
}

fn numbers(issues: &[Issue]) -> Vec<u32> {
    issues.iter().map(|issue| issue.number).collect()
}

#[tokio::test]
async fn a_function_of_several_fields_makes_a_key_or_none() {
    let db = Issue::embedded().await.unwrap();
    let all = [
        issue(1, Status::Open, "a"),
        issue(2, Status::Open, "_b"),
        issue(3, Status::Closed, "a"),
        issue(4, Status::Draft, "c"),
    ];
    for issue in &all {
        issue.create().send(&db).await.unwrap();
    }
    let of = || Issue::by_status("r");
    assert_eq!(numbers(&of().all(&db).await.unwrap()), [2, 1, 3]);
    let open = of().issue_sort_starts_with("OPEN-");
    assert_eq!(numbers(&open.all(&db).await.unwrap()), [2, 1]);
    let closed = of().issue_sort_range("SHUT-"..);
    assert_eq!(numbers(&closed.all(&db).await.unwrap()), [3]);
    let sort = issue_sort(&Status::Closed, &3).unwrap();
    let one = of().issue_sort(sort);
    assert_eq!(numbers(&one.all(&db).await.unwrap()), [3]);
    let labelled = Issue::labelled("a".to_owned()).all(&db).await.unwrap();
    assert_eq!(numbers(&labelled), [1, 3]);
    Issue::scan().all(&db.clone().check_keys()).await.unwrap();
}

#[tokio::test]
async fn query_by_a_value_without_index_entry_fails() {
    let db = Issue::embedded().await.unwrap();
    let error = Issue::labelled("_b").all(&db).await.unwrap_err();
    let Error::Key(key) = &error else {
        panic!("{error}")
    };
    assert_eq!(key.kind(), KeyErrorKind::NotIndexed);
    assert_eq!(key.field(), "label");
    let error = Issue::by_status("r").issue_sort("a#b").all(&db).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("`issue_sort(status, number)`"), "{error}");
}

#[tokio::test]
async fn keys_of_functions_follow_their_fields() {
    let db = Issue::embedded().await.unwrap();
    let loaded = issue(1, Status::Open, "a");
    loaded.create().send(&db).await.unwrap();
    let update = Issue::update_loaded(&loaded).set(Issue::STATUS, Status::Closed);
    let closed = update.returning_new().send(&db).await.unwrap();
    let key = |name: &'static str| {
        let db = &db;
        async move {
            let items = stored(db).await;
            text(&items[0], name).map(str::to_owned)
        }
    };
    assert_eq!(key("gsi1sk").await.as_deref(), Some("ISSUE#SHUT-00001"));
    // The number is in the primary key, which gives it back.
    let update = Issue::update("r", 1).set_by_status(Status::Draft);
    update.send(&db).await.unwrap();
    assert_eq!(key("gsi1sk").await, None);
    assert_eq!(key("gsi1pk").await, None);
    let stale = Issue::update_loaded(&closed).set(Issue::LABEL, "_x");
    stale.send(&db).await.unwrap();
    assert_eq!(key("gsi2pk").await, None);
    let update = Issue::update("r", 1).set_labelled("y");
    update.send(&db).await.unwrap();
    assert_eq!(key("gsi2pk").await.as_deref(), Some("LABEL#Y"));
    let upsert = Issue::upsert("r", 2)
        .set_by_status(Status::Open)
        .set_labelled("_z");
    upsert.send(&db).await.unwrap();
    let new = Issue::get("r", 2).send(&db).await.unwrap().unwrap();
    assert_eq!(new, issue(2, Status::Open, "_z"));
}
