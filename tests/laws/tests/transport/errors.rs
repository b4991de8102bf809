//! What errors say, and what they keep to themselves.

use super::server::{Does, SPOILED, Server, Spoiled, error};
use super::{Note, Notes, account, note};
use dyna_runtime::error::Unmet;
use dyna_runtime::{Error, Table};
use serde_json::json;
use std::error::Error as StdError;

/// An error and its sources, as reporters print them: `{:#}` of `anyhow`.
fn chain(error: &Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}

/// An error and its sources, as `{:?}` shows each of them.
fn debug(error: &Error) -> String {
    let mut text = format!("{error:?} {:?}", error.sdk_error());
    let mut source = error.source();
    while let Some(error) = source {
        text = format!("{text} {error:?}");
        source = error.source();
    }
    text
}

async fn failing(does: Does) -> Table<Notes> {
    Server::table(move |_, _, _| does.clone()).await.1
}

#[tokio::test]
async fn failed_condition_names_the_unmet_part() {
    let (_, db) = Server::table::<Notes>(|_, _, _| Does::Pass).await;
    note(1).put().send(&db).await.unwrap();
    let cases = [
        (
            note(1).create().send(&db).await.unwrap_err(),
            Unmet::Exists,
            "Note: create failed: an item with this key already exists",
        ),
        (
            note(2).replace().send(&db).await.unwrap_err(),
            Unmet::Missing,
            "Note: replace failed: there is no item with this key",
        ),
        (
            Note::update("ann", 2)
                .set(Note::COUNT, 1)
                .send(&db)
                .await
                .unwrap_err(),
            Unmet::Missing,
            "Note: update failed: there is no item with this key",
        ),
        (
            Note::update("ann", 1)
                .set(Note::COUNT, 1)
                .when(Note::COUNT.gt(7))
                .send(&db)
                .await
                .unwrap_err(),
            Unmet::Condition,
            "Note: update failed: its condition is not met",
        ),
        (
            Note::delete("ann", 1)
                .when(Note::COUNT.gt(7))
                .send(&db)
                .await
                .unwrap_err(),
            Unmet::Condition,
            "Note: delete failed: its condition is not met",
        ),
    ];
    for (error, expected, text) in cases {
        assert!(error.is_condition_failed());
        assert_eq!(error.to_string(), text);
        assert!(matches!(error, Error::ConditionFailed { unmet, .. } if unmet == expected));
    }
}

#[tokio::test]
async fn failed_condition_in_a_transaction_names_the_unmet_part() {
    let (_, db) = Server::table::<Notes>(|_, _, _| Does::Pass).await;
    note(1).put().send(&db).await.unwrap();
    let transaction = db
        .transact()
        .create(&note(1))
        .update(Note::update("ann", 2).set(Note::COUNT, 1))
        .check(Note::check("ann", 3).when(Note::COUNT.eq(1)));
    assert_eq!(
        transaction.send().await.unwrap_err().to_string(),
        "the transaction was cancelled: \
         operation 0 (create Note): an item with this key already exists; \
         operation 1 (update Note): there is no item with this key; \
         operation 2 (check Note): its condition is not met"
    );
    account("ann").create().send(&db).await.unwrap();
    let again = account("ann").create().send(&db).await.unwrap_err();
    assert_eq!(
        again.to_string(),
        "Account: create failed: an item with this key already exists"
    );
}

