//! A client with interceptors shows them every item, and takes from them what it reads.

use super::server::{Does, Server, error};
use super::{Account, Note, Notes, Secret, account, note};
use aws_sdk_dynamodb::config::interceptors::{
    BeforeSerializationInterceptorContextMut, FinalizerInterceptorContextMut,
};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_sdk_dynamodb::operation::batch_get_item::BatchGetItemOutput;
use aws_sdk_dynamodb::operation::batch_write_item::BatchWriteItemInput;
use aws_sdk_dynamodb::operation::delete_item::DeleteItemOutput;
use aws_sdk_dynamodb::operation::get_item::GetItemOutput;
use aws_sdk_dynamodb::operation::put_item::{PutItemInput, PutItemOutput};
use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::operation::scan::ScanOutput;
use aws_sdk_dynamodb::operation::transact_get_items::TransactGetItemsOutput;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsInput;
use aws_sdk_dynamodb::operation::update_item::{UpdateItemInput, UpdateItemOutput};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::Table;
use dyna_runtime::embedded::Embedded;
use futures_core::Stream;
use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

type Item = HashMap<String, AttributeValue>;

/// Encrypts the attribute `secret` on the way out, and decrypts it on the way in.
#[derive(Debug, Clone, Default)]
pub(super) struct Encrypt {
    encrypted: Arc<AtomicUsize>,
    decrypted: Arc<AtomicUsize>,
}

fn cipher(text: &str) -> String {
    let bytes = text.bytes().map(|byte| format!("{:02x}", byte ^ 0x5a));
    bytes.collect::<Vec<_>>().concat()
}

fn plain(cipher: &str) -> String {
    let byte = |at| u8::from_str_radix(&cipher[at..at + 2], 16).unwrap() ^ 0x5a;
    let bytes = (0..cipher.len()).step_by(2).map(byte);
    String::from_utf8(bytes.collect()).unwrap()
}

impl Encrypt {
    fn value(&self, value: &mut AttributeValue) {
        if let AttributeValue::S(text) = value {
            self.encrypted.fetch_add(1, Ordering::Relaxed);
            *text = format!("cipher:{}", cipher(text));
        }
    }

    fn item(&self, item: &mut Item) {
        assert!(!item.is_empty(), "an interceptor sees the whole item");
        item.get_mut("secret")
            .into_iter()
            .for_each(|value| self.value(value));
    }

    /// The value that an update sets.
    fn update(&self, expression: Option<&str>, values: Option<&mut Item>) {
        let set = expression.and_then(|text| text.split("secret = ").nth(1));
        let name = set.and_then(|set| set.split([' ', ',']).next());
        if let (Some(name), Some(values)) = (name, values) {
            values
                .get_mut(name)
                .into_iter()
                .for_each(|value| self.value(value));
        }
    }

    fn decrypt<'i>(&self, items: impl IntoIterator<Item = &'i mut Item>) {
        for item in items {
            if let Some(AttributeValue::S(text)) = item.get_mut("secret") {
                self.decrypted.fetch_add(1, Ordering::Relaxed);
                *text = plain(text.strip_prefix("cipher:").unwrap());
            }
        }
    }
}

impl Intercept for Encrypt {
    fn name(&self) -> &'static str {
        "encrypt"
    }

    fn modify_before_serialization(
        &self,
        context: &mut BeforeSerializationInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let input = context.input_mut();
        if let Some(put) = input.downcast_mut::<PutItemInput>() {
            self.item(put.item.as_mut().unwrap());
        } else if let Some(update) = input.downcast_mut::<UpdateItemInput>() {
            let expression = update.update_expression.as_deref();
            self.update(expression, update.expression_attribute_values.as_mut());
        } else if let Some(batch) = input.downcast_mut::<BatchWriteItemInput>() {
            let requests = batch.request_items.iter_mut().flatten();
            for request in requests.flat_map(|(_, requests)| requests) {
                let puts = request.put_request.iter_mut();
                puts.for_each(|put| self.item(&mut put.item));
                let key = request.delete_request.as_ref().map(|delete| &delete.key);
                assert!(key.is_none_or(|key| key.len() == 2));
            }
        } else if let Some(batch) = input.downcast_mut::<TransactWriteItemsInput>() {
            for one in batch.transact_items.iter_mut().flatten() {
                one.put.iter_mut().for_each(|put| self.item(&mut put.item));
                if let Some(update) = &mut one.update {
                    let expression = Some(update.update_expression.as_str());
                    self.update(expression, update.expression_attribute_values.as_mut());
                }
            }
        }
        Ok(())
    }

    fn modify_before_attempt_completion(
        &self,
        context: &mut FinalizerInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let Some(Ok(output)) = context.output_or_error_mut() else {
            return Ok(());
        };
        if let Some(get) = output.downcast_mut::<GetItemOutput>() {
            self.decrypt(&mut get.item);
        } else if let Some(put) = output.downcast_mut::<PutItemOutput>() {
            self.decrypt(&mut put.attributes);
        } else if let Some(update) = output.downcast_mut::<UpdateItemOutput>() {
            self.decrypt(&mut update.attributes);
        } else if let Some(delete) = output.downcast_mut::<DeleteItemOutput>() {
            self.decrypt(&mut delete.attributes);
        } else if let Some(query) = output.downcast_mut::<QueryOutput>() {
            self.decrypt(query.items.iter_mut().flatten());
        } else if let Some(scan) = output.downcast_mut::<ScanOutput>() {
            self.decrypt(scan.items.iter_mut().flatten());
        } else if let Some(batch) = output.downcast_mut::<BatchGetItemOutput>() {
            let tables = batch.responses.iter_mut().flatten();
            self.decrypt(tables.flat_map(|(_, items)| items));
        } else if let Some(batch) = output.downcast_mut::<TransactGetItemsOutput>() {
            let responses = batch.responses.iter_mut().flatten();
            self.decrypt(responses.filter_map(|response| response.item.as_mut()));
        }
        Ok(())
    }
}

