//! A span for each request, under the names of OpenTelemetry.
//!
//! One interceptor of the SDK's does it, on the client of the handle: whatever is sent goes through it, and nothing that sends
//! knows of it. What comes back is read from the response itself, since what the SDK makes of it may be less.

mod request;
mod response;

use crate::schema::TableSchema;
use crate::transport::span::{Current, UNREADABLE, fail};
use crate::transport::{BadResponse, ItemBodies, capacity};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::{
    BeforeSerializationInterceptorContextMut, FinalizerInterceptorContextRef,
};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_smithy_runtime_api::client::orchestrator::Metadata;
use request::RequestSummary;
use response::ResponseSummary;
use std::error::Error as StdError;
use std::sync::Arc;
use tracing::field::{Empty, debug, display};

/// The tracing settings of a handle, and its client.
#[derive(Debug, Clone)]
pub(crate) struct Traced {
    /// The user's own client.
    client: Client,
    tracer: Tracer,
}

impl Traced {
    pub(crate) fn new(client: Client, schema: &'static TableSchema) -> Self {
        let tracer = Tracer {
            schema,
            keys: false,
            capacity: false,
        };
        Self { client, tracer }
    }

    /// With the values of keys.
    pub(crate) fn with_keys(mut self) -> Self {
        self.tracer.keys = true;
        self
    }

    /// With what each request costs.
    pub(crate) fn with_capacity(mut self) -> Self {
        self.tracer.capacity = true;
        self
    }

    /// With another client of the user's in the place of theirs.
    pub(crate) fn with_client(mut self, change: impl FnOnce(&Client) -> Client) -> Self {
        self.client = change(&self.client);
        self
    }

    /// The same client, traced.
    pub(crate) fn client(&self) -> Client {
        let config = self.client.config().to_builder();
        Client::from_conf(config.interceptor(self.tracer.clone()).build())
    }
}

/// Makes a span for each request.
#[derive(Debug, Clone)]
struct Tracer {
    schema: &'static TableSchema,
    keys: bool,
    capacity: bool,
}

/// The name of the interceptor.
pub(crate) const NAME: &str = "dyna: spans";

impl Intercept for Tracer {
    fn name(&self) -> &'static str {
        NAME
    }

    // Before, the SDK does not say which operation it is.
    fn modify_before_serialization(
        &self,
        context: &mut BeforeSerializationInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let operation = config.load::<Metadata>().map_or("", Metadata::name);
        let span = span(operation);
        if !span.is_disabled() {
            let mut about = RequestSummary::of(context.input(), self.keys.then_some(self.schema));
            if let Some(items) = config.load::<ItemBodies>().filter(|_| self.keys) {
                about.add_keys(self.schema, items);
            }
            about.record(operation, &span);
        }
        config
            .interceptor_state()
            .store_put(Current(Arc::new(span)));
        if self.capacity {
            capacity::ask(context.input_mut());
        }
        Ok(())
    }

    fn read_after_execution(
        &self,
        context: &FinalizerInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let Some(Current(span)) = config.load::<Current>() else {
            return Ok(());
        };
        if span.is_disabled() {
            return Ok(());
        }
        let body = context
            .response()
            .and_then(|response| response.body().bytes());
        let answer = body.map(ResponseSummary::read).unwrap_or_default();
        if let Some(Err(error)) = context.output_or_error() {
            let source = StdError::source(error);
            let is_unreadable = source.is_some_and(<dyn StdError>::is::<BadResponse>);
            let kind = if error.is_response_error() || is_unreadable {
                UNREADABLE
            } else if error.is_timeout_error() {
                "timeout"
            } else if error.is_connector_error() {
                "connection"
            } else {
                "_OTHER"
            };
            fail(span, answer.error_code().unwrap_or(kind));
        } else {
            answer.record(span);
        }
        // The last one that holds it: the span ends here, not when the SDK cleans up.
        config.interceptor_state().unset::<Current>();
        Ok(())
    }
}

/// The span of a request, with all that may be said of one.
fn span(operation: &str) -> tracing::Span {
    tracing::info_span!(
        "dynamodb",
        "otel.name" = Empty,
        "otel.kind" = "client",
        "otel.status_code" = Empty,
        "error.type" = Empty,
        "db.system.name" = "aws.dynamodb",
        "db.operation.name" = operation,
        "db.collection.name" = Empty,
        "db.operation.batch.size" = Empty,
        "aws.dynamodb.table_names" = Empty,
        "aws.dynamodb.index_name" = Empty,
        "aws.dynamodb.limit" = Empty,
        "aws.dynamodb.consistent_read" = Empty,
        "aws.dynamodb.scan_forward" = Empty,
        "aws.dynamodb.segment" = Empty,
        "aws.dynamodb.total_segments" = Empty,
        "aws.dynamodb.count" = Empty,
        "aws.dynamodb.scanned_count" = Empty,
        "aws.dynamodb.consumed_capacity" = Empty,
        "dyna.keys" = Empty,
    )
}

impl RequestSummary<'_> {
    fn record(&self, operation: &str, span: &tracing::Span) {
        match self.tables.as_slice() {
            [table] => {
                span.record("otel.name", display(format_args!("{operation} {table}")));
                span.record("db.collection.name", *table);
            }
            _ => {
                span.record("otel.name", operation);
            }
        }
        if !self.tables.is_empty() {
            span.record("aws.dynamodb.table_names", debug(&self.tables));
        }
        // A value that is not there is not recorded.
        span.record("db.operation.batch.size", self.batch);
        span.record("aws.dynamodb.index_name", self.index);
        span.record("aws.dynamodb.limit", self.limit);
        span.record("aws.dynamodb.consistent_read", self.consistent);
        span.record("aws.dynamodb.scan_forward", self.forward);
        span.record("aws.dynamodb.segment", self.segment);
        span.record("aws.dynamodb.total_segments", self.total_segments);
        if !self.keys.is_empty() {
            span.record("dyna.keys", debug(&self.keys));
        }
    }
}

impl ResponseSummary {
    fn record(&self, span: &tracing::Span) {
        span.record("aws.dynamodb.count", self.count);
        span.record("aws.dynamodb.scanned_count", self.scanned_count);
        let capacity = self.capacity();
        if !capacity.is_empty() {
            span.record("aws.dynamodb.consumed_capacity", debug(&capacity));
        }
    }
}
