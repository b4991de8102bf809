//! What the spans of requests say, and what they keep to themselves.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Region};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, Once};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(
    name = "traced-{stage}",
    pk = "pk",
    sk = "sk",
    index(gsi1, pk = "gsi1pk", sk = "sk")
)]
enum Traced {
    Note(Note),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Traced,
    pk = "USER#<user>",
    sk = "NOTE#<n:04>",
    gsi1(as = by_colour, pk = "COLOUR#<colour>", sk = "NOTE#<n:04>"),
)]
struct Note {
    user: String,
    n: u16,
    colour: String,
}

fn note(n: u16) -> Note {
    Note {
        user: "secret-ann".to_owned(),
        n,
        colour: "red".to_owned(),
    }
}

type Fields = BTreeMap<&'static str, String>;

/// Keeps the fields of all spans of ours, in the order in which they were opened, and counts those that were closed.
#[derive(Clone, Default)]
struct Kept {
    spans: Arc<Mutex<Vec<Fields>>>,
    closed: Arc<Mutex<usize>>,
}

struct Fill<'f>(&'f mut Fields);

impl Visit for Fill<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

impl Subscriber for Kept {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("dyna_runtime")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields::new();
        span.record(&mut Fill(&mut fields));
        let mut spans = self.spans.lock().unwrap();
        spans.push(fields);
        Id::from_u64(spans.len() as u64)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let at = usize::try_from(span.into_u64()).unwrap() - 1;
        values.record(&mut Fill(&mut self.spans.lock().unwrap()[at]));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}

    fn try_close(&self, _: Id) -> bool {
        *self.closed.lock().unwrap() += 1;
        true
    }
}

impl Kept {
    /// The spans since the last call, all of which have ended.
    fn take(&self) -> Vec<Fields> {
        let spans = std::mem::take(&mut *self.spans.lock().unwrap());
        let closed = std::mem::take(&mut *self.closed.lock().unwrap());
        assert_eq!(closed, spans.len());
        spans
    }

    fn one(&self) -> Fields {
        let mut spans = self.take();
        assert_eq!(spans.len(), 1, "{spans:?}");
        spans.remove(0)
    }
}

/// Listens on this thread. Another one listens everywhere: without it, a request of another test that no one listens to could turn
/// the spans off for all.
fn listen() -> (Kept, tracing::subscriber::DefaultGuard) {
    static EVERYWHERE: Once = Once::new();
    EVERYWHERE.call_once(|| tracing::subscriber::set_global_default(Kept::default()).unwrap());
    let kept = Kept::default();
    let guard = tracing::subscriber::set_default(kept.clone());
    (kept, guard)
}

async fn traced() -> (Kept, tracing::subscriber::DefaultGuard, Table<Traced>) {
    let db = Table::embedded_in(&Embedded::in_memory().unwrap())
        .await
        .unwrap();
    for n in 0..5 {
        note(n).create().send(&db).await.unwrap();
    }
    let (kept, guard) = listen();
    (kept, guard, db)
}

