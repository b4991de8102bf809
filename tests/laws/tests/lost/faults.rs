//! The engine behind a connection on which responses are lost.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::Intercept;
use aws_sdk_dynamodb::config::retry::{RetryConfig, RetryPartition};
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaTable, Table};
use serde_json::{Value, json};
use std::fmt;
use std::io::ErrorKind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What happens to one attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing: it is applied, and its response arrives.
    None,
    /// It is applied, and the connection is reset before the response arrives.
    AppliedThenReset,
    /// It is applied, and the response is an error of the server.
    AppliedThen500,
    /// It is applied, and no response comes in time.
    AppliedThenSilence,
    /// It never arrives, and the connection is reset.
    Reset,
    /// It is not applied, for an error of the server.
    Http500,
    /// It is not applied: too many requests.
    Throttled,
    /// It is not applied: what DynamoDB refuses for another reason, such as credentials that have expired.
    Refused,
    /// There is no connection.
    NotConnected,
    /// It is applied, and then packets are lost until the socket gives up, with what the network said of the host.
    AppliedThenUnreachable(ErrorKind),
    /// It is not applied: another content came with its token.
    OtherContent,
    /// It is not applied: a transaction whose condition failed, for no item.
    ConditionFailed,
    /// It is not applied: another transaction is at the item.
    Conflict,
    /// Nothing is lost, but a refusal comes without the item that it was refused for.
    WithoutItem,
}

/// Every way to lose the response of what was applied.
pub(crate) const LOST: [Fault; 3] = [
    Fault::AppliedThenReset,
    Fault::AppliedThen500,
    Fault::AppliedThenSilence,
];

type Plan = dyn Fn(usize, &str) -> Fault + Send + Sync;

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// The engine as most clients reach it.
pub(crate) type Faults = Engine<false>;

/// The operations that write.
const WRITES: [&str; 5] = [
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "BatchWriteItem",
    "TransactWriteItems",
];

/// An engine whose attempts go through a plan, which is told how many there were before: one for writes, and one for reads. With
/// `INTERCEPTED` the client carries an interceptor, so that items travel in the SDK's maps.
#[derive(Clone)]
pub(crate) struct Engine<const INTERCEPTED: bool> {
    database: Embedded,
    sent: Arc<Mutex<Vec<(String, String, Fault)>>>,
    reads: Arc<AtomicUsize>,
    plan: Arc<Plan>,
    read_plan: Arc<Plan>,
}

impl<const INTERCEPTED: bool> Engine<INTERCEPTED> {
    /// A table on which these faults happen to the attempts of writes, one after the other, and none after them.
    pub(crate) async fn table<T: DynaTable>(faults: &[Fault]) -> (Self, Table<T>) {
        Self::planned(in_turn(faults)).await
    }

    pub(crate) async fn planned<T: DynaTable>(
        plan: impl Fn(usize, &str) -> Fault + Send + Sync + 'static,
    ) -> (Self, Table<T>) {
        Self::planned_with_reads(plan, |_, _| Fault::None).await
    }

    /// A table on which faults happen to reads, too.
    pub(crate) async fn planned_with_reads<T: DynaTable>(
        plan: impl Fn(usize, &str) -> Fault + Send + Sync + 'static,
        read_plan: impl Fn(usize, &str) -> Fault + Send + Sync + 'static,
    ) -> (Self, Table<T>) {
        let engine = Embedded::in_memory().unwrap();
        Table::<T>::embedded_in(&engine).await.unwrap();
        let server = Self {
            database: engine,
            sent: Arc::default(),
            reads: Arc::default(),
            plan: Arc::new(plan),
            read_plan: Arc::new(read_plan),
        };
        let db = server.open();
        (server, db)
    }

    fn open<T: DynaTable>(&self) -> Table<T> {
        // One for each: the SDK stops retrying when too many of one partition have failed.
        let partition = format!("lost {}", COUNT.fetch_add(1, Ordering::Relaxed));
        let timeouts = TimeoutConfig::builder().operation_attempt_timeout(Duration::from_secs(2));
        let config = self.database.config().http_client(self.clone());
        let config = config.retry_partition(RetryPartition::new(partition));
        let config = config.timeout_config(timeouts.build());
        let mut config = config.retry_config(RetryConfig::standard().with_max_attempts(3));
        if INTERCEPTED {
            config = config.interceptor(Idle);
        }
        Table::open(Client::from_conf(config.build()))
    }

    /// Whether the client carries an interceptor.
    pub(crate) const IS_INTERCEPTED: bool = INTERCEPTED;

    /// A handle whose requests go to the engine as they are.
    pub(crate) fn direct<T: DynaTable>(&self) -> Table<T> {
        Table::open(self.database.client())
    }

    /// The bodies of the attempts of an operation.
    pub(crate) fn bodies(&self, operation: &str) -> Vec<String> {
        let sent = self.sent.lock().unwrap();
        let sent = sent.iter().filter(|(sent, ..)| sent == operation);
        sent.map(|(_, body, _)| body.clone()).collect()
    }