#[tokio::test]
async fn a_service_error_names_operation_table_and_index() {
    let db = failing(error("ResourceNotFoundException")).await;
    let said = "ResourceNotFoundException: said by the server";
    let errors = [
        (Note::get("ann", 1).send(&db).await.unwrap_err(), "GetItem"),
        (note(1).put().send(&db).await.unwrap_err(), "PutItem"),
        (Note::query("ann").send(&db).await.unwrap_err(), "Query"),
        (Note::scan().all(&db).await.unwrap_err(), "Scan"),
        (
            db.batch_get([Note::key("ann", 1)]).await.unwrap_err(),
            "BatchGetItem",
        ),
        (
            db.batch_write().put(&note(1)).send().await.unwrap_err(),
            "BatchWriteItem",
        ),
        (
            db.transact().put(&note(1)).send().await.unwrap_err(),
            "TransactWriteItems",
        ),
        (
            db.transact_get((Note::key("ann", 1),)).await.unwrap_err(),
            "TransactGetItems",
        ),
    ];
    for (error, operation) in errors {
        assert!(error.is_table_not_found());
        let expected = format!("{operation} on table `notes`: {said}");
        assert_eq!(error.to_string(), expected);
        let request = error.request().unwrap();
        assert_eq!((request.operation(), request.table()), (operation, "notes"));
    }
    let error = Note::by_topic("rust").send(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("Query on index `gsi1` of table `notes`: {said}")
    );
    assert_eq!(error.request().unwrap().index(), Some("gsi1"));
}