/// The fields of a span, without those that every span has.
fn fields<const N: usize>(operation: &str, more: [(&'static str, &str); N]) -> Fields {
    let common = [
        ("db.system.name", "aws.dynamodb"),
        ("otel.kind", "client"),
        ("db.collection.name", "traced-embedded"),
        ("aws.dynamodb.table_names", r#"["traced-embedded"]"#),
    ];
    let named = [
        ("db.operation.name", operation.to_owned()),
        ("otel.name", format!("{operation} traced-embedded")),
    ];
    let text = common.into_iter().chain(more);
    text.map(|(name, value)| (name, value.to_owned()))
        .chain(named)
        .collect()
}

#[tokio::test]
async fn query_span_has_parameters_and_scanned_count() {
    let (kept, _guard, db) = traced().await;
    let red = Note::COLOUR.eq("blue".to_owned());
    let query = Note::query("secret-ann")
        .descending()
        .page_size(3)
        .filter(red);
    query.clone().send(&db).await.unwrap();
    let expected = fields(
        "Query",
        [
            ("aws.dynamodb.scan_forward", "false"),
            ("aws.dynamodb.limit", "3"),
            ("aws.dynamodb.count", "0"),
            ("aws.dynamodb.scanned_count", "3"),
        ],
    );
    assert_eq!(kept.one(), expected);
    query.all(&db).await.unwrap();
    assert_eq!(kept.take().len(), 2);

    Note::by_colour("red").send(&db).await.unwrap();
    let expected = fields(
        "Query",
        [
            ("aws.dynamodb.index_name", "gsi1"),
            ("aws.dynamodb.count", "5"),
            ("aws.dynamodb.scanned_count", "5"),
        ],
    );
    assert_eq!(kept.one(), expected);
}

#[tokio::test]
async fn every_request_has_one_span() {
    let (kept, _guard, db) = traced().await;
    Note::get("secret-ann", 1u16)
        .consistent()
        .send(&db)
        .await
        .unwrap();
    let consistent = [("aws.dynamodb.consistent_read", "true")];
    assert_eq!(kept.one(), fields("GetItem", consistent));
    note(1).put().send(&db).await.unwrap();
    assert_eq!(kept.one(), fields("PutItem", []));
    Note::delete("secret-ann", 9u16).send(&db).await.unwrap();
    assert_eq!(kept.one(), fields("DeleteItem", []));
    let keys = || (0..3_u16).map(|n| Note::key("secret-ann", n));
    db.batch_get(keys()).await.unwrap();
    let three = [("db.operation.batch.size", "3")];
    assert_eq!(kept.one(), fields("BatchGetItem", three));
    db.transact_get(keys().collect::<Vec<_>>()).await.unwrap();
    assert_eq!(kept.one(), fields("TransactGetItems", three));
    let [first, second] = [6, 7].map(note);
    db.transact()
        .create(&first)
        .create(&second)
        .send()
        .await
        .unwrap();
    let two = [("db.operation.batch.size", "2")];
    assert_eq!(kept.one(), fields("TransactWriteItems", two));
    let found = Note::scan().segments(2).all(&db).await.unwrap();
    let spans = kept.take();
    let sum = |name| {
        spans
            .iter()
            .map(move |span| span[name].parse::<usize>().unwrap())
    };
    assert_eq!(sum("aws.dynamodb.count").sum::<usize>(), found.len());
    assert_eq!(sum("aws.dynamodb.segment").collect::<Vec<_>>(), [0, 1]);
    assert_eq!(
        sum("aws.dynamodb.total_segments").collect::<Vec<_>>(),
        [2, 2]
    );
}

#[tokio::test]
async fn an_error_says_its_type() {
    let (kept, _guard, db) = traced().await;
    note(1).create().send(&db).await.unwrap_err();
    let failed = [
        ("otel.status_code", "ERROR"),
        ("error.type", "ConditionalCheckFailedException"),
    ];
    assert_eq!(kept.one(), fields("PutItem", failed));
    // No request, no span.
    Note::get("a#b", 1u16).send(&db).await.unwrap_err();
    assert_eq!(kept.take().len(), 0);
}

#[tokio::test]
async fn keys_are_shown_only_on_request() {
    let (kept, _guard, plain) = traced().await;
    let db = plain.clone().trace_keys();
    let get = || Note::get("secret-ann", 1u16);
    get().send(&plain).await.unwrap();
    Note::query("secret-ann")
        .n_range(1..3)
        .send(&plain)
        .await
        .unwrap();
    assert!(!format!("{:?}", kept.take()).contains("secret"));

    get().send(&db).await.unwrap();
    let key = r#"["pk=\"USER#secret-ann\", sk=\"NOTE#0001\""]"#;
    assert_eq!(kept.one()["dyna.keys"], key);
    note(1).put().send(&db).await.unwrap();
    assert_eq!(kept.one()["dyna.keys"], key);
    Note::query("secret-ann")
        .n_range(1..3)
        .send(&db)
        .await
        .unwrap();
    let shown = kept.one()["dyna.keys"].clone();
    for part in [":p=", "USER#secret-ann", ":s=", "NOTE#0001", ":t="] {
        assert!(shown.contains(part), "{shown}");
    }
    db.batch_get([Note::key("secret-ann", 1u16)]).await.unwrap();
    assert_eq!(kept.one()["dyna.keys"], key);
}

#[tokio::test]
async fn capacity_is_requested_only_on_demand() {
    let (kept, _guard, plain) = traced().await;
    let db = plain.clone().trace_capacity();
    let get = || Note::get("secret-ann", 1u16);
    get().send(&plain).await.unwrap();
    assert_eq!(kept.one().get("aws.dynamodb.consumed_capacity"), None);
    get().send(&db).await.unwrap();
    let span = kept.one();
    let capacity = &span["aws.dynamodb.consumed_capacity"];
    assert!(
        capacity.contains("traced-embedded") && capacity.contains("CapacityUnits"),
        "{capacity}"
    );
    db.batch_get([Note::key("secret-ann", 1u16)]).await.unwrap();
    let span = kept.one();
    assert!(span["aws.dynamodb.consumed_capacity"].contains("CapacityUnits"));
}

/// A way that leads nowhere.
#[derive(Debug, Clone)]
struct Nowhere;

impl HttpConnector for Nowhere {
    fn call(&self, _: HttpRequest) -> HttpConnectorFuture {
        HttpConnectorFuture::ready(Err(ConnectorError::user("nowhere".into())))
    }
}

impl HttpClient for Nowhere {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

#[tokio::test]
async fn request_without_a_response_has_a_span() {
    let (kept, _guard) = listen();
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("local"))
        .endpoint_url("http://localhost")
        .allow_no_auth()
        .http_client(Nowhere);
    let db = Traced::open(Client::from_conf(config.build())).with_variable("stage", "x");
    Note::get("ann", 1u16).send(&db).await.unwrap_err();
    let span = kept.one();
    assert_eq!(span["otel.status_code"], "ERROR");
    assert_eq!(span["error.type"], "connection");
    assert_eq!(span["db.collection.name"], "traced-x");
}