    /// What happened to each attempt of a write.
    pub(crate) fn happened(&self) -> Vec<Fault> {
        let sent = self.sent.lock().unwrap();
        sent.iter().map(|(.., fault)| *fault).collect()
    }

    /// How many attempts of reads there were.
    pub(crate) fn reads(&self) -> usize {
        self.reads.load(Ordering::Relaxed)
    }

    fn fault(&self, request: &HttpRequest) -> Fault {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
        if !WRITES.contains(&operation.as_str()) {
            let n = self.reads.fetch_add(1, Ordering::Relaxed);
            return (self.read_plan)(n, &operation);
        }
        let body = String::from_utf8_lossy(request.body().bytes().unwrap()).into_owned();
        let mut sent = self.sent.lock().unwrap();
        let fault = (self.plan)(sent.len(), &operation);
        sent.push((operation, body, fault));
        fault
    }
}

/// These faults, one after the other, and none after them.
pub(crate) fn in_turn(faults: &[Fault]) -> impl Fn(usize, &str) -> Fault + Send + Sync + 'static {
    let faults = faults.to_vec();
    move |n, _| faults.get(n).copied().unwrap_or(Fault::None)
}

/// An interceptor that does nothing, as far as Dyna can know.
#[derive(Debug)]
struct Idle;

impl Intercept for Idle {
    fn name(&self) -> &'static str {
        "Idle"
    }
}

impl<const INTERCEPTED: bool> fmt::Debug for Engine<INTERCEPTED> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Engine")
    }
}

fn refusal(status: u16, code: &str) -> HttpResponse {
    let code = format!("com.amazonaws.dynamodb.v20120810#{code}");
    let body: Value = json!({ "__type": code, "message": "said by the server" });
    let mut response = HttpResponse::new(status.try_into().unwrap(), body.to_string().into());
    let headers = response.headers_mut();
    headers.insert("content-type", "application/x-amz-json-1.0");
    response
}

fn cancelled(reason: &str) -> HttpResponse {
    let body = json!({
        "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
        "message": "said by the server",
        "CancellationReasons": [{ "Code": reason, "Message": "said too" }],
    });
    let mut response = HttpResponse::new(400.try_into().unwrap(), body.to_string().into());
    let headers = response.headers_mut();
    headers.insert("content-type", "application/x-amz-json-1.0");
    response
}

/// The response without the items for which a condition failed.
fn without_items(response: HttpResponse) -> HttpResponse {
    let body = response.body().bytes().unwrap();
    let mut body: Value = serde_json::from_slice(body).unwrap();
    let members = body.as_object_mut().unwrap();
    members.remove("Item");
    let reasons = members.get_mut("CancellationReasons");
    for reason in reasons.and_then(Value::as_array_mut).into_iter().flatten() {
        reason.as_object_mut().unwrap().remove("Item");
    }
    let mut stripped = HttpResponse::new(response.status(), body.to_string().into());
    let headers = stripped.headers_mut();
    headers.insert("content-type", "application/x-amz-json-1.0");
    stripped
}

fn broken(kind: ErrorKind) -> ConnectorError {
    ConnectorError::io(Box::new(std::io::Error::from(kind)))
}

impl<const INTERCEPTED: bool> HttpConnector for Engine<INTERCEPTED> {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let fault = self.fault(&request);
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let is_transaction = target.ends_with("TransactWriteItems");
        let applied = match fault {
            Fault::None => return self.database.call(request),
            Fault::WithoutItem => {
                let sent = self.database.call(request);
                return HttpConnectorFuture::new(async move { Ok(without_items(sent.await?)) });
            }
            Fault::AppliedThenReset
            | Fault::AppliedThen500
            | Fault::AppliedThenSilence
            | Fault::AppliedThenUnreachable(_) => Some(self.database.call(request)),
            _ => None,
        };
        HttpConnectorFuture::new(async move {
            if let Some(applied) = applied {
                applied.await?;
            }
            match fault {
                Fault::AppliedThen500 | Fault::Http500 => Ok(refusal(500, "InternalServerError")),
                Fault::Throttled => Ok(refusal(400, "ProvisionedThroughputExceededException")),
                Fault::Refused => Ok(refusal(400, "ExpiredTokenException")),
                Fault::ConditionFailed => Ok(cancelled("ConditionalCheckFailed")),
                Fault::Conflict if is_transaction => Ok(cancelled("TransactionConflict")),
                Fault::Conflict => Ok(refusal(400, "TransactionConflictException")),
                Fault::OtherContent => Ok(refusal(400, "IdempotentParameterMismatchException")),
                Fault::AppliedThenSilence => std::future::pending().await,
                Fault::NotConnected => Err(broken(ErrorKind::ConnectionRefused).never_connected()),
                Fault::AppliedThenUnreachable(kind) => Err(broken(kind)),
                _ => Err(broken(ErrorKind::ConnectionReset)),
            }
        })
    }
}

impl<const INTERCEPTED: bool> HttpClient for Engine<INTERCEPTED> {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}