/// A table whose client encrypts, and its engine.
async fn encrypted() -> (Embedded, Encrypt, Table<Notes>) {
    let engine = Embedded::in_memory().unwrap();
    Table::<Notes>::embedded_in(&engine).await.unwrap();
    let encrypt = Encrypt::default();
    let config = engine.config().interceptor(encrypt.clone()).build();
    let db = Notes::open(aws_sdk_dynamodb::Client::from_conf(config));
    (engine, encrypt, db)
}

/// The plain texts of all secrets that the engine holds, each of which is stored encrypted.
async fn stored(engine: &Embedded) -> Vec<String> {
    let scan = engine.client().scan().table_name("notes").send();
    let items = scan.await.unwrap().items.unwrap();
    let secrets = items.iter().filter_map(|item| item.get("secret"));
    let mut secrets: Vec<String> = secrets
        .map(|secret| secret.as_s().unwrap())
        .map(|secret| plain(secret.strip_prefix("cipher:").expect("encrypted at rest")))
        .collect();
    secrets.sort();
    secrets
}

pub(super) async fn collected<V>(stream: impl Stream<Item = dyna_runtime::Result<V>>) -> Vec<V> {
    let (mut stream, mut all) = (pin!(stream), Vec::new());
    while let Some(item) = poll_fn(|context| stream.as_mut().poll_next(context)).await {
        all.push(item.unwrap());
    }
    all
}

#[tokio::test]
async fn every_write_is_encrypted_by_an_interceptor() {
    let (engine, encrypt, db) = encrypted().await;
    note(1).create().send(&db).await.unwrap();
    note(2).put().send(&db).await.unwrap();
    let again = Note {
        secret: "plain two".to_owned(),
        ..note(2)
    };
    let old = again.put().returning_old().send(&db).await.unwrap();
    assert_eq!(old, Some(note(2)));
    assert_eq!(
        again.replace().returning_new().send(&db).await.unwrap(),
        again
    );
    let update = Note::update("ann", 1).set(Note::SECRET, "plain one");
    let updated = update.returning_new().send(&db).await.unwrap();
    assert_eq!(updated.secret, "plain one");
    let update = Note::update_loaded(&updated)
        .set(Note::COUNT, 7)
        .returning_old();
    assert_eq!(update.send(&db).await.unwrap(), Some(updated));
    let notes: Vec<Note> = (10..40).map(note).collect();
    let batch = db.batch_write().put_all(&notes).delete(Note::key("ann", 2));
    assert!(batch.send().await.unwrap().is_empty());
    db.transact()
        .create(&note(3))
        .update(Note::update("ann", 10).set(Note::SECRET, "plain ten"))
        .delete(Note::delete("ann", 11))
        .check(Note::check("ann", 12).exists())
        .send()
        .await
        .unwrap();
    let moved = Note {
        user: "bob".to_owned(),
        ..note(3)
    };
    Note::rekey(Note::key("ann", 3), &moved)
        .send(&db)
        .await
        .unwrap();
    account("ann").create().send(&db).await.unwrap();
    let changed = Account {
        email: "anna@example.com".to_owned(),
        ..account("ann")
    };
    let update = Account::update_loaded(&account("ann")).set(Account::EMAIL, &changed.email);
    update.send(&db).await.unwrap();
    assert_eq!(Account::get("ann").send(&db).await.unwrap(), Some(changed));
    let deleted = Note::delete("ann", 12).returning_old().send(&db).await;
    assert_eq!(deleted.unwrap(), Some(note(12)));

    let mut expected = vec!["plain", "plain 3", "plain one", "plain ten"];
    let rest: Vec<String> = (13..40).map(|n| format!("plain {n}")).collect();
    expected.extend(rest.iter().map(String::as_str));
    expected.sort_unstable();
    assert_eq!(stored(&engine).await, expected);
    assert!(encrypt.encrypted.load(Ordering::Relaxed) >= 38);
}

