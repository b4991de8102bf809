//! A live table, described in the words of the declaration: see `schema::display`.

use super::live::LiveIndex;
use crate::schema::display::{KeyText, included, units};
use crate::schema::{BillingMode, Projection};
use aws_sdk_dynamodb::types as sdk;

/// An index that is not there yet, or not for long, cannot be asked.
pub(super) fn kind(index: &LiveIndex<'_>) -> String {
    let kind = index.kind;
    match index.status {
        Some("CREATING") => format!("{kind} that is being built"),
        Some("DELETING") => format!("{kind} that is being deleted"),
        _ => kind.to_string(),
    }
}

pub(super) fn key(key: &[sdk::KeySchemaElement], table: &sdk::TableDescription) -> String {
    let half = |kind: &sdk::KeyType| {
        let half = key.iter().filter(|element| element.key_type() == kind);
        half.map(|element| {
            let name = element.attribute_name();
            let mut definitions = table.attribute_definitions().iter();
            let found = definitions.find(|definition| definition.attribute_name() == name);
            let kind = found.map_or("?", |definition| definition.attribute_type().as_str());
            (name.to_owned(), kind)
        })
        .collect()
    };
    let key = KeyText {
        pk: half(&sdk::KeyType::Hash),
        sk: half(&sdk::KeyType::Range),
    };
    key.to_string()
}

pub(super) fn projection(index: &LiveIndex<'_>) -> String {
    let projection = index.projection;
    match projection.and_then(|projection| projection.projection_type()) {
        Some(sdk::ProjectionType::All) => Projection::All.to_string(),
        Some(sdk::ProjectionType::KeysOnly) => Projection::KeysOnly.to_string(),
        Some(sdk::ProjectionType::Include) => {
            let attributes = projection.map_or(&[][..], |found| found.non_key_attributes());
            included(attributes.iter().map(String::as_str).collect())
        }
        _ => "an unknown projection".to_owned(),
    }
}

pub(super) fn throughput(found: &sdk::ProvisionedThroughputDescription) -> String {
    units(
        found.read_capacity_units().unwrap_or_default(),
        found.write_capacity_units().unwrap_or_default(),
    )
}

/// Without a summary of its billing, a table is provisioned.
pub(super) fn is_on_demand(table: &sdk::TableDescription) -> bool {
    let mode = table.billing_mode_summary();
    let mode = mode.and_then(|summary| summary.billing_mode());
    mode == Some(&sdk::BillingMode::PayPerRequest)
}

pub(super) fn billing(table: &sdk::TableDescription) -> String {
    match table.provisioned_throughput() {
        _ if is_on_demand(table) => BillingMode::OnDemand.to_string(),
        Some(found) => throughput(found),
        None => units(0, 0),
    }
}

pub(super) fn on(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}