#[tokio::test]
async fn sdk_error_is_available_and_sources_repeat_nothing() {
    let (_, db) = Server::table::<Notes>(|_, _, _| Does::Pass).await;
    note(1).put().send(&db).await.unwrap();
    let failed = note(1).create().send(&db).await.unwrap_err();
    // Downcast from the source, as generic code does.
    let source = failed.source().unwrap();
    let source = source.downcast_ref::<aws_sdk_dynamodb::Error>().unwrap();
    assert!(matches!(
        source,
        aws_sdk_dynamodb::Error::ConditionalCheckFailedException(_)
    ));
    let cancelled = db.transact().create(&note(1)).send().await.unwrap_err();
    let source = cancelled.source().unwrap();
    assert!(source.is::<aws_sdk_dynamodb::Error>());

    let missing = failing(error("ResourceNotFoundException")).await;
    let missing = Note::get("ann", 1).send(&missing).await.unwrap_err();
    assert!(matches!(
        missing.sdk_error().unwrap(),
        aws_sdk_dynamodb::Error::ResourceNotFoundException(_)
    ));
    let invalid = failing(error("ValidationException")).await;
    let invalid = Note::get("ann", 1).send(&invalid).await.unwrap_err();
    let undecodable = failing(Does::Respond(
        200,
        json!({"Item": {"pk": {"S": "USER#ann"}, "sk": {"S": "NOTE#0001"}, "n": {"BOOL": true}}}),
    ))
    .await;
    let undecodable = Note::get("ann", 1).send(&undecodable).await.unwrap_err();
    for error in [&failed, &cancelled, &missing, &invalid, &undecodable] {
        let chain = chain(error);
        for part in chain.split(": ").filter(|part| part.len() > 3) {
            assert_eq!(chain.matches(part).count(), 1, "{part:?} in {chain}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn no_response_is_said_only_if_none_came() {
    for how in SPOILED {
        let db = failing(Does::Spoil(how)).await;
        let error = Note::get("ann", 1).send(&db).await.unwrap_err().to_string();
        assert!(!error.contains("no response"), "{how:?}: {error}");
    }
    let db = failing(Does::Respond(503, json!("a proxy"))).await;
    let error = Note::get("ann", 1).send(&db).await.unwrap_err().to_string();
    assert!(
        error.starts_with("GetItem on table `notes`: HTTP status 503"),
        "{error}"
    );

    // Nobody listens there.
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(aws_sdk_dynamodb::config::BehaviorVersion::latest())
        .region(aws_sdk_dynamodb::config::Region::new("local"))
        .endpoint_url("http://127.0.0.1:1")
        .allow_no_auth()
        .http_client(super::server::Nobody);
    let db = Notes::open(aws_sdk_dynamodb::Client::from_conf(config.build()));
    let error = Note::get("ann", 1).send(&db).await.unwrap_err();
    let expected = "GetItem on table `notes`: no response: ";
    assert!(error.to_string().starts_with(expected), "{error}");
    assert!(error.to_string().contains("nobody is there"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn throttling_error_names_reason_and_resource() {
    let said = |reason: &str, resource: &str| {
        let resource = format!("arn:aws:dynamodb:eu-west-1:123456789012:{resource}");
        json!({ "reason": reason, "resource": resource })
    };
    let throttled = |code: &str, reason: &str, resource: &str| {
        Does::Respond(
            400,
            json!({
                "__type": format!("com.amazonaws.dynamodb.v20120810#{code}"),
                "message": "slow down",
                // It is spelled in one way or the other.
                "ThrottlingReasons": [said(reason, resource)],
                "throttlingReasons": [said(reason, resource)],
            }),
        )
    };
    let db = failing(throttled(
        "ProvisionedThroughputExceededException",
        "TableReadProvisionedThroughputExceeded",
        "table/notes",
    ))
    .await;
    let error = Note::get("ann", 1).send(&db).await.unwrap_err();
    assert!(error.is_throttled());
    assert_eq!(
        error.to_string(),
        "GetItem on table `notes`: ProvisionedThroughputExceededException: slow down \
         (TableReadProvisionedThroughputExceeded on table/notes)"
    );
    let db = failing(throttled(
        "ThrottlingException",
        "IndexReadKeyRangeThroughputExceeded",
        "table/notes/index/gsi1",
    ))
    .await;
    let error = Note::by_topic("rust").send(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "Query on index `gsi1` of table `notes`: ThrottlingException: slow down \
         (IndexReadKeyRangeThroughputExceeded on table/notes/index/gsi1, partition key `TOPIC#<topic>`)"
    );
}

#[tokio::test(start_paused = true)]
async fn neither_display_nor_debug_of_an_error_or_its_sources_shows_a_value() {
    let secret = |n| Note {
        secret: "hunter2".to_owned(),
        user: "hunter2".to_owned(),
        ..note(n)
    };
    let (server, db) = Server::table::<Notes>(|_, _, _| Does::Pass).await;
    secret(1).put().send(&db).await.unwrap();
    let mut errors = vec![
        secret(1).create().send(&db).await.unwrap_err(),
        secret(1)
            .put()
            .when(Note::SECRET.eq("hunter2").and(Note::COUNT.eq(5)))
            .send(&db)
            .await
            .unwrap_err(),
        db.transact()
            .create(&secret(1))
            .create(&secret(2))
            .send()
            .await
            .unwrap_err(),
        Error::from(aws_sdk_dynamodb::Error::from(
            server
                .direct::<Notes>()
                .client()
                .put_item()
                .table_name("notes")
                .item("pk", s("USER#hunter2"))
                .item("sk", s("NOTE#0001"))
                .condition_expression("attribute_not_exists(pk)")
                .return_values_on_condition_check_failure("ALL_OLD".into())
                .send()
                .await
                .unwrap_err(),
        )),
    ];
    // In a list: `Spoiled::Checksum` keeps the body with the item.
    for how in [Spoiled::Checksum, Spoiled::CutOff] {
        let (server, db) = Server::table::<Notes>(move |_, _, _| Does::Spoil(how)).await;
        let direct = server.direct::<Notes>();
        secret(1).put().send(&direct).await.unwrap();
        errors.push(Note::get("hunter2", 1).send(&db).await.unwrap_err());
        errors.push(Note::query("hunter2").all(&db).await.unwrap_err());
        let update = Note::update("hunter2", 1).add(Note::COUNT, 1);
        errors.push(update.returning_new().send(&db).await.unwrap_err());
    }
    for error in errors {
        let shown = format!("{} {}", chain(&error), debug(&error));
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}

fn s(text: &str) -> aws_sdk_dynamodb::types::AttributeValue {
    aws_sdk_dynamodb::types::AttributeValue::S(text.to_owned())
}
