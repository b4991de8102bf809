//! `create_table`, `verify` and `add_missing_indexes` where things take their time, as they do on AWS.

use super::{Library, Loan};
use aws_sdk_dynamodb::Client;
use aws_smithy_async::rt::sleep::{AsyncSleep, Sleep};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What DynamoDB says before it says what the engine does.
enum Says {
    /// The description of the table, changed.
    Described(fn(&mut Value)),
    /// An answer of its own.
    Answer(u16, Value),
}

type Script = dyn Fn(&str, usize) -> Option<Says> + Send + Sync;

/// The engine behind a server that is slower, by a script: it is told the operation, and how many of it there were.
#[derive(Clone)]
struct Slow {
    engine: Embedded,
    script: Arc<Script>,
    /// The operations, and `wait` for each second of waiting.
    log: Arc<Mutex<Vec<String>>>,
}

impl Slow {
    fn new(
        engine: &Embedded,
        script: impl Fn(&str, usize) -> Option<Says> + Send + Sync + 'static,
    ) -> Self {
        Self {
            engine: engine.clone(),
            script: Arc::new(script),
            log: Arc::default(),
        }
    }

    fn open<T: DynaTable>(&self) -> Table<T> {
        let config = self.engine.config().http_client(self.clone());
        Table::open(Client::from_conf(config.sleep_impl(self.clone()).build()))
    }

    fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }
}

impl fmt::Debug for Slow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Slow")
    }
}

impl AsyncSleep for Slow {
    fn sleep(&self, duration: Duration) -> Sleep {
        // The SDK's own timeouts never come.
        if duration != Duration::from_secs(1) {
            return Sleep::new(std::future::pending());
        }
        self.log.lock().unwrap().push("wait".to_owned());
        Sleep::new(std::future::ready(()))
    }
}

fn answer(status: u16, body: &Value) -> HttpResponse {
    let mut response =
        HttpResponse::new(status.try_into().unwrap(), SdkBody::from(body.to_string()));
    let headers = response.headers_mut();
    headers.insert("content-type", "application/x-amz-json-1.0");
    response
}

impl HttpConnector for Slow {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap().to_owned();
        let mut log = self.log.lock().unwrap();
        let before = log.iter().filter(|logged| **logged == operation).count();
        log.push(operation.clone());
        drop(log);
        match (self.script)(&operation, before) {
            None => self.engine.call(request),
            Some(Says::Answer(status, body)) => {
                HttpConnectorFuture::ready(Ok(answer(status, &body)))
            }
            Some(Says::Described(change)) => {
                let described = self.engine.call(request);
                HttpConnectorFuture::new(async move {
                    let described = described.await?;
                    let mut body =
                        serde_json::from_slice(described.body().bytes().unwrap()).unwrap();
                    change(&mut body);
                    Ok(answer(200, &body))
                })
            }
        }
    }
}

