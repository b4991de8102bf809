//! Pages: where they end, what they cost, and queries that are stored.

use aws_sdk_dynamodb::Client;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::error::CursorError;
use dyna_runtime::{DynaEntity, DynaTable, EntityQuery, Error, Table};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "notes", pk = "pk", sk = "sk"),
    pk = "USER#<user>",
    sk = "<n:04>"
)]
struct Note {
    user: String,
    n: u16,
}

fn note(user: &str, n: u16) -> Note {
    Note {
        user: user.to_owned(),
        n,
    }
}

/// Answers every request alike.
#[derive(Debug, Clone)]
struct Canned {
    body: &'static str,
    asked: Arc<AtomicUsize>,
}

impl HttpConnector for Canned {
    fn call(&self, _: HttpRequest) -> HttpConnectorFuture {
        // A loop that does not end would fill the memory before the test fails.
        assert!(self.asked.fetch_add(1, Ordering::Relaxed) < 100);
        let mut response = HttpResponse::new(200.try_into().unwrap(), SdkBody::from(self.body));
        response
            .headers_mut()
            .insert("content-type", "application/x-amz-json-1.0");
        HttpConnectorFuture::ready(Ok(response))
    }
}

impl HttpClient for Canned {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

fn canned(body: &'static str) -> (Table<Note>, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let server = Canned {
        body,
        asked: asked.clone(),
    };
    let config = Embedded::in_memory().unwrap().config().http_client(server);
    (Note::open(Client::from_conf(config.build())), asked)
}

const UNCHANGING: &str = r#"{"Count":0,"ScannedCount":0,"Items":[],
    "LastEvaluatedKey":{"pk":{"S":"USER#ann"},"sk":{"S":"0001"}}}"#;

async fn stream_to_error(items: dyna_runtime::ItemStream<Note>) -> Error {
    use futures_core::Stream;
    let mut items = std::pin::pin!(items);
    loop {
        match std::future::poll_fn(|context| items.as_mut().poll_next(context)).await {
            Some(Err(error)) => return error,
            Some(Ok(_)) => {}
            None => panic!("no error"),
        }
    }
}

#[tokio::test]
async fn last_evaluated_key_that_does_not_change_is_an_error() {
    let (db, asked) = canned(UNCHANGING);
    let errors = [
        ("Query", Note::query("ann").all(&db).await.unwrap_err()),
        (
            "Query",
            Note::query("ann").limit(5).send(&db).await.unwrap_err(),
        ),
        (
            "Query",
            Note::query("ann").prefetch(3).all(&db).await.unwrap_err(),
        ),
        ("Query", Note::query("ann").count(&db).await.unwrap_err()),
        (
            "Query",
            Note::query_many(["ann", "bob"]).all(&db).await.unwrap_err(),
        ),
        (
            "Query",
            stream_to_error(Note::query("ann").stream(&db)).await,
        ),
        ("Scan", Note::scan().all(&db).await.unwrap_err()),
        ("Scan", Note::scan().limit(5).send(&db).await.unwrap_err()),
        ("Scan", Note::scan().count(&db).await.unwrap_err()),
        ("Scan", stream_to_error(Note::scan().stream(&db)).await),
    ];
    for (n, (operation, error)) in errors.iter().enumerate() {
        assert!(matches!(error, Error::NoProgress { .. }), "{n}: {error}");
        let text = error.to_string();
        assert!(
            text.starts_with(&format!("Note: {operation} of table `notes` ")),
            "{text}"
        );
        assert!(!text.contains("ann"), "{text}");
    }
    assert!(asked.load(Ordering::Relaxed) < 40);
}

#[tokio::test]
async fn segment_that_does_not_exist_is_refused_before_any_request() {
    let (db, asked) = canned("{}");
    for (segment, of) in [(4, 4), (5, 4), (0, 0), (0, 1_000_001), (u32::MAX, u32::MAX)] {
        let scan = || Note::scan().segment(segment, of);
        for error in [
            scan().all(&db).await.unwrap_err(),
            scan().send(&db).await.unwrap_err(),
            scan().count(&db).await.unwrap_err(),
            stream_to_error(scan().stream(&db)).await,
        ] {
            assert!(
                matches!(error, Error::Segment { entity: "Note", .. }),
                "{error}"
            );
        }
    }
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    let db = Note::embedded().await.unwrap();
    note("ann", 1).put().send(&db).await.unwrap();
    let mut found = 0;
    for segment in 0..3 {
        found += Note::scan()
            .segment(segment, 3)
            .all(&db)
            .await
            .unwrap()
            .len();
    }
    assert_eq!(found, 1);
}

