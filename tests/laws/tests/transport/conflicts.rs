//! What others are in the way of, or DynamoDB has no capacity for, is tried again; what is left is given back.

use super::server::{Does, Server, error};
use super::{Note, Notes, Secret, note};
use serde_json::{Value, json};

/// DynamoDB's response to a transaction that it cancelled for these reasons.
fn cancelled(reasons: &[&str]) -> Does {
    let reasons = reasons.iter();
    let reasons: Vec<Value> = reasons.map(|code| json!({ "Code": code })).collect();
    Does::Respond(
        400,
        json!({
            "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
            "Message": "Transaction cancelled",
            "CancellationReasons": reasons,
        }),
    )
}

#[tokio::test(start_paused = true)]
async fn transact_get_tries_again_after_a_conflict() {
    let (server, db) = Server::table::<Notes>(|n, _, _| match n {
        0 | 1 => cancelled(&["None", "TransactionConflict"]),
        _ => Does::Pass,
    })
    .await;
    note(2).put().send(&server.direct::<Notes>()).await.unwrap();
    let keys = (Note::key("ann", 1), Note::key("ann", 2));
    assert_eq!(db.transact_get(keys).await.unwrap(), (None, Some(note(2))));
    assert_eq!(server.asked("TransactGetItems").len(), 3);
}

#[tokio::test(start_paused = true)]
async fn transact_get_names_the_key_in_conflict() {
    let (server, db) =
        Server::table::<Notes>(|_, _, _| cancelled(&["None", "TransactionConflict"])).await;
    // The second key is given again: what was in conflict is the third.
    let keys = vec![
        Note::key("ann", 1),
        Note::key("ann", 1),
        Note::key("ann", 2),
    ];
    let error = db.transact_get(keys).await.unwrap_err();
    assert!(error.is_transaction_conflict() && !error.is_throttled());
    assert_eq!(
        error.to_string(),
        "the transaction was cancelled: operation 2 (get Note): another request was writing the item"
    );
    assert_eq!(server.asked("TransactGetItems").len(), 4);
}

#[tokio::test]
async fn transact_get_reads_a_key_once_and_yields_it_as_often_as_it_is_given() {
    let (server, db) = Server::table::<Notes>(|_, _, _| Does::Pass).await;
    note(1).put().send(&db).await.unwrap();
    let key = || Note::key("ann", 1);
    let secret = Secret {
        n: 1,
        secret: "plain 1".to_owned(),
    };
    let read = db.transact_get((key(), Note::key("ann", 2), key())).await;
    assert_eq!(read.unwrap(), (Some(note(1)), None, Some(note(1))));
    let read = db
        .transact_get((key().project::<Secret>(), key().project::<Secret>()))
        .await;
    assert_eq!(read.unwrap(), (Some(secret.clone()), Some(secret.clone())));
    let read = db.transact_get((key().project::<Secret>(), key())).await;
    assert_eq!(read.unwrap(), (Some(secret), Some(note(1))));
    let asked = server.asked("TransactGetItems");
    let lengths = asked.iter().map(|body| body["TransactItems"].as_array());
    let lengths: Vec<_> = lengths.map(|items| items.unwrap().len()).collect();
    assert_eq!(lengths, [2, 1, 1]);
}

