use std::collections::HashMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, ConditionCheck, Delete, GlobalSecondaryIndex,
    KeySchemaElement, KeyType, KeysAndAttributes, Projection, ProjectionType, Put, PutRequest,
    ReturnValuesOnConditionCheckFailure, ScalarAttributeType, StreamSpecification, StreamViewType,
    TimeToLiveSpecification, TransactWriteItem, WriteRequest,
};

use super::{Embedded, EmbeddedError, operations};

type Item = HashMap<String, AttributeValue>;

fn s(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

fn item(pk: &str, sk: u32) -> Item {
    Item::from([
        ("pk".to_owned(), s(pk)),
        ("sk".to_owned(), s(format!("{sk:04}"))),
        ("team".to_owned(), s("red")),
        ("rank".to_owned(), AttributeValue::N(sk.to_string())),
    ])
}

fn key(pk: &str, sk: u32) -> Item {
    let mut key = item(pk, sk);
    key.retain(|name, _| name == "pk" || name == "sk");
    key
}

fn part(name: &str, kind: KeyType) -> KeySchemaElement {
    KeySchemaElement::builder()
        .attribute_name(name)
        .key_type(kind)
        .build()
        .unwrap()
}

fn attribute(name: &str, kind: ScalarAttributeType) -> AttributeDefinition {
    AttributeDefinition::builder()
        .attribute_name(name)
        .attribute_type(kind)
        .build()
        .unwrap()
}

/// A table `table` with the keys `pk` and `sk` and an index whose partition key has two attributes.
async fn create_table(client: &Client) {
    let index = GlobalSecondaryIndex::builder()
        .index_name("by_team")
        .key_schema(part("team", KeyType::Hash))
        .key_schema(part("pk", KeyType::Hash))
        .key_schema(part("rank", KeyType::Range))
        .projection(
            Projection::builder()
                .projection_type(ProjectionType::All)
                .build(),
        )
        .build()
        .unwrap();
    let stream = StreamSpecification::builder()
        .stream_enabled(true)
        .stream_view_type(StreamViewType::NewImage)
        .build()
        .unwrap();
    client
        .create_table()
        .table_name("table")
        .billing_mode(BillingMode::PayPerRequest)
        .attribute_definitions(attribute("pk", ScalarAttributeType::S))
        .attribute_definitions(attribute("sk", ScalarAttributeType::S))
        .attribute_definitions(attribute("team", ScalarAttributeType::S))
        .attribute_definitions(attribute("rank", ScalarAttributeType::N))
        .key_schema(part("pk", KeyType::Hash))
        .key_schema(part("sk", KeyType::Range))
        .global_secondary_indexes(index)
        .stream_specification(stream)
        .send()
        .await
        .unwrap();
}

async fn engine() -> (Embedded, Client) {
    let engine = Embedded::in_memory().unwrap();
    let client = engine.client();
    create_table(&client).await;
    (engine, client)
}

async fn put(client: &Client, item: Item) {
    client
        .put_item()
        .table_name("table")
        .set_item(Some(item))
        .send()
        .await
        .unwrap();
}

#[tokio::test]
async fn items_come_back() {
    let (_, client) = engine().await;
    put(&client, item("a", 1)).await;
    let get = |key| {
        client
            .get_item()
            .table_name("table")
            .set_key(Some(key))
            .send()
    };
    assert_eq!(get(key("a", 1)).await.unwrap().item, Some(item("a", 1)));
    assert_eq!(get(key("a", 2)).await.unwrap().item, None);
}

#[tokio::test]
async fn queries_are_paged_and_ordered() {
    let (_, client) = engine().await;
    for sk in [3, 1, 2] {
        put(&client, item("a", sk)).await;
    }
    let pages: Vec<_> = client
        .query()
        .table_name("table")
        .key_condition_expression("pk = :pk AND sk > :sk")
        .expression_attribute_values(":pk", s("a"))
        .expression_attribute_values(":sk", s("0001"))
        .into_paginator()
        .page_size(1)
        .items()
        .send()
        .collect::<Result<_, _>>()
        .await
        .unwrap();
    assert_eq!(pages, [item("a", 2), item("a", 3)]);
}

#[tokio::test]
async fn indexes_have_keys_of_several_attributes() {
    let (_, client) = engine().await;
    put(&client, item("a", 1)).await;
    put(&client, item("b", 2)).await;
    let found = client
        .query()
        .table_name("table")
        .index_name("by_team")
        .key_condition_expression("team = :team AND pk = :pk")
        .expression_attribute_values(":team", s("red"))
        .expression_attribute_values(":pk", s("b"))
        .send()
        .await
        .unwrap();
    assert_eq!(found.items(), [item("b", 2)]);
}

#[tokio::test]
async fn batches_are_written_and_read() {
    let (_, client) = engine().await;
    let puts = (0..25).map(|sk| {
        let request = PutRequest::builder()
            .set_item(Some(item("a", sk)))
            .build()
            .unwrap();
        WriteRequest::builder().put_request(request).build()
    });
    let written = client
        .batch_write_item()
        .request_items("table", puts.collect())
        .send()
        .await
        .unwrap();
    assert!(written.unprocessed_items().is_none_or(HashMap::is_empty));

    let keys = (0..30).map(|sk| key("a", sk)).collect();
    let keys = KeysAndAttributes::builder()
        .set_keys(Some(keys))
        .build()
        .unwrap();
    let read = client
        .batch_get_item()
        .request_items("table", keys)
        .send()
        .await
        .unwrap();
    assert_eq!(read.responses().unwrap()["table"].len(), 25);
}

#[tokio::test]
async fn failed_condition_is_typed_and_has_the_item() {
    let (_, client) = engine().await;
    put(&client, item("a", 1)).await;
    let again = client
        .put_item()
        .table_name("table")
        .set_item(Some(item("a", 1)))
        .condition_expression("attribute_not_exists(pk)")
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
    let error = again.send().await.unwrap_err().into_service_error();
    assert_eq!(error.code(), Some("ConditionalCheckFailedException"));
    let aws_sdk_dynamodb::operation::put_item::PutItemError::ConditionalCheckFailedException(
        failed,
    ) = error
    else {
        panic!("{error:?}");
    };
    assert_eq!(failed.item(), Some(&item("a", 1)));
}

#[tokio::test]
async fn transactions_are_all_or_nothing_and_say_why() {
    let (_, client) = engine().await;
    put(&client, item("a", 1)).await;
    let new = Put::builder()
        .table_name("table")
        .set_item(Some(item("a", 2)))
        .build()
        .unwrap();
    let old = Delete::builder()
        .table_name("table")
        .set_key(Some(key("a", 1)))
        .build()
        .unwrap();
    let check = ConditionCheck::builder()
        .table_name("table")
        .set_key(Some(key("a", 3)))
        .condition_expression("attribute_exists(pk)")
        .build()
        .unwrap();
    let write = client
        .transact_write_items()
        .transact_items(TransactWriteItem::builder().put(new).build())
        .transact_items(TransactWriteItem::builder().delete(old).build());
    let refused = write
        .clone()
        .transact_items(TransactWriteItem::builder().condition_check(check).build())
        .send()
        .await
        .unwrap_err()
        .into_service_error();
    let aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError::TransactionCanceledException(
        cancelled,
    ) = refused
    else {
        panic!("{refused:?}");
    };
    let codes: Vec<_> = cancelled
        .cancellation_reasons()
        .iter()
        .map(|reason| reason.code().unwrap())
        .collect();
    assert_eq!(codes, ["None", "None", "ConditionalCheckFailed"]);

    write.send().await.unwrap();
    let left = client.scan().table_name("table").send().await.unwrap();
    assert_eq!(left.items(), [item("a", 2)]);
}

#[tokio::test]
async fn error_codes_are_those_of_dynamodb() {
    let (engine, client) = engine().await;
    let missing = client
        .get_item()
        .table_name("none")
        .set_key(Some(key("a", 1)))
        .send()
        .await;
    assert_eq!(
        missing.unwrap_err().code(),
        Some("ResourceNotFoundException")
    );

    let invalid = client
        .get_item()
        .table_name("table")
        .key("pk", s("a"))
        .send()
        .await;
    assert_eq!(invalid.unwrap_err().code(), Some("ValidationException"));

    let number = AttributeValue::N("x".to_owned());
    let malformed = client
        .put_item()
        .table_name("table")
        .set_item(Some(key("a", 1)))
        .item("n", number)
        .send()
        .await;
    assert_eq!(malformed.unwrap_err().code(), Some("ValidationException"));

    let before = engine.requests();
    let unknown = client.describe_limits().send().await;
    assert_eq!(
        unknown.unwrap_err().code(),
        Some("UnknownOperationException")
    );
    assert_eq!(engine.requests(), before + 1, "the SDK does not retry it");
}

#[tokio::test]
async fn unreadable_requests_are_refused() {
    let (engine, _) = engine().await;
    let code = |operation: &str, body: &str| {
        let reply = operations::dispatch(engine.database(), operation, body.as_bytes());
        assert_eq!(reply.status, 400);
        let body: serde_json::Value = serde_json::from_str(&reply.body).unwrap();
        body["__type"]
            .as_str()
            .unwrap()
            .rsplit('#')
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(code("GetItem", "{"), "SerializationException");
    assert_eq!(
        code("GetItem", r#"{"TableName": 1}"#),
        "SerializationException"
    );
    assert_eq!(code("GetItem", "{}"), "ValidationException");
    assert_eq!(
        code("PutItem", r#"{"TableName": "table", "Item": {"pk": {}}}"#),
        "ValidationException"
    );
    assert_eq!(code("", ""), "UnknownOperationException");
}

#[tokio::test]
async fn expired_items_go_when_the_engine_is_told_to_sweep() {
    let (engine, client) = engine().await;
    let ttl = TimeToLiveSpecification::builder()
        .enabled(true)
        .attribute_name("ttl")
        .build()
        .unwrap();
    client
        .update_time_to_live()
        .table_name("table")
        .time_to_live_specification(ttl)
        .send()
        .await
        .unwrap();
    let expired = SystemTime::now() - Duration::from_mins(1);
    let expired = expired.duration_since(UNIX_EPOCH).unwrap().as_secs();
    let mut expiring = item("a", 1);
    expiring.insert("ttl".to_owned(), AttributeValue::N(expired.to_string()));
    put(&client, expiring).await;
    put(&client, item("a", 2)).await;
    assert_eq!(engine.database().sweep_ttl().unwrap(), 1);
    assert_eq!(
        client
            .scan()
            .table_name("table")
            .send()
            .await
            .unwrap()
            .count(),
        1
    );
}

#[tokio::test]
async fn table_has_a_stream() {
    let (_, client) = engine().await;
    let table = client
        .describe_table()
        .table_name("table")
        .send()
        .await
        .unwrap()
        .table
        .unwrap();
    assert!(table.latest_stream_arn().is_some());
}

#[tokio::test]
async fn clones_and_clients_share_tables_and_the_count() {
    let (engine, client) = engine().await;
    let before = engine.requests();
    put(&client, item("a", 1)).await;
    let clone = engine.clone();
    assert_eq!(
        clone
            .client()
            .scan()
            .table_name("table")
            .send()
            .await
            .unwrap()
            .count(),
        1
    );
    assert_eq!(engine.requests(), before + 2);
    assert_eq!(Embedded::in_memory().unwrap().requests(), 0);
}

#[tokio::test]
async fn dropped_request_does_not_reach_the_engine() {
    let (engine, client) = engine().await;
    let before = engine.requests();
    drop(client.delete_table().table_name("table").send());
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn file_keeps_the_tables() {
    let path = std::env::temp_dir().join(format!("embedded-{}.db", std::process::id()));
    let client = Embedded::file(&path).unwrap().client();
    create_table(&client).await;
    put(&client, item("a", 1)).await;
    drop(client);
    let client = Embedded::file(&path).unwrap().client();
    assert_eq!(
        client
            .scan()
            .table_name("table")
            .send()
            .await
            .unwrap()
            .count(),
        1
    );
    drop(client);
    for suffix in ["", "-wal", "-shm"] {
        // The last two exist only while the database is open.
        let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
}

#[test]
fn file_that_cannot_be_opened_is_an_error() {
    let error = Embedded::file("/nonexistent/directory/file.db").unwrap_err();
    assert!(matches!(error, EmbeddedError::Open(_)));
    assert_eq!(error.to_string(), "the engine could not open the database");
}

#[tokio::test]
async fn debug_shows_no_contents() {
    let (engine, client) = engine().await;
    put(&client, item("secret", 1)).await;
    assert_eq!(format!("{engine:?}"), "Embedded { requests: 2, .. }");
}

#[test]
fn parallel_requests_are_all_answered() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (_, client) = engine().await;
        let puts: Vec<_> = (0..50)
            .map(|sk| {
                let client = client.clone();
                tokio::spawn(async move { put(&client, item("a", sk)).await })
            })
            .collect();
        for put in puts {
            put.await.unwrap();
        }
        assert_eq!(
            client
                .scan()
                .table_name("table")
                .send()
                .await
                .unwrap()
                .count(),
            50
        );
    });
}
