//! `when = ..`: an item is in an index if a field or a function says so.

use super::{stored, text};
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "tasks",
    pk = "pk",
    sk = "sk",
    tag = "kind",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(gsi2, pk = "gsi2pk")
)]
enum Work {
    Task(Task),
    Bug(Bug),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Work,
    pk = "TASK#<id>",
    sk = "TASK",
    gsi1(as = open, pk = "OPEN#<team>", sk = "<id>", when = is_open),
)]
struct Task {
    id: String,
    team: String,
    is_open: bool,
    title: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Work,
    pk = "BUG#<id>",
    sk = "BUG",
    gsi2(as = urgent, pk = "URGENT#<team>", when = Self::is_urgent),
)]
struct Bug {
    id: String,
    team: String,
    severity: u8,
    fixed: Option<String>,
}

impl Bug {
    fn is_urgent(&self) -> bool {
        self.severity > 5 && self.fixed.is_none()
    }
}

fn task(id: &str, is_open: bool) -> Task {
    Task {
        id: id.to_owned(),
        team: "a".to_owned(),
        is_open,
        title: String::new(),
    }
}

#[tokio::test]
async fn an_item_is_in_the_index_only_when_its_field_says_so() {
    let db = Work::embedded().await.unwrap();
    let (open, done) = (task("1", true), task("2", false));
    open.create().send(&db).await.unwrap();
    done.create().send(&db).await.unwrap();
    assert_eq!(
        Task::open("a").all(&db).await.unwrap(),
        std::slice::from_ref(&open)
    );
    let update = Task::update("2").set_open("a", true).set(Task::TITLE, "x");
    update.send(&db).await.unwrap();
    let update = Task::update_loaded(&open).set(Task::IS_OPEN, false);
    update.send(&db).await.unwrap();
    let ids = Task::open("a").all(&db).await.unwrap();
    assert_eq!(
        ids.iter().map(|task| task.id.as_str()).collect::<Vec<_>>(),
        ["2"]
    );
    let [closed, opened] = &stored(&db).await[..] else {
        panic!("two items")
    };
    assert_eq!(text(closed, "gsi1pk"), None);
    assert_eq!(text(closed, "gsi1sk"), None);
    assert_eq!(text(opened, "gsi1pk"), Some("OPEN#a"));
    let upsert = Task::upsert("3").set_open("b", false).set(Task::TITLE, "y");
    upsert.send(&db).await.unwrap();
    assert!(Task::open("b").all(&db).await.unwrap().is_empty());
    Task::scan().all(&db.clone().check_keys()).await.unwrap();
}

#[tokio::test]
async fn changing_a_when_field_fails_if_a_key_field_changed() {
    let db = Work::embedded().await.unwrap();
    let loaded = task("1", false);
    loaded.create().send(&db).await.unwrap();
    let other = Task::update("1").set_open("b", false);
    other.send(&db).await.unwrap();
    let update = Task::update_loaded(&loaded).set(Task::IS_OPEN, true);
    assert!(update.send(&db).await.unwrap_err().is_condition_failed());
}

#[tokio::test]
async fn a_function_of_the_entity_decides_by_all_fields() {
    let db = Work::embedded().await.unwrap();
    let bug = Bug {
        id: "1".to_owned(),
        team: "a".to_owned(),
        severity: 9,
        fixed: None,
    };
    bug.create().send(&db).await.unwrap();
    assert_eq!(
        Bug::urgent("a").all(&db).await.unwrap(),
        std::slice::from_ref(&bug)
    );
    let update = Bug::update_loaded(&bug).set(Bug::FIXED, Some("v2".to_owned()));
    let fixed = update.returning_new().send(&db).await.unwrap();
    assert!(Bug::urgent("a").all(&db).await.unwrap().is_empty());
    // What was loaded before knows another value of what decides.
    let stale = Bug::update_loaded(&bug).set(Bug::SEVERITY, 8);
    assert!(stale.send(&db).await.unwrap_err().is_condition_failed());
    let update = Bug::update_loaded(&fixed).set(Bug::FIXED, None);
    update.send(&db).await.unwrap();
    assert_eq!(Bug::urgent("a").count(&db).await.unwrap(), 1);
    Bug::scan().all(&db.clone().check_keys()).await.unwrap();
}
