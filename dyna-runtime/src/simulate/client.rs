//! The configuration of a client of a simulation.

use super::connector::Connector;
use crate::embedded::base_config;
use aws_sdk_dynamodb::config::Builder;
use aws_sdk_dynamodb::config::retry::{RetryConfig, RetryPartition};
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use std::time::Duration;

/// How long a client waits for one attempt.
const ATTEMPT: Duration = Duration::from_secs(1);

/// The SDK's standard retries, and a timeout for each attempt.
pub(super) fn config(connector: Connector) -> Builder {
    let timeouts = TimeoutConfig::builder().operation_attempt_timeout(ATTEMPT);
    // One for each client, as for each process: the SDK stops retrying when too many of one partition have failed.
    let partition = RetryPartition::custom("dyna simulation").build();
    base_config()
        .time_source(connector.clock.clone())
        .retry_config(RetryConfig::standard())
        .retry_partition(partition)
        .timeout_config(timeouts.build())
        .http_client(connector)
}
