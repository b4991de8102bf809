//! Creating a table as it is declared, and adding the indexes that it lacks.

use super::live::{Live, ttl_attribute};
use super::sdk as of;
use super::verify::verify;
use super::{Difference, Differences, IndexSchema, Scope, TableSchema, What};
use crate::error::{Error, Result, of_service};
use crate::request::Clock;
use crate::table::{DynaTable, Table};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types as sdk;
use std::time::Duration;

/// How long a table may take to become active.
const SECONDS: u32 = 600;

impl<T: DynaTable> Table<T> {
    /// Creates the table as it is declared, with its indexes, stream, expiry and settings, and waits until it can be used.
    ///
    /// A table that is there already is not changed, but that its expiry and its point-in-time recovery are turned on if an
    /// earlier call did not come that far; then it is [verified](Self::verify), and [`Error::Differs`] says how it differs.
    /// An engine that knows no backups, such as the embedded one, has no recovery to turn on.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users-{stage}", pk = "pk"), pk = "USER#<id>")]
    /// # struct User { id: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> dyna_runtime::Result<()> {
    /// # let client = dyna_runtime::embedded::Embedded::in_memory()?.client();
    /// let db = User::open(client).with("stage", "test");
    /// db.create_table().await?;
    /// db.create_table().await?; // it is there, and as declared
    /// # Ok(()) }
    /// ```
    pub async fn create_table(&self) -> Result<()> {
        create_table(self.client(), self.name()?, Self::SCHEMA).await
    }

    /// Adds the declared global indexes that the table lacks, one after the other, and waits until each is built, however long
    /// that takes; first it waits for those that are being built already. Returns the names of those that it added. Fails with
    /// [`Error::Differs`] if a local index is missing: they come with the table only.
    pub async fn add_missing_indexes(&self) -> Result<Vec<&'static str>> {
        add_missing_indexes(self.client(), self.name()?, Self::SCHEMA).await
    }
}

pub(super) async fn create_table(
    client: &Client,
    name: &str,
    schema: &'static TableSchema,
) -> Result<()> {
    let existed = match create(client, name, schema).await {
        Err(error) if error.code() == Some("ResourceInUseException") => true,
        created => created.map(|()| false)?,
    };
    wait_until_usable(client, name).await?;
    if let Some(ttl) = schema.ttl
        && !(existed && ttl_attribute(client, name).await?.is_some())
    {
        enable_ttl(client, name, ttl.name).await?;
    }
    if schema.settings.point_in_time_recovery {
        enable_recovery(client, name).await?;
    }
    if existed {
        verify(client, name, schema).await?.into_result()?;
    }
    Ok(())
}

pub(super) async fn add_missing_indexes(
    client: &Client,
    name: &str,
    schema: &'static TableSchema,
) -> Result<Vec<&'static str>> {
    let live = settled(client, name, &Clock::default()).await?;
    let missing: Vec<&'static IndexSchema> = schema
        .indexes
        .iter()
        .copied()
        .filter(|index| Live::indexes(&live).all(|found| found.name != index.name))
        .collect();
    let local = missing.iter().filter(|index| index.scope == Scope::Local);
    let local: Vec<_> = local
        .map(|index| Difference::missing(What::Index(index.name.to_owned()), index.to_string()))
        .collect();
    Differences::new(name, local).into_result()?;
    for index in &missing {
        add_index(client, name, schema, index).await?;
    }
    Ok(missing.iter().map(|index| index.name).collect())
}

async fn create(client: &Client, name: &str, schema: &TableSchema) -> Result<()> {
    let settings = &schema.settings;
    client
        .create_table()
        .table_name(name)
        .billing_mode(of::billing(settings.billing))
        .set_provisioned_throughput(settings.billing.throughput().and_then(of::throughput))
        .set_attribute_definitions(Some(of::definitions(schema.keys())))
        .set_key_schema(Some(of::key_schema(&schema.key)))
        .set_global_secondary_indexes(of::global_indexes(schema))
        .set_local_secondary_indexes(of::local_indexes(schema))
        .set_stream_specification(schema.stream.and_then(of::stream))
        .set_sse_specification(of::encryption(settings.encryption))
        .table_class(of::class(settings.class))
        .deletion_protection_enabled(settings.deletion_protection)
        .set_tags(of::tags(settings.tags))
        .send()
        .await
        .map_err(of_service)?;
    Ok(())
}

