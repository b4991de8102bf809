//! The span of a request, as far as its response is concerned (feature `tracing`).

use aws_smithy_types::config_bag::{Storable, StoreReplace};
use std::sync::Arc;

/// The span of the request that is under way. It ends with the last of those who hold it.
#[derive(Debug, Clone)]
pub(crate) struct Current(pub(crate) Arc<tracing::Span>);

impl Current {
    /// Marks the request as failed: its response came, and could not be read.
    pub(crate) fn is_unreadable(&self) {
        fail(&self.0, UNREADABLE);
    }
}

/// The type of error of a response that could not be read.
pub(crate) const UNREADABLE: &str = "unreadable_response";

/// Marks a span as one of a failed request.
pub(crate) fn fail(span: &tracing::Span, error: &str) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", error);
}

impl Storable for Current {
    type Storer = StoreReplace<Self>;
}
