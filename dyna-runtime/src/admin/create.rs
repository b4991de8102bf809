//! Creating a table as it is declared, and adding the indexes that it lacks.

use super::live::{Live, ttl_attribute};
use super::sdk as of;
use super::verify::{differences, differences_of, key_differences};
use super::wait::{Waiting, is_usable};
use crate::error::{Error, Result, service_error};
use crate::schema::{Difference, DifferenceKind, IndexKind, IndexSchema, TableSchema};
use crate::table::{DynaTable, Table};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types as sdk;

impl<T: DynaTable> Table<T> {
    /// Creates the table as it is declared, with its indexes, stream, TTL and settings, and waits up to ten minutes until it
    /// can be used.
    ///
    /// A table that is declared `#[dyna(partial)]` cannot be created here: it fails with
    /// [`Error::PartialTable`](crate::Error::PartialTable).
    ///
    /// A table that exists is never changed. It is [verified](Self::verify), and [`Error::SchemaMismatch`](crate::Error::SchemaMismatch)
    /// says how it differs. TTL and point-in-time recovery are turned on after the table is created, so a process that dies in
    /// between leaves them off: then the error names [`enable_missing_settings`](Self::enable_missing_settings). An engine
    /// without backups, such as the embedded one, has no recovery to turn on.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users-{stage}", pk = "pk"), pk = "USER#<id>")]
    /// # struct User { id: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> dyna_runtime::Result<()> {
    /// # let client = dyna_runtime::embedded::Embedded::in_memory()?.client();
    /// let db = User::open(client).with_variable("stage", "test");
    /// db.create_table().await?;
    /// db.create_table().await?; // it exists, and is as declared
    /// # Ok(()) }
    /// ```
    pub async fn create_table(&self) -> Result<()> {
        create_table(self.client(), Self::SCHEMA, self.name()?).await
    }

    /// Turns on what is declared and off in an existing table: its TTL and its point-in-time recovery. Returns what it turned
    /// on.
    ///
    /// Fails with [`Error::SchemaMismatch`](crate::Error::SchemaMismatch), and changes nothing, if the key or an index is not as declared, or
    /// if the TTL is on for another attribute.
    pub async fn enable_missing_settings(&self) -> Result<Vec<DifferenceKind>> {
        enable_missing_settings(self.client(), Self::SCHEMA, self.name()?).await
    }

    /// Adds the declared global indexes that the table lacks, one after the other, and waits until each is built, up to a day;
    /// first it waits for those that are being built already. Returns the names of those that it added.
    ///
    /// Fails with [`Error::SchemaMismatch`](crate::Error::SchemaMismatch), and changes nothing, if the key of the table or of an index is not as
    /// declared, or if a local index is missing: DynamoDB creates these with the table only.
    pub async fn add_missing_indexes(&self) -> Result<Vec<&'static str>> {
        add_missing_indexes(self.client(), Self::SCHEMA, self.name()?).await
    }
}

/// The creator of the table.
enum Creator {
    /// This call.
    Us,
    /// A process that may be about to turn on TTL and recovery.
    OtherProcess,
    /// Someone, before this call.
    Earlier(Box<sdk::TableDescription>),
}

/// Creates the table under this name as it is declared, or verifies one that exists: see [`Table::create_table`].
pub async fn create_table(client: &Client, schema: &TableSchema, name: &str) -> Result<()> {
    if schema.settings.partial {
        return Err(Error::PartialTable {
            table: name.to_owned(),
            operation: "create_table",
        });
    }
    create_or_verify(client, schema, name).await
}

/// The same, also of what is declared of a table in part.
pub(crate) async fn create_or_verify(
    client: &Client,
    schema: &TableSchema,
    name: &str,
) -> Result<()> {
    let mut waiting = Waiting::for_table();
    let creator = match waiting.describe(client, name).await {
        Ok(table) if is_usable(&table, name)? => Creator::Earlier(Box::new(table)),
        Ok(_) => Creator::OtherProcess,
        Err(error) if error.is_table_not_found() => match create(client, schema, name).await {
            Err(error) if error.code() == Some("ResourceInUseException") => Creator::OtherProcess,
            created => created.map(|()| Creator::Us)?,
        },
        Err(error) => return Err(error),
    };
    match creator {
        Creator::Us => {
            waiting.usable(client, name).await?;
            if let Some(ttl) = schema.ttl {
                enable_ttl(client, name, ttl.name).await?;
            }
            if schema.settings.point_in_time_recovery {
                enable_recovery(client, name).await?;
            }
            Ok(())
        }
        Creator::OtherProcess => {
            waiting.usable(client, name).await?;
            created_elsewhere(client, schema, name).await
        }
        Creator::Earlier(table) => {
            let found = differences_of(client, schema, name, *table).await?;
            Ok(found.not_tolerated().into_result()?)
        }
    }
}

/// Verifies a table that another process has just created, as soon as that had the time to finish.
async fn created_elsewhere(client: &Client, schema: &TableSchema, name: &str) -> Result<()> {
    let mut waiting = Waiting::for_other_process();
    loop {
        let table = waiting.describe(client, name).await?;
        let found = differences_of(client, schema, name, table).await?;
        let found = found.not_tolerated();
        let is_unfinished = !found.is_empty() && found.iter().all(Difference::can_be_enabled);
        if !is_unfinished || waiting.pause(name).await.is_err() {
            return Ok(found.into_result()?);
        }
    }
}