#[tokio::test]
async fn every_read_is_decrypted_by_an_interceptor() {
    let (_, encrypt, db) = encrypted().await;
    let notes: Vec<Note> = (1..=5).map(note).collect();
    assert!(
        db.batch_write()
            .put_all(&notes)
            .send()
            .await
            .unwrap()
            .is_empty()
    );
    account("ann").create().send(&db).await.unwrap();
    let secrets: Vec<Secret> = notes
        .iter()
        .map(|Note { n, secret, .. }| Secret {
            n: *n,
            secret: secret.clone(),
        })
        .collect();

    assert_eq!(Note::get("ann", 1).send(&db).await.unwrap(), Some(note(1)));
    assert_eq!(Note::get("ann", 9).send(&db).await.unwrap(), None);
    let projected = Note::get("ann", 1).project::<Secret>().send(&db).await;
    assert_eq!(projected.unwrap(), Some(secrets[0].clone()));

    assert_eq!(Note::query("ann").all(&db).await.unwrap(), notes);
    let page = Note::query("ann").limit(2).send(&db).await.unwrap();
    assert_eq!(page.items, notes[..2]);
    let next = Note::query("ann").after(page.next.unwrap()).send(&db).await;
    assert_eq!(next.unwrap().items, notes[2..]);
    let range = Note::query("ann").n_range(2..4).descending().all(&db).await;
    assert_eq!(range.unwrap(), [note(3), note(2)]);
    let found = Note::query("ann")
        .filter(Note::TOPIC.eq("rust"))
        .all(&db)
        .await;
    assert_eq!(found.unwrap(), notes);
    assert_eq!(Note::query("ann").count(&db).await.unwrap(), 5);
    let projected = Note::query("ann").project::<Secret>().all(&db).await;
    assert_eq!(projected.unwrap(), secrets);
    assert_eq!(Note::by_topic("rust").all(&db).await.unwrap(), notes);
    let hydrated = Note::keys_by_topic("rust").hydrate().all(&db).await;
    assert_eq!(hydrated.unwrap(), notes);
    assert_eq!(collected(Note::query("ann").stream(&db)).await, notes);

    let mut scanned = Note::scan().segments(3).all(&db).await.unwrap();
    scanned.sort_by_key(|note| note.n);
    assert_eq!(scanned, notes);
    assert_eq!(collected(Note::scan().stream(&db)).await.len(), 5);
    let all = Notes::scan().all(&db).await.unwrap();
    assert!(all.contains(&Notes::Account(account("ann"))));

    let keys = || (1..=5).map(|n| Note::key("ann", n));
    let batch = db.batch_get(keys()).await.unwrap();
    assert_eq!(batch.items.into_iter().flatten().collect::<Vec<_>>(), notes);
    let batch = db.batch_get(keys()).project::<Secret>().await.unwrap();
    assert_eq!(
        batch.items.into_iter().flatten().collect::<Vec<_>>(),
        secrets
    );
    let read = db
        .transact_get((Note::key("ann", 1), Account::key("ann")))
        .await;
    assert_eq!(read.unwrap(), (Some(note(1)), Some(account("ann"))));
    assert!(encrypt.decrypted.load(Ordering::Relaxed) > 50);
}

