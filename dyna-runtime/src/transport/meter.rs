//! A meter of consumed capacity: an interceptor on the client of a handle, which no request knows of.

use crate::transport::capacity;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::{
    BeforeSerializationInterceptorContextMut, FinalizerInterceptorContextRef,
};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_smithy_runtime_api::client::orchestrator::Metadata;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the requests of a [metered handle](crate::Table::metered) have consumed. Clones are the same meter.
#[derive(Debug, Clone, Default)]
pub struct CapacityMeter(Arc<Mutex<ConsumedCapacity>>);

/// Capacity units, of all tables and indexes that requests used.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct ConsumedCapacity {
    /// Read capacity units: of gets, queries, scans, and batches and transactions of reads.
    pub read: f64,
    /// Write capacity units: of puts, updates, deletes, and batches and transactions of writes.
    pub write: f64,
}

impl CapacityMeter {
    /// What was consumed since the meter was made, or last [taken](Self::take).
    pub fn consumed(&self) -> ConsumedCapacity {
        *self.lock()
    }

    /// The same, and starts again from zero.
    pub fn take(&self) -> ConsumedCapacity {
        std::mem::take(&mut *self.lock())
    }

    /// The same client, metered.
    pub(crate) fn client(&self, client: &Client) -> Client {
        let config = client.config().to_builder();
        Client::from_conf(config.interceptor(Metering(self.clone())).build())
    }

    fn lock(&self) -> MutexGuard<'_, ConsumedCapacity> {
        // Nothing panics while it is locked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks every request of a client what it consumes.
#[derive(Debug)]
struct Metering(CapacityMeter);

impl Intercept for Metering {
    fn name(&self) -> &'static str {
        "dyna: consumed capacity"
    }

    fn modify_before_serialization(
        &self,
        context: &mut BeforeSerializationInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        capacity::ask(context.input_mut());
        Ok(())
    }

    fn read_after_execution(
        &self,
        context: &FinalizerInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let units = context.response().and_then(capacity::consumed_units);
        let operation = config.load::<Metadata>().map_or("", Metadata::name);
        let mut consumed = self.0.lock();
        match operation {
            "GetItem" | "Query" | "Scan" | "BatchGetItem" | "TransactGetItems" => {
                consumed.read += units.unwrap_or_default();
            }
            _ => consumed.write += units.unwrap_or_default(),
        }
        Ok(())
    }
}
