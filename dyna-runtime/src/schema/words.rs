//! What people call the parts of a table, declared and found: equal texts mean that they are the same.

use super::live::LiveIndex;
use super::{Attribute, IndexSchema, Kind, Projection, Scope, StreamView, Throughput};
use aws_sdk_dynamodb::types as sdk;
use std::fmt;

/// What an index is, in a few words.
impl fmt::Display for IndexSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let projection = projection_text(self.projection);
        write!(
            f,
            "{}: {}, with {projection}",
            scope_text(self.scope),
            key_text(self)
        )
    }
}

pub(crate) fn scope_text(scope: Scope) -> &'static str {
    match scope {
        Scope::Table => "table",
        Scope::Local => "local index",
        Scope::Global => "global index",
    }
}

/// An index that is not there yet, or not for long, cannot be asked.
pub(super) fn live_scope_text(index: &LiveIndex<'_>) -> String {
    let scope = scope_text(index.scope);
    match index.status {
        Some("CREATING") => format!("{scope} that is being built"),
        Some("DELETING") => format!("{scope} that is being deleted"),
        _ => scope.to_owned(),
    }
}

/// `partition pk (S), sort sk (N)`
pub(crate) fn key_text(key: &IndexSchema) -> String {
    let typed = |attribute: &Attribute| (attribute.name.to_owned(), kind(attribute.kind));
    halves(
        key.pk.iter().map(typed).collect(),
        key.sk.iter().map(typed).collect(),
    )
}

pub(crate) fn live_key_text(
    key: &[sdk::KeySchemaElement],
    table: &sdk::TableDescription,
) -> String {
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
    halves(half(&sdk::KeyType::Hash), half(&sdk::KeyType::Range))
}

fn halves(pk: Vec<(String, &str)>, sk: Vec<(String, &str)>) -> String {
    let listed = |half: &[(String, &str)]| {
        let half = half.iter().map(|(name, kind)| format!("{name} ({kind})"));
        half.collect::<Vec<_>>().join(" + ")
    };
    match sk.as_slice() {
        [] => format!("partition {}", listed(&pk)),
        sk => format!("partition {}, sort {}", listed(&pk), listed(sk)),
    }
}

pub(crate) fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::S => "S",
        Kind::N => "N",
        Kind::B => "B",
    }
}

pub(crate) fn projection_text(projection: Projection) -> String {
    match projection {
        Projection::All => "all attributes".to_owned(),
        Projection::KeysOnly => "the keys".to_owned(),
        Projection::Include(attributes) => included(attributes.to_vec()),
    }
}

pub(super) fn live_projection_text(index: &LiveIndex<'_>) -> String {
    let projection = index.projection;
    match projection.and_then(|projection| projection.projection_type()) {
        Some(sdk::ProjectionType::All) => projection_text(Projection::All),
        Some(sdk::ProjectionType::KeysOnly) => projection_text(Projection::KeysOnly),
        Some(sdk::ProjectionType::Include) => {
            let attributes = projection.map_or(&[][..], |found| found.non_key_attributes());
            included(attributes.iter().map(String::as_str).collect())
        }
        _ => "an unknown projection".to_owned(),
    }
}

/// The order of the attributes does not matter.
fn included(mut attributes: Vec<&str>) -> String {
    attributes.sort_unstable();
    format!("the keys and {}", attributes.join(", "))
}

pub(crate) fn stream_text(view: StreamView) -> String {
    match view {
        StreamView::KeysOnly => "keys_only",
        StreamView::NewImage => "new_image",
        StreamView::OldImage => "old_image",
        StreamView::NewAndOldImages => "new_and_old_images",
    }
    .to_owned()
}

pub(crate) fn throughput_text(throughput: Throughput) -> String {
    units(throughput.read.into(), throughput.write.into())
}

pub(crate) fn live_throughput_text(found: &sdk::ProvisionedThroughputDescription) -> String {
    units(
        found.read_capacity_units().unwrap_or_default(),
        found.write_capacity_units().unwrap_or_default(),
    )
}

fn units(read: i64, write: i64) -> String {
    format!("{read} read and {write} write units")
}

/// Without a summary of its billing, a table is provisioned.
pub(crate) fn is_on_demand(table: &sdk::TableDescription) -> bool {
    let mode = table.billing_mode_summary();
    let mode = mode.and_then(|summary| summary.billing_mode());
    mode == Some(&sdk::BillingMode::PayPerRequest)
}

pub(crate) fn live_billing_text(table: &sdk::TableDescription) -> String {
    match table.provisioned_throughput() {
        _ if is_on_demand(table) => "on demand".to_owned(),
        Some(throughput) => live_throughput_text(throughput),
        None => units(0, 0),
    }
}

pub(crate) fn on(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}