async fn add_index(
    client: &Client,
    name: &str,
    schema: &TableSchema,
    index: &IndexSchema,
) -> Result<()> {
    let keys = [&schema.key, index].into_iter();
    client
        .update_table()
        .table_name(name)
        .set_attribute_definitions(Some(of::definitions(keys)))
        .set_global_secondary_index_updates(Some(of::added(index)))
        .send()
        .await
        .map_err(of_service)?;
    // A description may be older than the change.
    let clock = Clock::default();
    for _ in 0..SECONDS {
        let table = settled(client, name, &clock).await?;
        if Live::indexes(&table).any(|found| found.name == index.name) {
            return Ok(());
        }
        pause(&clock, name).await?;
    }
    Err(not_active(name))
}

/// The table once no index of it is being built or deleted.
async fn settled(client: &Client, name: &str, clock: &Clock) -> Result<sdk::TableDescription> {
    loop {
        let table = describe_by(client, name, clock).await?;
        let is_built = Live::indexes(&table).all(|index| index.status.is_none_or(is_active));
        if is_usable(&table)? && is_built {
            return Ok(table);
        }
        pause(clock, name).await?;
    }
}

fn is_active(status: &str) -> bool {
    status == sdk::IndexStatus::Active.as_str()
}

async fn wait_until_usable(client: &Client, name: &str) -> Result<()> {
    let clock = Clock::default();
    for _ in 0..SECONDS {
        if is_usable(&describe_by(client, name, &clock).await?)? {
            return Ok(());
        }
        pause(&clock, name).await?;
    }
    Err(not_active(name))
}

/// Whether requests reach the table: also one that is being changed. An error if it will never be so by waiting.
fn is_usable(table: &sdk::TableDescription) -> Result<bool> {
    match &table.table_status {
        None | Some(sdk::TableStatus::Active | sdk::TableStatus::Updating) => Ok(true),
        Some(sdk::TableStatus::Creating) => Ok(false),
        Some(_) => Err(not_active(table.table_name().unwrap_or_default())),
    }
}

pub(super) async fn describe(client: &Client, name: &str) -> Result<sdk::TableDescription> {
    describe_by(client, name, &Clock::default()).await
}

/// The same, and by which clock to wait.
async fn describe_by(client: &Client, name: &str, clock: &Clock) -> Result<sdk::TableDescription> {
    let request = client.describe_table().table_name(name).customize();
    let sent = request.interceptor(clock.clone()).send().await;
    let table = sent.map_err(of_service)?.table;
    table.ok_or_else(|| not_active(name))
}

async fn enable_ttl(client: &Client, name: &str, attribute: &str) -> Result<()> {
    let request = client.update_time_to_live().table_name(name);
    let enabled = request
        .set_time_to_live_specification(of::ttl(attribute))
        .send()
        .await
        .map_err(of_service);
    match enabled {
        Ok(_) => Ok(()),
        // Another process may have come first.
        Err(_) if ttl_attribute(client, name).await?.as_deref() == Some(attribute) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Backups of a new table are not there at once, and an engine may know none at all.
async fn enable_recovery(client: &Client, name: &str) -> Result<()> {
    let clock = Clock::default();
    for _ in 0..SECONDS {
        let request = client.update_continuous_backups().table_name(name);
        let enabled = request
            .set_point_in_time_recovery_specification(of::recovery())
            .customize()
            .interceptor(clock.clone())
            .send()
            .await
            .map_err(of_service);
        match enabled {
            Ok(_) => return Ok(()),
            Err(error) => match error.code() {
                Some("ContinuousBackupsUnavailableException") => pause(&clock, name).await?,
                Some("UnknownOperationException") => return Ok(()),
                _ => return Err(error),
            },
        }
    }
    Err(not_active(name))
}

/// Waits for a second.
async fn pause(clock: &Clock, name: &str) -> Result<()> {
    let waited = clock.sleep(Duration::from_secs(1)).await;
    waited.then_some(()).ok_or_else(|| not_active(name))
}

fn not_active(table: &str) -> Error {
    Error::NotActive {
        table: table.to_owned(),
    }
}
