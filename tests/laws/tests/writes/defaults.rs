//! Items that were written before a field with `#[serde(default)]` was added can be changed and deleted like others.

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaEntity, DynaFields, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "defaults",
    pk = "pk",
    tag = "kind",
    ttl = "ttl",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk")
)]
enum Board {
    Task(Task),
    Claim(Claim),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Board, pk = "TASK#<id>", gsi1(as = by_owner, pk = "OWNER#<owner>", sk = "<rank:05>#<plan.tier>"))]
struct Task {
    id: String,
    owner: String,
    #[serde(default)]
    rank: u32,
    #[serde(default)]
    plan: Plan,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
struct Plan {
    #[serde(default = "basic")]
    tier: String,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            tier: "free".to_owned(),
        }
    }
}

fn basic() -> String {
    "basic".to_owned()
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Board, pk = "CLAIM#<id>")]
struct Claim {
    id: String,
    #[serde(default = "unnamed")]
    #[dyna(unique)]
    name: String,
    #[serde(default)]
    #[dyna(ttl)]
    ttl: Option<i64>,
}

fn unnamed() -> String {
    "unnamed".to_owned()
}

fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

async fn store(db: &Table<Board>, item: &[(&str, AttributeValue)]) {
    let item = item.iter().map(|(k, v)| ((*k).to_owned(), v.clone()));
    let put = db.client().put_item().table_name(db.name().unwrap());
    put.set_item(Some(item.collect())).send().await.unwrap();
}

async fn old_task(extra: &[(&str, AttributeValue)]) -> (Table<Board>, Task) {
    let db = Board::embedded().await.unwrap();
    let mut item = vec![
        ("pk", s("TASK#a")),
        ("kind", s("Task")),
        ("id", s("a")),
        ("owner", s("ann")),
    ];
    item.extend(extra.iter().cloned());
    store(&db, &item).await;
    let task = Task::get("a").send(&db).await.unwrap().unwrap();
    (db, task)
}

async fn of_bob(db: &Table<Board>) -> Vec<Task> {
    Task::by_owner("bob").all(db).await.unwrap()
}

#[tokio::test]
async fn an_index_key_follows_an_item_that_lacks_a_defaulted_field() {
    let (db, task) = old_task(&[]).await;
    let update = Task::update_loaded(&task).set(Task::OWNER, "bob");
    update.send(&db).await.unwrap();
    let found = of_bob(&db).await;
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].rank, found[0].plan.tier.as_str()), (0, "free"));
}

#[tokio::test]
async fn a_defaulted_field_that_somebody_wrote_since_is_a_failed_condition() {
    let (db, task) = old_task(&[]).await;
    let update = Task::update_loaded(&task).set(Task::RANK, 7);
    update.send(&db).await.unwrap();
    let late = Task::update_loaded(&task).set(Task::OWNER, "bob").send(&db);
    assert!(late.await.unwrap_err().is_condition_failed());
    assert_eq!(of_bob(&db).await, []);
}

#[tokio::test]
async fn nested_default_that_depends_on_missing_fields_is_compared_exactly() {
    // Without the attribute the tier is `free`, without the entry `basic`: no condition on the entry tells the two apart.
    let plan = AttributeValue::M([("tier".to_owned(), s("free"))].into());
    let (db, task) = old_task(&[("plan", plan)]).await;
    let (name, empty) = (db.name().unwrap(), AttributeValue::M([].into()));
    let update = db.client().update_item().table_name(name);
    let update = update
        .key("pk", s("TASK#a"))
        .update_expression("SET #plan = :empty");
    let update = update.expression_attribute_names("#plan", "plan");
    let update = update.expression_attribute_values(":empty", empty);
    update.send().await.unwrap();
    let late = Task::update_loaded(&task).set(Task::OWNER, "bob").send(&db);
    assert!(late.await.unwrap_err().is_condition_failed());
}

async fn old_claim() -> (Table<Board>, Claim) {
    let db = Board::embedded().await.unwrap();
    let item = [("pk", s("CLAIM#a")), ("kind", s("Claim")), ("id", s("a"))];
    store(&db, &item).await;
    let claim = Claim::get("a").send(&db).await.unwrap().unwrap();
    (db, claim)
}

#[tokio::test]
async fn an_item_that_lacks_a_defaulted_unique_field_can_be_deleted() {
    let (db, claim) = old_claim().await;
    Claim::delete_loaded(&claim).send(&db).await.unwrap();
    assert_eq!(Claim::get("a").send(&db).await.unwrap(), None);
}

#[tokio::test]
async fn an_item_that_lacks_a_defaulted_unique_field_can_get_a_value() {
    let (db, claim) = old_claim().await;
    let update = Claim::update_loaded(&claim).set(Claim::NAME, "ann");
    update.send(&db).await.unwrap();
    let other = Claim {
        id: "b".to_owned(),
        name: "ann".to_owned(),
        ttl: None,
    };
    assert!(other.create().send(&db).await.unwrap_err().is_not_unique());
    let late = Claim::delete_loaded(&claim).send(&db).await;
    assert!(late.unwrap_err().is_condition_failed());
}

#[tokio::test]
async fn an_item_that_lacks_a_defaulted_unique_field_can_move() {
    let (db, claim) = old_claim().await;
    let moved = Claim {
        id: "b".to_owned(),
        ..claim.clone()
    };
    Claim::rekey_loaded(&claim, &moved).send(&db).await.unwrap();
    assert_eq!(Claim::get("b").send(&db).await.unwrap(), Some(moved));
}
