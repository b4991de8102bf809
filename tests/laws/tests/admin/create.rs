//! `create_table` and `enable_missing_settings`: what they change, and when.

use super::server::{Reply, Server};
use aws_sdk_dynamodb::Client;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "notes",
        pk = "id",
        ttl = "goneAt",
        index(by_owner, pk = "owner")
    ),
    pk = "<id>",
    by_owner(pk = "<owner>")
)]
struct Note {
    id: String,
    owner: String,
}

/// Another table of the same name: with another key.
#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "notes", pk = "pk", sk = "sk"), pk = "A#<id>", sk = "B")]
struct Foreign {
    id: String,
}

/// What is left when a process dies between `CreateTable` and `UpdateTimeToLive`.
#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "notes", pk = "id", index(by_owner, pk = "owner")),
    pk = "<id>",
    by_owner(pk = "<owner>")
)]
struct WithoutTtl {
    id: String,
    owner: String,
}

/// With the same key and another index.
#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "notes", pk = "id"), pk = "<id>")]
struct WithoutIndex {
    id: String,
}

/// Everything that DynamoDB says of the table: its description and its expiry.
async fn state(client: &Client) -> String {
    let table = client.describe_table().table_name("notes").send();
    let ttl = client.describe_time_to_live().table_name("notes").send();
    let (table, ttl) = (table.await.unwrap(), ttl.await.unwrap());
    format!("{:?}\n{:?}", table.table, ttl.time_to_live_description)
}

fn differs<T: std::fmt::Debug>(result: dyna_runtime::Result<T>) -> String {
    let error = result.unwrap_err();
    assert!(matches!(error, Error::SchemaMismatch { .. }), "{error}");
    error.to_string()
}

#[tokio::test]
async fn create_table_leaves_a_foreign_table_as_it_is() {
    let engine = Embedded::in_memory().unwrap();
    Table::<Foreign>::embedded_in(&engine).await.unwrap();
    let before = state(&engine.client()).await;
    let db = Note::open(engine.client());
    let error = differs(db.create_table().await);
    assert!(error.contains("key: declared partition id (S)"), "{error}");
    assert_eq!(state(&engine.client()).await, before);
}

#[tokio::test]
async fn create_table_leaves_a_table_without_the_declared_index_as_it_is() {
    let engine = Embedded::in_memory().unwrap();
    Table::<WithoutIndex>::embedded_in(&engine).await.unwrap();
    let before = state(&engine.client()).await;
    let db = Note::open(engine.client());
    let error = differs(db.create_table().await);
    assert!(error.contains("index `by_owner`"), "{error}");
    assert_eq!(state(&engine.client()).await, before);
}

#[tokio::test]
async fn create_table_only_describes_an_existing_table() {
    let engine = Embedded::in_memory().unwrap();
    Table::<Note>::embedded_in(&engine).await.unwrap();
    let before = state(&engine.client()).await;
    let server = Server::new(&engine, |_, _| Reply::Engine);
    Note::open(server.client()).create_table().await.unwrap();
    assert_eq!(server.log(), ["DescribeTable", "DescribeTimeToLive"]);
    assert_eq!(state(&engine.client()).await, before);
}

#[tokio::test]
async fn a_missing_ttl_is_a_difference_that_names_the_call_that_mends_it() {
    let engine = Embedded::in_memory().unwrap();
    Table::<WithoutTtl>::embedded_in(&engine).await.unwrap();
    let before = state(&engine.client()).await;
    let db = Note::open(engine.client());
    assert_eq!(
        differs(db.create_table().await),
        "table `notes` is not as declared:\n  \
         time to live: declared goneAt, not there; `enable_missing_settings` turns it on"
    );
    assert_eq!(state(&engine.client()).await, before);

    let enabled = db.enable_missing_settings().await.unwrap();
    assert_eq!(enabled, [dyna_runtime::schema::DifferenceKind::Ttl]);
    db.create_table().await.unwrap();
    assert!(db.enable_missing_settings().await.unwrap().is_empty());
}

#[tokio::test]
async fn enable_missing_settings_leaves_a_foreign_table_as_it_is() {
    let engine = Embedded::in_memory().unwrap();
    Table::<Foreign>::embedded_in(&engine).await.unwrap();
    let before = state(&engine.client()).await;
    let db = Note::open(engine.client());
    let error = differs(db.enable_missing_settings().await);
    assert!(error.contains("key: declared"), "{error}");
    assert_eq!(state(&engine.client()).await, before);
}

