//! A table as DynamoDB describes it, as far as a declaration covers it.

use crate::error::{Result, service_error};
use crate::schema::{IndexKind, Projection};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types as sdk;

/// A table in DynamoDB.
pub(super) struct Live {
    pub(super) table: sdk::TableDescription,
    /// The attribute of its expiry, if that is on.
    pub(super) ttl: Option<String>,
    /// Whether it can be restored; `None` if that was not asked, or the engine knows no backups.
    pub(super) recovery: Option<bool>,
    pub(super) tags: Vec<sdk::Tag>,
}

/// An index of a table in DynamoDB.
pub(super) struct LiveIndex<'t> {
    pub(super) name: &'t str,
    pub(super) kind: IndexKind,
    pub(super) status: Option<&'t str>,
    pub(super) key: &'t [sdk::KeySchemaElement],
    pub(super) projection: Option<&'t sdk::Projection>,
    pub(super) throughput: Option<&'t sdk::ProvisionedThroughputDescription>,
}

impl LiveIndex<'_> {
    /// Whether it holds at least what a declaration says.
    pub(super) fn holds(&self, declared: Projection) -> bool {
        let kind = self.projection.and_then(|found| found.projection_type());
        let included = self
            .projection
            .map_or(&[][..], |found| found.non_key_attributes());
        match (declared, kind) {
            (_, Some(sdk::ProjectionType::All)) | (Projection::KeysOnly, Some(_)) => true,
            (Projection::Include(declared), Some(sdk::ProjectionType::Include)) => declared
                .iter()
                .all(|attribute| included.iter().any(|found| found == attribute)),
            _ => false,
        }
    }
}

/// DynamoDB names every index: one without a name is none that is declared.
const UNNAMED: &str = "(an index without a name)";

impl Live {
    /// The global indexes, then the local ones.
    pub(super) fn indexes(table: &sdk::TableDescription) -> impl Iterator<Item = LiveIndex<'_>> {
        let global = table.global_secondary_indexes().iter();
        let global = global.map(|index| LiveIndex {
            name: index.index_name().unwrap_or(UNNAMED),
            kind: IndexKind::Global,
            status: index.index_status().map(sdk::IndexStatus::as_str),
            key: index.key_schema(),
            projection: index.projection(),
            throughput: index.provisioned_throughput(),
        });
        let local = table.local_secondary_indexes().iter();
        let local = local.map(|index| LiveIndex {
            name: index.index_name().unwrap_or(UNNAMED),
            kind: IndexKind::Local,
            status: None,
            key: index.key_schema(),
            projection: index.projection(),
            throughput: None,
        });
        global.chain(local)
    }
}

/// The attribute of the expiry, if that is on or about to be.
pub(super) async fn ttl_attribute(client: &Client, name: &str) -> Result<Option<String>> {
    let request = client.describe_time_to_live().table_name(name);
    let ttl = request.send().await.map_err(service_error)?;
    Ok(ttl
        .time_to_live_description
        .and_then(|ttl| match ttl.time_to_live_status {
            Some(sdk::TimeToLiveStatus::Enabled | sdk::TimeToLiveStatus::Enabling) => {
                ttl.attribute_name
            }
            _ => None,
        }))
}

/// Whether the table can be restored; `None` if the engine knows no backups.
pub(super) async fn recovery(client: &Client, name: &str) -> Result<Option<bool>> {
    let request = client.describe_continuous_backups().table_name(name);
    let backups = match request.send().await.map_err(service_error) {
        Err(error) if error.code() == Some("UnknownOperationException") => return Ok(None),
        backups => backups?.continuous_backups_description,
    };
    let recovery = backups.and_then(|backups| backups.point_in_time_recovery_description);
    let status = recovery.and_then(|recovery| recovery.point_in_time_recovery_status);
    Ok(Some(
        status == Some(sdk::PointInTimeRecoveryStatus::Enabled),
    ))
}

/// All tags of the table.
pub(super) async fn tags(client: &Client, table: &sdk::TableDescription) -> Result<Vec<sdk::Tag>> {
    let (mut tags, mut next) = (Vec::new(), None);
    loop {
        let request = client.list_tags_of_resource();
        let request = request.set_resource_arn(table.table_arn.clone());
        let page = request.set_next_token(next.clone()).send().await;
        let page = page.map_err(service_error)?;
        tags.extend(page.tags.unwrap_or_default());
        // A token that does not change would be followed for ever.
        if page.next_token.is_none() || page.next_token == next {
            return Ok(tags);
        }
        next = page.next_token;
    }
}
