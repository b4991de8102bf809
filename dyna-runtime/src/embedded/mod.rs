//! An in-process DynamoDB engine behind the SDK's own client: no socket, no account, no other process.
//!
//! Requests take the whole way through the SDK (serialization, retries, timeouts, typed errors) up to its HTTP client,
//! which is replaced by a call into the `dynoxide` engine. Nothing here knows of entities or tables.

mod operations;

#[cfg(test)]
mod tests;

use std::error::Error;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use aws_sdk_dynamodb::config::{
    BehaviorVersion, IdentityCache, Region, StalledStreamProtectionConfig,
};
use aws_sdk_dynamodb::{Client, Config};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use dynoxide::Database;

pub(crate) use operations::Reply;

/// An in-process DynamoDB engine, for tests and local development.
///
/// Clones share the tables and the count of requests. The engine answers on the thread that polls the request. Requests need a tokio
/// runtime, since the AWS SDK waits with it; outside of one they fail.
///
/// ```
/// use dyna_runtime::embedded::Embedded;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let engine = Embedded::in_memory()?;
/// let client = engine.client();
/// assert!(client.list_tables().send().await?.table_names().is_empty());
/// assert_eq!(engine.requests(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Embedded {
    database: Database,
    requests: Arc<AtomicU64>,
}

/// The engine could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbeddedError {
    /// The path of the database is not valid UTF-8.
    #[error("the path of the database is not valid UTF-8")]
    Path,
    /// The engine could not open the database.
    #[error("the engine could not open the database")]
    Open(#[source] Box<dyn Error + Send + Sync>),
    /// There is no tokio runtime, which the AWS SDK waits with.
    #[error("{NO_RUNTIME}")]
    NoRuntime,
    /// The time of the tokio runtime is not paused, and a simulation has virtual time.
    #[cfg(feature = "simulate")]
    #[error("{NOT_PAUSED}")]
    NotPaused,
}

const NO_RUNTIME: &str = "the embedded engine is called through the AWS SDK, which needs a tokio runtime: \
    call it in `#[tokio::main] async fn main()`, in `#[tokio::test]` or in `Runtime::block_on`";

#[cfg(feature = "simulate")]
const NOT_PAUSED: &str = "a simulation has virtual time, and the time of this tokio runtime is not paused: \
    run it in `#[tokio::test(start_paused = true)]`, or in a current-thread runtime that is built with `start_paused(true)`";

/// An error if there is no tokio runtime.
pub(crate) fn check_runtime() -> Result<(), EmbeddedError> {
    match tokio::runtime::Handle::try_current() {
        Ok(_) => Ok(()),
        Err(_) => Err(EmbeddedError::NoRuntime),
    }
}

impl EmbeddedError {
    pub(crate) fn open(source: impl Error + Send + Sync + 'static) -> Self {
        Self::Open(Box::new(source))
    }
}

impl Embedded {
    /// Starts an engine without tables, which are gone when the last clone and the last client are.
    ///
    /// # Errors
    ///
    /// When the engine cannot set up its storage.
    pub fn in_memory() -> Result<Self, EmbeddedError> {
        let database = Database::memory().map_err(EmbeddedError::open)?;
        Ok(Self::from(database))
    }

    /// Starts an engine without tables, with a clock of its own for streams and the deletion of expired items.
    #[cfg(feature = "simulate")]
    pub(crate) fn with_clock(
        clock: Arc<dyn dynoxide::storage_backend::Clock>,
    ) -> Result<Self, EmbeddedError> {
        let database = Database::memory_with_clock(clock).map_err(EmbeddedError::open)?;
        Ok(Self::from(database))
    }

    /// Starts an engine on the tables in a file, which is created if there is none.
    ///
    /// # Errors
    ///
    /// When the path is not UTF-8, or the file cannot be opened as a database.
    pub fn file(path: impl AsRef<Path>) -> Result<Self, EmbeddedError> {
        let path = path.as_ref().to_str().ok_or(EmbeddedError::Path)?;
        let database = Database::new(path).map_err(EmbeddedError::open)?;
        Ok(Self::from(database))
    }

    /// A client whose requests this engine answers.
    #[must_use]
    pub fn client(&self) -> Client {
        Client::from_conf(self.config().build())
    }

    /// The configuration of [`client`](Self::client), to be changed before a client is made of it.
    #[must_use]
    pub fn config(&self) -> aws_sdk_dynamodb::config::Builder {
        base_config().http_client(self.clone())
    }

    /// A client of the streams of this engine's tables.
    #[cfg(feature = "streams")]
    #[must_use]
    pub fn streams_client(&self) -> aws_sdk_dynamodbstreams::Client {
        use aws_sdk_dynamodbstreams::config;
        let config = aws_sdk_dynamodbstreams::Config::builder()
            .behavior_version(config::BehaviorVersion::latest())
            .region(config::Region::from_static("us-east-1"))
            .endpoint_url("http://embedded.invalid")
            .allow_no_auth()
            .identity_cache(config::IdentityCache::no_cache())
            .stalled_stream_protection(config::StalledStreamProtectionConfig::disabled())
            .http_client(self.clone());
        aws_sdk_dynamodbstreams::Client::from_conf(config.build())
    }

    /// How many requests have reached the engine, each attempt of a retried one included.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// The engine itself, for what has no request, such as the deletion of expired items.
    ///
    /// Its type changes with the engine's releases and is no part of this crate's stable interface.
    #[must_use]
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Carries out an operation of DynamoDB's protocol.
    pub(crate) fn run(&self, operation: &str, body: &[u8]) -> Reply {
        self.requests.fetch_add(1, Ordering::Relaxed);
        operations::dispatch(&self.database, operation, body)
    }

    fn answer(&self, request: &HttpRequest) -> Result<HttpResponse, ConnectorError> {
        check_runtime().map_err(|error| ConnectorError::user(error.into()))?;
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default();
        let body = request.body().bytes().ok_or_else(|| {
            ConnectorError::user("the embedded engine does not take streamed requests".into())
        })?;
        let Reply { status, body } = self.run(operation, body);
        let status = StatusCode::try_from(status)
            .map_err(|error| ConnectorError::other(error.into(), None))?;
        let mut response = HttpResponse::new(status, SdkBody::from(body));
        response
            .headers_mut()
            .insert("content-type", "application/x-amz-json-1.0");
        Ok(response)
    }
}

/// The configuration of a client without its HTTP client.
pub(crate) fn base_config() -> aws_sdk_dynamodb::config::Builder {
    Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static("us-east-1"))
        .endpoint_url("http://embedded.invalid")
        .allow_no_auth()
        // Both watch over what an engine in the same process does not do, with timers that panic where there is no runtime.
        .identity_cache(IdentityCache::no_cache())
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
}

/// An engine that was set up by hand, with a clock of one's own for instance.
impl From<Database> for Embedded {
    fn from(database: Database) -> Self {
        Self {
            database,
            requests: Arc::default(),
        }
    }
}

impl fmt::Debug for Embedded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Embedded")
            .field("requests", &self.requests())
            .finish_non_exhaustive()
    }
}

impl HttpConnector for Embedded {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let engine = self.clone();
        // Not before the first poll, so that a request that is dropped or has timed out changes nothing.
        HttpConnectorFuture::new(async move { engine.answer(&request) })
    }
}

impl HttpClient for Embedded {
    fn http_connector(
        &self,
        _settings: &HttpConnectorSettings,
        _components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}