/// Turns on the TTL and the point-in-time recovery that the table lacks, and returns which: see [`Table::enable_missing_settings`].
pub async fn enable_missing_settings(
    client: &Client,
    schema: &TableSchema,
    name: &str,
) -> Result<Vec<DifferenceKind>> {
    let found = differences(client, schema, name).await?;
    let is_in_the_way = |difference: &Difference| {
        let other_ttl = difference.declared.is_some() && difference.found.is_some();
        difference.is_breaking() || (difference.kind == DifferenceKind::Ttl && other_ttl)
    };
    found.clone().only(is_in_the_way).into_result()?;
    let mut enabled = Vec::new();
    for difference in found.iter().filter(|found| found.can_be_enabled()) {
        match (&difference.kind, schema.ttl) {
            (DifferenceKind::Ttl, Some(ttl)) => enable_ttl(client, name, ttl.name).await?,
            _ => enable_recovery(client, name).await?,
        }
        enabled.push(difference.kind.clone());
    }
    Ok(enabled)
}

/// Adds the global indexes that the table lacks, and returns their names: see [`Table::add_missing_indexes`].
pub async fn add_missing_indexes(
    client: &Client,
    schema: &TableSchema,
    name: &str,
) -> Result<Vec<&'static str>> {
    let live = Waiting::for_index().settled(client, name).await?;
    let is_missing =
        |index: &IndexSchema| Live::indexes(&live).all(|found| found.name != index.name);
    let indexes = schema.indexes_of(IndexKind::Global);
    let missing: Vec<&'static IndexSchema> = indexes.filter(|index| is_missing(index)).collect();
    let is_added = |kind: &DifferenceKind| {
        missing
            .iter()
            .any(|index| *kind == DifferenceKind::Index(index.name.to_owned()))
    };
    let found = key_differences(schema, name, &live).breaking();
    found.only(|found| !is_added(&found.kind)).into_result()?;
    for index in &missing {
        add_index(client, schema, name, index).await?;
    }
    Ok(missing.iter().map(|index| index.name).collect())
}

async fn create(client: &Client, schema: &TableSchema, name: &str) -> Result<()> {
    let settings = &schema.settings;
    let throughput = settings.billing.throughput().map(of::throughput);
    client
        .create_table()
        .table_name(name)
        .billing_mode(of::billing(settings.billing))
        .set_provisioned_throughput(throughput.transpose()?)
        .set_attribute_definitions(Some(of::definitions(schema.keys())?))
        .set_key_schema(Some(of::key_schema(&schema.key)?))
        .set_global_secondary_indexes(of::global_indexes(schema)?)
        .set_local_secondary_indexes(of::local_indexes(schema)?)
        .set_stream_specification(schema.stream.map(of::stream).transpose()?)
        .set_sse_specification(of::encryption(settings.encryption))
        .table_class(of::class(settings.table_class))
        .deletion_protection_enabled(settings.deletion_protection)
        .set_tags(of::tags(settings.resource_tags)?)
        .send()
        .await
        .map_err(service_error)?;
    Ok(())
}

async fn add_index(
    client: &Client,
    schema: &TableSchema,
    name: &str,
    index: &IndexSchema,
) -> Result<()> {
    let keys = [&schema.key, index].into_iter();
    client
        .update_table()
        .table_name(name)
        .set_attribute_definitions(Some(of::definitions(keys)?))
        .set_global_secondary_index_updates(Some(of::added(index)?))
        .send()
        .await
        .map_err(service_error)?;
    // A description may be older than the change.
    let mut waiting = Waiting::for_index();
    loop {
        let table = waiting.settled(client, name).await?;
        if Live::indexes(&table).any(|found| found.name == index.name) {
            return Ok(());
        }
        waiting.pause(name).await?;
    }
}

async fn enable_ttl(client: &Client, name: &str, attribute: &str) -> Result<()> {
    let request = client.update_time_to_live().table_name(name);
    let enabled = request
        .time_to_live_specification(of::ttl(attribute)?)
        .send()
        .await
        .map_err(service_error);
    match enabled {
        Ok(_) => Ok(()),
        // Another process may have come first.
        Err(_) if ttl_attribute(client, name).await?.as_deref() == Some(attribute) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Backups of a new table are not there at once, and an engine may know none at all.
async fn enable_recovery(client: &Client, name: &str) -> Result<()> {
    let mut waiting = Waiting::for_table();
    loop {
        let request = client.update_continuous_backups().table_name(name);
        let enabled = request
            .point_in_time_recovery_specification(of::recovery()?)
            .customize()
            .interceptor(waiting.clock())
            .send()
            .await
            .map_err(service_error);
        match enabled {
            Ok(_) => return Ok(()),
            Err(error) => match error.code() {
                Some("ContinuousBackupsUnavailableException") => waiting.pause(name).await?,
                Some("UnknownOperationException") => return Ok(()),
                _ => return Err(error),
            },
        }
    }
}