#[tokio::test]
async fn a_handle_says_whether_interceptors_see_items() {
    let (engine, encrypt, db) = encrypted().await;
    assert!(db.shows_items_to_interceptors());
    assert_eq!(
        format!("{db:?}"),
        r#"Table("notes", shows items to interceptors)"#
    );
    assert!(db.clone().shows_items_to_interceptors());
    // Our own interceptor, which makes spans, looks at no items.
    assert!(!Notes::open(engine.client()).shows_items_to_interceptors());
    let traced = Notes::open(engine.client()).trace_keys().client().clone();
    let plain_client = Notes::open(traced);
    assert!(!plain_client.shows_items_to_interceptors());
    assert_eq!(format!("{plain_client:?}"), r#"Table("notes")"#);

    let hidden = db.clone().hide_items_from_interceptors();
    assert!(!hidden.shows_items_to_interceptors());
    note(1).put().send(&db).await.unwrap();
    let before = encrypt.decrypted.load(Ordering::Relaxed);
    let found = Note::get("ann", 1).send(&hidden).await.unwrap().unwrap();
    assert!(found.secret.starts_with("cipher:"));
    assert_eq!(encrypt.decrypted.load(Ordering::Relaxed), before);
}

/// What is checked of a response, and what is tried again, does not depend on the form of its items.
#[tokio::test(start_paused = true)]
async fn faults_are_handled_alike_with_interceptors() {
    use super::server::SPOILED;
    for how in SPOILED {
        let script = move |n, operation: &str, _: &serde_json::Value| match (operation, n) {
            ("PutItem", 0) => error("TransactionConflictException"),
            _ => Does::Spoil(how),
        };
        let (server, client) = Server::client::<Notes>(script).await;
        let config = client.config().to_builder().interceptor(Encrypt::default());
        let db = Notes::open(aws_sdk_dynamodb::Client::from_conf(config.build()));
        let error = note(1).create().send(&db).await.unwrap_err();
        assert!(error.is_outcome_unknown(), "{how:?} {error}");
        assert_eq!(server.asked("PutItem").len(), 2);
        let error = Note::get("ann", 1).send(&db).await.unwrap_err();
        assert!(!error.is_transaction_conflict() && !error.is_outcome_unknown());
    }
}

/// What DynamoDB leaves undone is sent again, encrypted.
#[tokio::test(start_paused = true)]
async fn unprocessed_writes_are_resent_through_interceptors() {
    let (server, client) = Server::client::<Notes>(|n, operation, body| match (operation, n) {
        ("BatchWriteItem", 0) => Does::Respond(
            200,
            serde_json::json!({ "UnprocessedItems": body["RequestItems"] }),
        ),
        _ => Does::Pass,
    })
    .await;
    let config = client.config().to_builder().interceptor(Encrypt::default());
    let db = Notes::open(aws_sdk_dynamodb::Client::from_conf(config.build()));
    let notes: Vec<Note> = (1..=5).map(note).collect();
    assert!(
        db.batch_write()
            .put_all(&notes)
            .send()
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(Note::query("ann").all(&db).await.unwrap(), notes);
    for body in server.asked("BatchWriteItem") {
        let body = body.to_string();
        assert!(!body.contains("plain") && body.contains("cipher:"));
    }
}

/// Puts an attribute of its own into every item that is written.
#[derive(Debug)]
pub(super) struct Audit;

impl Intercept for Audit {
    fn name(&self) -> &'static str {
        "audit"
    }

    fn modify_before_serialization(
        &self,
        context: &mut BeforeSerializationInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let audit = |item: &mut Item| {
            item.insert("audit".to_owned(), AttributeValue::Bool(true));
        };
        let input = context.input_mut();
        if let Some(put) = input.downcast_mut::<PutItemInput>() {
            audit(put.item.as_mut().unwrap());
        } else if let Some(batch) = input.downcast_mut::<BatchWriteItemInput>() {
            let requests = batch.request_items.iter_mut().flatten();
            let requests = requests.flat_map(|(_, requests)| requests);
            let puts = requests.filter_map(|request| request.put_request.as_mut());
            puts.for_each(|put| audit(&mut put.item));
        } else if let Some(batch) = input.downcast_mut::<TransactWriteItemsInput>() {
            let puts = batch.transact_items.iter_mut().flatten();
            let puts = puts.filter_map(|one| one.put.as_mut());
            puts.for_each(|put| audit(&mut put.item));
        }
        Ok(())
    }
}

/// The SDK writes no empty item here, as one that writes requests otherwise would not: what is written is not lost, and not refused.
#[tokio::test]
async fn an_item_is_sent_as_a_map_if_the_request_has_no_place_for_its_bytes() {
    let engine = Embedded::in_memory().unwrap();
    Table::<Notes>::embedded_in(&engine).await.unwrap();
    let config = engine.config().interceptor(Audit).build();
    let db = Notes::open(aws_sdk_dynamodb::Client::from_conf(config));
    let db = db.hide_items_from_interceptors();
    let before = engine.requests();
    note(1).create().send(&db).await.unwrap();
    let batch = db.batch_write().put(&note(2)).delete(Note::key("ann", 9));
    assert!(batch.send().await.unwrap().is_empty());
    db.transact()
        .create(&note(3))
        .put(&note(4))
        .send()
        .await
        .unwrap();
    // Each was sent once.
    assert_eq!(engine.requests() - before, 3);
    let notes: Vec<Note> = (1..=4).map(note).collect();
    assert_eq!(Note::query("ann").all(&db).await.unwrap(), notes);
    let scan = engine.client().scan().table_name("notes").send();
    let items = scan.await.unwrap().items.unwrap();
    assert_eq!(items.len(), 4);
    assert!(items.iter().all(|item| item.contains_key("audit")));
}
