//! `verify` is an error, `differences` is data.

use super::server::{Reply, Server};
use dyna_runtime::embedded::Embedded;
use dyna_runtime::schema::{Difference, DifferenceKind};
use dyna_runtime::{DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "orders",
        pk = "id",
        billing = provisioned(read = 4, write = 3),
        index(by_owner, pk = "owner"),
    ),
    pk = "<id>",
    by_owner(pk = "<owner>")
)]
struct Order {
    id: String,
    owner: String,
}

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "orders", pk = "id"), pk = "<id>")]
struct OnDemand {
    id: String,
}

/// As a newer version of the program declares it.
#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "orders", pk = "id", index(by_owner, pk = "owner")),
    pk = "<id>",
    by_owner(pk = "<owner>")
)]
struct Newer {
    id: String,
    owner: String,
}

#[tokio::test]
async fn verify_fails_if_there_is_no_table() {
    let engine = Embedded::in_memory().unwrap();
    let db = OnDemand::open(engine.client());
    let error = db.verify().await.unwrap_err();
    assert!(matches!(error, Error::SchemaMismatch { .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "table `orders` is not as declared:\n  table: declared partition id (S), not there"
    );
    let found = db.differences().await.unwrap();
    assert_eq!(found.iter().next().unwrap().kind, DifferenceKind::Table);
}

#[tokio::test]
async fn verify_succeeds_if_the_table_is_as_declared() {
    let db = Order::embedded().await.unwrap();
    db.verify().await.unwrap();
    assert!(db.differences().await.unwrap().is_empty());
}

fn scaled() -> Server {
    let engine = Embedded::in_memory().unwrap();
    Server::new(&engine, |operation, _| match operation {
        "DescribeTable" => Reply::Changed(|described| {
            // A table that is not there yet has nothing to change.
            if let Some(table) = described.get_mut("Table") {
                let faster = json!({"ReadCapacityUnits": 40, "WriteCapacityUnits": 3});
                table["ProvisionedThroughput"] = faster.clone();
                table["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"] = faster;
            }
        }),
        _ => Reply::Engine,
    })
}

#[tokio::test]
async fn capacity_that_autoscaling_changed_stops_neither_verify_nor_create_table() {
    let db = Order::open(scaled().client());
    db.create_table().await.unwrap();
    db.create_table().await.unwrap();
    db.verify().await.unwrap();
    let found = db.differences().await.unwrap();
    let whats: Vec<_> = found.iter().map(|difference| &difference.kind).collect();
    let index = DifferenceKind::IndexThroughput("by_owner".to_owned());
    assert_eq!(whats, [&index, &DifferenceKind::Throughput]);
    assert!(found.iter().all(Difference::is_tolerated));
    assert!(found.breaking().is_empty());
}

/// While it is deployed, two versions of a program run, and the older one must start.
#[tokio::test]
async fn an_index_of_a_newer_version_stops_neither_verify_nor_create_table() {
    let engine = Embedded::in_memory().unwrap();
    Table::<Newer>::embedded_in(&engine).await.unwrap();
    let db = OnDemand::open(engine.client());
    db.create_table().await.unwrap();
    db.verify().await.unwrap();
    assert_eq!(db.differences().await.unwrap().iter().count(), 1);
}

#[tokio::test]
async fn another_billing_mode_is_an_error() {
    let engine = Embedded::in_memory().unwrap();
    Table::<Newer>::embedded_in(&engine).await.unwrap();
    let error = Order::open(engine.client()).verify().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "table `orders` is not as declared:\n  \
         billing: declared 4 read and 3 write units, found on demand"
    );
}