#[tokio::test(start_paused = true)]
async fn single_writes_try_again_after_a_conflict() {
    for code in [
        "TransactionConflictException",
        "ReplicatedWriteConflictException",
    ] {
        let (server, db) = Server::table::<Notes>(move |n, _, _| match n {
            0 | 1 => error(code),
            _ => Does::Pass,
        })
        .await;
        note(1).create().send(&db).await.unwrap();
        let update = Note::update("ann", 1).add(Note::COUNT, 1).returning_new();
        assert_eq!(update.send(&db).await.unwrap().count, 1);
        let deleted = Note::delete("ann", 1).returning_old().send(&db).await;
        assert_eq!(deleted.unwrap().unwrap().count, 1);
        for operation in ["PutItem", "UpdateItem", "DeleteItem"] {
            assert_eq!(server.asked(operation).len(), 3, "{code} {operation}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_conflict_that_stays_is_a_conflict() {
    for code in [
        "TransactionConflictException",
        "ReplicatedWriteConflictException",
    ] {
        let (server, db) = Server::table::<Notes>(move |_, _, _| error(code)).await;
        let failed = note(1).put().send(&db).await.unwrap_err();
        assert!(failed.is_transaction_conflict(), "{failed}");
        assert!(!failed.is_outcome_unknown() && !failed.is_condition_failed());
        // Four tries of ours, each of which the SDK may repeat.
        assert!(server.asked("PutItem").len() >= 4);
    }
}

#[tokio::test(start_paused = true)]
async fn a_throttled_chunk_of_batch_get_is_read_later() {
    let (server, db) = Server::table::<Notes>(|n, operation, _| match (operation, n) {
        // The SDK gives up after three.
        ("BatchGetItem", 1..8) => error("ProvisionedThroughputExceededException"),
        _ => Does::Pass,
    })
    .await;
    let notes: Vec<Note> = (0..250).map(note).collect();
    let written = server.direct::<Notes>();
    let left = written.batch_write().put_all(&notes).send().await.unwrap();
    assert!(left.is_empty());
    let keys = (0..250).map(|n| Note::key("ann", n));
    let batch = db.batch_get(keys).await.unwrap();
    assert!(batch.unprocessed.is_empty());
    let found: Vec<Note> = batch.items.into_iter().flatten().collect();
    assert_eq!(found, notes);
}

#[tokio::test(start_paused = true)]
async fn batch_get_returns_read_items_when_a_chunk_stays_throttled() {
    let (server, db) = Server::table::<Notes>(|_, operation, body| {
        let keys = body["RequestItems"]["notes"]["Keys"].to_string();
        match operation {
            "BatchGetItem" if keys.contains("NOTE#0149") => error("ThrottlingException"),
            _ => Does::Pass,
        }
    })
    .await;
    let notes: Vec<Note> = (0..150).map(note).collect();
    let written = server.direct::<Notes>();
    let left = written.batch_write().put_all(&notes).send().await.unwrap();
    assert!(left.is_empty());
    let keys = (0..150).map(|n| Note::key("ann", n));
    let batch = db.batch_get(keys).await.unwrap();
    let found: Vec<Note> = batch.items.into_iter().flatten().collect();
    assert_eq!(found, notes[..100]);
    assert_eq!(batch.unprocessed.len(), 50);
}

#[tokio::test(start_paused = true)]
async fn hydrate_waits_when_it_is_throttled() {
    let (server, db) = Server::table::<Notes>(|n, operation, _| match (operation, n) {
        ("BatchGetItem", ..4) => error("ProvisionedThroughputExceededException"),
        _ => Does::Pass,
    })
    .await;
    note(1).put().send(&server.direct::<Notes>()).await.unwrap();
    let found = Note::keys_by_topic("rust").hydrate().all(&db).await;
    assert_eq!(found.unwrap(), [note(1)]);
    let (server, db) = Server::table::<Notes>(|_, operation, _| match operation {
        "BatchGetItem" => error("ProvisionedThroughputExceededException"),
        _ => Does::Pass,
    })
    .await;
    note(1).put().send(&server.direct::<Notes>()).await.unwrap();
    let failed = Note::keys_by_topic("rust").hydrate().all(&db).await;
    assert!(failed.unwrap_err().is_throttled());
}

/// A global index shows an item where it was and where it is, for a moment.
#[tokio::test]
async fn hydrate_reads_an_item_once_that_the_index_shows_twice() {
    let entry = |sk: &str| {
        json!({
            "pk": {"S": "USER#ann"}, "sk": {"S": "NOTE#0001"},
            "gsi2pk": {"S": "TOPIC#rust"}, "gsi2sk": {"S": sk},
        })
    };
    let page = json!({
        "Count": 2, "ScannedCount": 2,
        "Items": [entry("NOTE#0000"), entry("NOTE#0001")],
    });
    let (server, db) = Server::table::<Notes>(move |_, operation, _| match operation {
        "Query" => Does::Respond(200, page.clone()),
        _ => Does::Pass,
    })
    .await;
    note(1).put().send(&db).await.unwrap();
    let found = Note::keys_by_topic("rust").hydrate().all(&db).await;
    assert_eq!(found.unwrap(), [note(1)]);
    let asked = &server.asked("BatchGetItem")[0];
    let keys = asked["RequestItems"]["notes"]["Keys"].as_array().unwrap();
    assert_eq!(keys.len(), 1);
}
