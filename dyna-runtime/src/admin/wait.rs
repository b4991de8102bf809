//! Waiting for a table or an index: by the clock of the user's client, and never for ever.

use super::live::Live;
use crate::error::{Error, Result, service_error};
use crate::transport::backoff::SleepProbe;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types as sdk;
use std::time::Duration;

/// How much longer to wait.
pub(super) struct Waiting {
    clock: SleepProbe,
    waited: Duration,
    limit: Duration,
}

impl Waiting {
    /// For a table that is being created, and for its backups.
    pub(super) fn for_table() -> Self {
        Self::at_most(Duration::from_mins(10))
    }

    /// For an index, which DynamoDB fills with the items of the table.
    pub(super) fn for_index() -> Self {
        Self::at_most(Duration::from_hours(24))
    }

    /// For another process, which has created the table and has yet to turn on its settings.
    pub(super) fn for_other_process() -> Self {
        Self::at_most(Duration::from_mins(1))
    }

    fn at_most(limit: Duration) -> Self {
        Self {
            clock: SleepProbe::default(),
            waited: Duration::ZERO,
            limit,
        }
    }

    /// The interceptor that finds the client's `AsyncSleep`.
    pub(super) fn clock(&self) -> SleepProbe {
        self.clock.clone()
    }

    /// Waits for a second, and for longer when it has been waiting for long. An error if the time is up.
    pub(super) async fn pause(&mut self, table: &str) -> Result<()> {
        let time = Duration::from_secs((self.waited.as_secs() / 300).clamp(1, 60));
        if self.waited >= self.limit || !self.clock.sleep(time).await {
            return Err(not_active(table));
        }
        self.waited += time;
        Ok(())
    }

    pub(super) async fn describe(
        &self,
        client: &Client,
        name: &str,
    ) -> Result<sdk::TableDescription> {
        let request = client.describe_table().table_name(name).customize();
        let sent = request.interceptor(self.clock()).send().await;
        let table = sent.map_err(service_error)?.table;
        table.ok_or_else(|| not_active(name))
    }

    /// The table once requests reach it.
    pub(super) async fn usable(
        &mut self,
        client: &Client,
        name: &str,
    ) -> Result<sdk::TableDescription> {
        loop {
            let table = self.describe(client, name).await?;
            if is_usable(&table, name)? {
                return Ok(table);
            }
            self.pause(name).await?;
        }
    }

    /// The table once no index of it is being built or deleted.
    pub(super) async fn settled(
        &mut self,
        client: &Client,
        name: &str,
    ) -> Result<sdk::TableDescription> {
        loop {
            let table = self.describe(client, name).await?;
            let is_built = Live::indexes(&table).all(|index| index.status.is_none_or(is_active));
            if is_usable(&table, name)? && is_built {
                return Ok(table);
            }
            self.pause(name).await?;
        }
    }
}

fn is_active(status: &str) -> bool {
    status == sdk::IndexStatus::Active.as_str()
}

/// Whether requests reach the table: also one that is being changed. An error if it will never be so by waiting.
pub(super) fn is_usable(table: &sdk::TableDescription, name: &str) -> Result<bool> {
    match &table.table_status {
        None | Some(sdk::TableStatus::Active | sdk::TableStatus::Updating) => Ok(true),
        Some(sdk::TableStatus::Creating) => Ok(false),
        Some(_) => Err(not_active(name)),
    }
}

fn not_active(table: &str) -> Error {
    Error::TableNotActive {
        table: table.to_owned(),
    }
}