/// With sort keys of usual length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "events", pk = "pk", sk = "sk"),
    pk = "USER#<user>",
    sk = "<n:04>#<id>"
)]
struct Event {
    user: String,
    n: u16,
    id: String,
}

#[tokio::test]
async fn page_of_many_partitions_has_a_cursor() {
    let db = Event::embedded().await.unwrap();
    // 800 partitions, each in a place of its own.
    let users: Vec<String> = (0..800).map(|n| format!("{n:04}")).collect();
    let event = |user: &String, n| Event {
        user: user.clone(),
        n,
        id: format!("{user}-{}", "x".repeat(40)),
    };
    let events: Vec<_> = users
        .iter()
        .flat_map(|user| [event(user, 1), event(user, 2)])
        .collect();
    let left = db.batch_write().put_all(&events).send().await.unwrap();
    assert!(left.is_empty());
    let query = || Event::query_many(users.iter().map(String::as_str)).limit(1000);
    let first = query().send(&db).await.unwrap();
    assert_eq!(first.items.len(), 1000);
    let second = query().after(first.next).send(&db).await.unwrap();
    assert_eq!(second.items.len(), 600);
}

#[tokio::test]
async fn page_of_too_many_partitions_is_refused_before_any_request() {
    let (db, asked) = canned("{}");
    let users: Vec<String> = (0..1001).map(|n| format!("{n}")).collect();
    let query = || Note::query_many(users.iter().map(String::as_str)).limit(10);
    let error = query().send(&db).await.unwrap_err();
    let too_many = CursorError::TooManyPartitions;
    assert!(
        matches!(error, Error::Cursor { source, .. } if source == too_many),
        "{error}"
    );
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    let db = Note::embedded().await.unwrap();
    assert!(query().all(&db).await.unwrap().is_empty());
    assert!(
        query()
            .sequential()
            .send(&db)
            .await
            .unwrap()
            .items
            .is_empty()
    );
}

/// A query as a value: stored, returned, and with a step that may be missing.
struct Inbox {
    query: EntityQuery<Note>,
}

fn since(user: &str, since: Option<u16>) -> EntityQuery<Note> {
    let query = Note::query(user).descending();
    match since {
        Some(since) => query.n_range(since..),
        None => query.finish(),
    }
}

#[tokio::test]
async fn query_is_stored_and_a_step_is_optional() {
    let db = Note::embedded().await.unwrap();
    for n in 1..=3 {
        note("ann", n).put().send(&db).await.unwrap();
    }
    let inbox = Inbox {
        query: since("ann", None),
    };
    assert_eq!(inbox.query.all(&db).await.unwrap().len(), 3);
    assert_eq!(
        since("ann", Some(2)).all(&db).await.unwrap(),
        [note("ann", 3), note("ann", 2)]
    );
}

#[tokio::test]
async fn page_has_consumed_capacity_on_request() {
    let db = Note::embedded().await.unwrap();
    for n in 1..=3 {
        note("ann", n).put().send(&db).await.unwrap();
    }
    let page = Note::query("ann").send(&db).await.unwrap();
    assert_eq!(page.consumed_capacity, None);
    let page = Note::query("ann")
        .return_consumed_capacity()
        .send(&db)
        .await
        .unwrap();
    assert_eq!(page.consumed_capacity, Some(0.5));
    let page = Note::query("ann")
        .return_consumed_capacity()
        .page_size(1)
        .limit(3)
        .send(&db)
        .await
        .unwrap();
    assert!(page.consumed_capacity.unwrap() >= 1.5);
    let page = Note::query_many(["ann", "bob"])
        .return_consumed_capacity()
        .send(&db)
        .await
        .unwrap();
    assert!(page.consumed_capacity.unwrap() >= 0.5);
    let page = Note::scan()
        .return_consumed_capacity()
        .send(&db)
        .await
        .unwrap();
    assert_eq!(page.consumed_capacity, Some(0.5));
}