impl HttpClient for Slow {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

fn creating(described: &mut Value) {
    described["Table"]["TableStatus"] = json!("CREATING");
}

fn deleting(described: &mut Value) {
    described["Table"]["TableStatus"] = json!("DELETING");
}

fn building(described: &mut Value) {
    described["Table"]["GlobalSecondaryIndexes"][0]["IndexStatus"] = json!("CREATING");
}

/// The expiry and the backups of a table are not there before the table is.
#[tokio::test]
async fn a_table_is_waited_for() {
    let engine = Embedded::in_memory().unwrap();
    let slow = Slow::new(&engine, |operation, before| match (operation, before) {
        // The first is before it is created.
        ("DescribeTable", 1..4) => Some(Says::Described(creating)),
        ("UpdateContinuousBackups", 0..2) => Some(Says::Answer(
            400,
            json!({"__type": "com.amazonaws.dynamodb.v20120810#ContinuousBackupsUnavailableException"}),
        )),
        ("UpdateContinuousBackups", _) => Some(Says::Answer(200, json!({}))),
        _ => None,
    });
    let db = slow.open::<Library>().with_variable("stage", "test");
    db.create_table().await.unwrap();
    assert_eq!(
        slow.log(),
        [
            "DescribeTable",
            "CreateTable",
            "DescribeTable",
            "wait",
            "DescribeTable",
            "wait",
            "DescribeTable",
            "wait",
            "DescribeTable",
            "UpdateTimeToLive",
            "UpdateContinuousBackups",
            "wait",
            "UpdateContinuousBackups",
            "wait",
            "UpdateContinuousBackups",
        ]
    );
}

#[tokio::test]
async fn a_table_that_never_comes_is_an_error() {
    let engine = Embedded::in_memory().unwrap();
    let slow = Slow::new(&engine, |operation, before| match (operation, before) {
        ("DescribeTable", 1..) => Some(Says::Described(creating)),
        _ => None,
    });
    let error = slow.open::<Loan>().create_table().await.unwrap_err();
    assert!(matches!(&error, Error::TableNotActive { table } if table == "loans"));
    let said = "table `loans` is not active after ten minutes, is being deleted or archived, or the client has no `AsyncSleep` to wait with";
    assert_eq!(error.to_string(), said);
    let waits = slow.log().iter().filter(|logged| *logged == "wait").count();
    assert_eq!(waits, 600);
}

#[tokio::test]
async fn a_table_that_goes_away_is_not_there() {
    let engine = Embedded::in_memory().unwrap();
    Loan::open(engine.client()).create_table().await.unwrap();
    let slow = Slow::new(&engine, |operation, _| match operation {
        "DescribeTable" => Some(Says::Described(deleting)),
        _ => None,
    });
    let error = slow.open::<Loan>().create_table().await.unwrap_err();
    assert!(matches!(error, Error::TableNotActive { .. }), "{error}");
    let error = slow.open::<Loan>().add_missing_indexes().await.unwrap_err();
    assert!(matches!(error, Error::TableNotActive { .. }), "{error}");
    assert!(!slow.log().contains(&"wait".to_owned()));
}

#[tokio::test]
async fn an_index_that_is_being_built_is_a_difference() {
    let engine = Embedded::in_memory().unwrap();
    Loan::open(engine.client()).create_table().await.unwrap();
    let slow = Slow::new(&engine, |operation, _| match operation {
        "DescribeTable" => Some(Says::Described(building)),
        _ => None,
    });
    let found = slow.open::<Loan>().differences().await.unwrap();
    assert_eq!(
        found.to_string(),
        "table `loans` is not as declared:
  index `by_reader`: declared global index, found global index that is being built"
    );
    assert!(!found.breaking().is_empty());
}

/// The engine knows no backups.
#[tokio::test]
async fn recovery_that_is_off_is_a_difference() {
    for (status, lines) in [("ENABLED", 0), ("DISABLED", 1)] {
        let engine = Embedded::in_memory().unwrap();
        let db = Library::open(engine.client()).with_variable("stage", "test");
        db.create_table().await.unwrap();
        let slow = Slow::new(&engine, move |operation, _| match operation {
            "DescribeContinuousBackups" => {
                let recovery = json!({ "PointInTimeRecoveryStatus": status });
                let backups = json!({ "ContinuousBackupsStatus": "ENABLED", "PointInTimeRecoveryDescription": recovery });
                let described = json!({ "ContinuousBackupsDescription": backups });
                Some(Says::Answer(200, described))
            }
            _ => None,
        });
        let db = slow.open::<Library>().with_variable("stage", "test");
        let found = db.differences().await.unwrap();
        let expected = [
            "point-in-time recovery: declared on, found off; `enable_missing_settings` turns it on",
        ];
        let found: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, expected[..lines]);
    }
}

/// [`Loan`] with another index.
#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "loans",
        pk = "pk",
        sk = "sk",
        index(by_reader, pk = "reader"),
        index(by_book, pk = "isbn")
    ),
    pk = "BOOK#<isbn>",
    sk = "SINCE#<since:len=24>#<reader>",
    by_reader(as = of_reader, pk = "<reader>"),
    by_book(pk = "<isbn>")
)]
struct IndexedLoan {
    isbn: String,
    reader: String,
    since: String,
}

/// DynamoDB builds one index at a time.
#[tokio::test]
async fn an_index_is_added_after_those_that_are_being_built() {
    let engine = Embedded::in_memory().unwrap();
    Loan::open(engine.client()).create_table().await.unwrap();
    let slow = Slow::new(&engine, |operation, before| match (operation, before) {
        ("DescribeTable", 0 | 1 | 3 | 4) => Some(Says::Described(building)),
        _ => None,
    });
    let db = slow.open::<IndexedLoan>();
    assert_eq!(db.add_missing_indexes().await.unwrap(), ["by_book"]);
    assert_eq!(
        slow.log(),
        [
            "DescribeTable",
            "wait",
            "DescribeTable",
            "wait",
            "DescribeTable",
            "UpdateTable",
            "DescribeTable",
            "wait",
            "DescribeTable",
            "wait",
            "DescribeTable",
        ]
    );
    assert!(db.differences().await.unwrap().is_empty());
}

/// Descriptions are eventually consistent.
#[tokio::test]
async fn an_index_that_is_not_seen_yet_is_waited_for() {
    let engine = Embedded::in_memory().unwrap();
    Loan::open(engine.client()).create_table().await.unwrap();
    let slow = Slow::new(&engine, |operation, before| match (operation, before) {
        ("DescribeTable", 1) => Some(Says::Described(|described| {
            let indexes = &mut described["Table"]["GlobalSecondaryIndexes"];
            indexes
                .as_array_mut()
                .unwrap()
                .retain(|index| index["IndexName"] == "by_reader");
        })),
        _ => None,
    });
    let db = slow.open::<IndexedLoan>();
    assert_eq!(db.add_missing_indexes().await.unwrap(), ["by_book"]);
    let log = slow.log();
    assert_eq!(
        log,
        [
            "DescribeTable",
            "UpdateTable",
            "DescribeTable",
            "wait",
            "DescribeTable"
        ]
    );
}
