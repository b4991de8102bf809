//! Responses that cannot be read: a read or a transaction is repeated or fails, a single write is never repeated, and no write is taken for
//! failed.

use super::server::{Does, SPOILED, Server, Spoiled};
use super::{Account, Note, Notes, account, note};
use dyna_runtime::{Error, Table};

/// A server that spoils every response of an operation.
async fn spoiling(operation: &'static str, how: Spoiled) -> (Server, Table<Notes>) {
    Server::table(move |_, asked, _| {
        if asked == operation {
            Does::Spoil(how)
        } else {
            Does::Pass
        }
    })
    .await
}

/// One request, its outcome may be in doubt, and the message says so.
fn assert_unknown(error: &Error, server: &Server, operation: &str, how: Spoiled) {
    assert!(error.is_outcome_unknown(), "{operation} {how:?}: {error}");
    assert!(!error.is_condition_failed());
    let expected =
        format!("{operation} on table `notes`: the write may have been applied; its response ");
    assert!(error.to_string().starts_with(&expected), "{error}");
    // A transaction has a token, by which it is known again.
    let attempts = if operation == "TransactWriteItems" {
        4
    } else {
        1
    };
    assert_eq!(server.asked(operation).len(), attempts, "{how:?}");
}

#[tokio::test(start_paused = true)]
async fn add_is_applied_once_when_its_response_cannot_be_read() {
    for how in SPOILED {
        let (server, db) = spoiling("UpdateItem", how).await;
        note(1).put().send(&server.direct::<Notes>()).await.unwrap();
        let update = Note::update("ann", 1).add(Note::COUNT, 1);
        let error = update.send(&db).await.unwrap_err();
        assert_unknown(&error, &server, "UpdateItem", how);
        let stored = Note::get("ann", 1).send(&server.direct::<Notes>()).await;
        assert_eq!(stored.unwrap().unwrap().count, 1);
    }
}

#[tokio::test(start_paused = true)]
async fn an_item_that_a_write_returns_is_checked_and_the_write_is_not_repeated() {
    for how in SPOILED {
        let (server, db) = spoiling("UpdateItem", how).await;
        note(1).put().send(&server.direct::<Notes>()).await.unwrap();
        let update = Note::update("ann", 1).add(Note::COUNT, 1).returning_new();
        let error = update.send(&db).await.unwrap_err();
        assert_unknown(&error, &server, "UpdateItem", how);
    }
}

#[tokio::test(start_paused = true)]
async fn create_does_not_fail_on_its_own_item_when_its_response_cannot_be_read() {
    for how in SPOILED {
        let (server, db) = spoiling("PutItem", how).await;
        let error = note(1).create().send(&db).await.unwrap_err();
        assert_unknown(&error, &server, "PutItem", how);
    }
}

#[tokio::test(start_paused = true)]
async fn delete_is_not_repeated_when_its_response_cannot_be_read() {
    for how in SPOILED {
        let (server, db) = spoiling("DeleteItem", how).await;
        let error = Note::delete("ann", 1).send(&db).await.unwrap_err();
        assert_unknown(&error, &server, "DeleteItem", how);
    }
}

#[tokio::test(start_paused = true)]
async fn a_transaction_is_repeated_with_its_token_when_its_response_cannot_be_read() {
    for how in SPOILED {
        let (server, db) = spoiling("TransactWriteItems", how).await;
        let error = db.transact().create(&note(1)).send().await.unwrap_err();
        assert_unknown(&error, &server, "TransactWriteItems", how);
        let (server, db) = spoiling("TransactWriteItems", how).await;
        let error = account("ann").create().send(&db).await.unwrap_err();
        assert_unknown(&error, &server, "TransactWriteItems", how);
        let stored = Account::get("ann").send(&server.direct::<Notes>()).await;
        assert_eq!(stored.unwrap(), Some(account("ann")));
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_without_a_response_that_can_be_read_is_not_taken_for_written() {
    for how in SPOILED {
        let (server, db) = spoiling("BatchWriteItem", how).await;
        let error = db.batch_write().put(&note(1)).send().await.unwrap_err();
        assert_unknown(&error, &server, "BatchWriteItem", how);
    }
    // A server that has not written anything, and responds with nothing.
    let (_, db) = Server::table::<Notes>(|_, _, _| Does::Respond(200, "".into())).await;
    assert!(db.batch_write().put(&note(1)).send().await.is_err());
    // `{}` is a whole response: nothing is left.
    let (_, db) = Server::table::<Notes>(|_, _, _| Does::Respond(200, serde_json::json!({}))).await;
    let left = db.batch_write().put(&note(1)).send().await.unwrap();
    assert!(left.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_read_is_repeated_when_its_response_was_damaged_on_the_way() {
    for how in [Spoiled::Checksum, Spoiled::Empty, Spoiled::Bare] {
        let script = move |n, _: &str, _: &serde_json::Value| match n {
            0 => Does::Spoil(how),
            _ => Does::Pass,
        };
        let (server, db) = Server::table::<Notes>(script).await;
        note(1).put().send(&server.direct::<Notes>()).await.unwrap();
        let got = Note::get("ann", 1).send(&db).await.unwrap();
        assert_eq!(got, Some(note(1)), "{how:?}");
        assert_eq!(Note::query("ann").all(&db).await.unwrap(), [note(1)]);
        assert_eq!(Note::scan().all(&db).await.unwrap(), [note(1)]);
        let batch = db.batch_get([Note::key("ann", 1)]).await.unwrap();
        assert_eq!(batch.items, [Some(note(1))]);
        let read = db.transact_get((Note::key("ann", 1),)).await.unwrap();
        assert_eq!(read, (Some(note(1)),));
    }
}

#[tokio::test(start_paused = true)]
async fn a_read_fails_when_no_response_can_be_read() {
    for how in SPOILED {
        let (server, db) = Server::table::<Notes>(move |_, _, _| Does::Spoil(how)).await;
        note(1).put().send(&server.direct::<Notes>()).await.unwrap();
        let errors = [
            Note::get("ann", 1).send(&db).await.unwrap_err(),
            Note::query("ann").send(&db).await.unwrap_err(),
            Note::query("ann").count(&db).await.unwrap_err(),
            Note::by_topic("rust").all(&db).await.unwrap_err(),
            Note::scan().all(&db).await.unwrap_err(),
            db.batch_get([Note::key("ann", 1)]).await.unwrap_err(),
            db.transact_get((Note::key("ann", 1),)).await.unwrap_err(),
        ];
        for error in errors {
            assert!(!error.is_outcome_unknown());
            let text = error.to_string();
            let (what, problem) = text.split_once(": ").unwrap();
            assert!(what.contains("table `notes`"), "{how:?} {text}");
            assert!(!problem.contains("no response"), "{how:?} {text}");
        }
    }
}