#[tokio::test]
async fn add_missing_indexes_leaves_a_foreign_table_as_it_is() {
    let engine = Embedded::in_memory().unwrap();
    Table::<Foreign>::embedded_in(&engine).await.unwrap();
    let before = state(&engine.client()).await;
    let db = Note::open(engine.client());
    let error = differs(db.add_missing_indexes().await);
    assert!(error.contains("key: declared"), "{error}");
    assert_eq!(state(&engine.client()).await, before);
}

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "notes",
        pk = "id",
        ttl = "other",
        index(by_owner, pk = "owner")
    ),
    pk = "<id>"
)]
struct OtherTtl {
    id: String,
}

/// DynamoDB refuses a second attribute, and turning off the first is not ours to do.
#[tokio::test]
async fn enable_missing_settings_refuses_to_change_the_ttl_attribute() {
    let engine = Embedded::in_memory().unwrap();
    Table::<OtherTtl>::embedded_in(&engine).await.unwrap();
    let before = state(&engine.client()).await;
    let db = Note::open(engine.client());
    let error = differs(db.enable_missing_settings().await);
    assert!(
        error.ends_with("time to live: declared goneAt, found other"),
        "{error}"
    );
    assert_eq!(state(&engine.client()).await, before);
}

/// Two processes start at once: the other one has created the table and has yet to turn on its expiry.
#[tokio::test]
async fn create_table_waits_for_the_process_that_creates_the_table() {
    let engine = Embedded::in_memory().unwrap();
    let server = Server::new(&engine, |operation, before| match (operation, before) {
        ("CreateTable", 0) => Reply::After(Box::new(|engine| {
            let note = json!({
                "TableName": "notes",
                "BillingMode": "PAY_PER_REQUEST",
                "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
                "AttributeDefinitions": [
                    {"AttributeName": "id", "AttributeType": "S"},
                    {"AttributeName": "owner", "AttributeType": "S"},
                ],
                "GlobalSecondaryIndexes": [{
                    "IndexName": "by_owner",
                    "KeySchema": [{"AttributeName": "owner", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "ALL"},
                }],
            });
            let request = serde_json::from_value(note).unwrap();
            engine.database().create_table(request).unwrap();
        })),
        ("DescribeTimeToLive", 2) => Reply::After(Box::new(|engine| {
            let ttl = json!({
                "TableName": "notes",
                "TimeToLiveSpecification": {"AttributeName": "goneAt", "Enabled": true},
            });
            let request = serde_json::from_value(ttl).unwrap();
            engine.database().update_time_to_live(request).unwrap();
        })),
        _ => Reply::Engine,
    });
    Note::open(server.client()).create_table().await.unwrap();
    assert_eq!(server.waits(), 2);
    assert!(!server.log().contains(&"UpdateTimeToLive".to_owned()));
}

/// The other process died.
#[tokio::test]
async fn create_table_does_not_wait_for_ever_for_another_process() {
    let engine = Embedded::in_memory().unwrap();
    Table::<WithoutTtl>::embedded_in(&engine).await.unwrap();
    let server = Server::new(&engine, |operation, before| match (operation, before) {
        ("DescribeTable", 0) => Reply::Changed(|described| {
            described["Table"]["TableStatus"] = json!("CREATING");
        }),
        _ => Reply::Engine,
    });
    let db = Note::open(server.client());
    let error = differs(db.create_table().await);
    assert!(error.contains("enable_missing_settings"), "{error}");
    assert!((10..=600).contains(&server.waits()), "{}", server.waits());
}

#[tokio::test]
async fn an_index_that_is_never_built_is_an_error() {
    let engine = Embedded::in_memory().unwrap();
    Table::<WithoutTtl>::embedded_in(&engine).await.unwrap();
    let server = Server::new(&engine, |operation, _| match operation {
        "DescribeTable" => Reply::Changed(|described| {
            described["Table"]["GlobalSecondaryIndexes"][0]["IndexStatus"] = json!("CREATING");
        }),
        _ => Reply::Engine,
    });
    let db = WithoutTtl::open(server.client());
    let waited = tokio::time::timeout(std::time::Duration::from_mins(1), async {
        db.add_missing_indexes().await
    });
    let error = waited.await.expect("it ends").unwrap_err();
    assert!(matches!(error, Error::TableNotActive { .. }), "{error}");
    assert!(server.waits() >= 600, "{}", server.waits());
}
