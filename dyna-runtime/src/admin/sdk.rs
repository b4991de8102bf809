//! The schema in the SDK's types. Its builders fail only if a required member is missing; here all are given.

use crate::schema::{
    BillingMode, Encryption, IndexKind, IndexSchema, Projection, ScalarType, StreamViewType,
    TableClass, TableSchema, Throughput,
};
use aws_sdk_dynamodb::types as sdk;
use std::collections::BTreeMap;

/// The types of all attributes of these keys.
pub(super) fn definitions<'k>(
    keys: impl Iterator<Item = &'k IndexSchema>,
) -> Vec<sdk::AttributeDefinition> {
    let attributes: BTreeMap<&str, ScalarType> = keys
        .flat_map(IndexSchema::attributes)
        .map(|attribute| (attribute.name, attribute.kind))
        .collect();
    let definition = |(name, kind)| {
        let definition = sdk::AttributeDefinition::builder().attribute_name(name);
        definition.attribute_type(attribute_type(kind)).build().ok()
    };
    attributes.into_iter().filter_map(definition).collect()
}

fn attribute_type(kind: ScalarType) -> sdk::ScalarAttributeType {
    match kind {
        ScalarType::S => sdk::ScalarAttributeType::S,
        ScalarType::N => sdk::ScalarAttributeType::N,
        ScalarType::B => sdk::ScalarAttributeType::B,
    }
}

pub(super) fn key_schema(index: &IndexSchema) -> Vec<sdk::KeySchemaElement> {
    let element = |name, kind| {
        let element = sdk::KeySchemaElement::builder().attribute_name(name);
        element.key_type(kind).build().ok()
    };
    let pk = index.pk.iter();
    let pk = pk.filter_map(|pk| element(pk.name, sdk::KeyType::Hash));
    let sk = index.sk.iter();
    let sk = sk.filter_map(|sk| element(sk.name, sdk::KeyType::Range));
    pk.chain(sk).collect()
}

pub(super) fn global_indexes(schema: &TableSchema) -> Option<Vec<sdk::GlobalSecondaryIndex>> {
    let indexes = schema.indexes_of(IndexKind::Global).filter_map(|index| {
        sdk::GlobalSecondaryIndex::builder()
            .index_name(index.name)
            .set_key_schema(Some(key_schema(index)))
            .projection(projection(index))
            .set_provisioned_throughput(index.throughput.and_then(throughput))
            .build()
            .ok()
    });
    some(indexes.collect())
}

pub(super) fn local_indexes(schema: &TableSchema) -> Option<Vec<sdk::LocalSecondaryIndex>> {
    let indexes = schema.indexes_of(IndexKind::Local).filter_map(|index| {
        sdk::LocalSecondaryIndex::builder()
            .index_name(index.name)
            .set_key_schema(Some(key_schema(index)))
            .projection(projection(index))
            .build()
            .ok()
    });
    some(indexes.collect())
}

/// The change that adds an index.
pub(super) fn added(index: &IndexSchema) -> Vec<sdk::GlobalSecondaryIndexUpdate> {
    let create = sdk::CreateGlobalSecondaryIndexAction::builder()
        .index_name(index.name)
        .set_key_schema(Some(key_schema(index)))
        .projection(projection(index))
        .set_provisioned_throughput(index.throughput.and_then(throughput))
        .build()
        .ok();
    let update = sdk::GlobalSecondaryIndexUpdate::builder().set_create(create);
    vec![update.build()]
}

fn projection(index: &IndexSchema) -> sdk::Projection {
    let projection = sdk::Projection::builder();
    match index.projection {
        Projection::All => projection.projection_type(sdk::ProjectionType::All),
        Projection::KeysOnly => projection.projection_type(sdk::ProjectionType::KeysOnly),
        Projection::Include(attributes) => projection
            .projection_type(sdk::ProjectionType::Include)
            .set_non_key_attributes(Some(attributes.iter().map(ToString::to_string).collect())),
    }
    .build()
}

pub(super) fn stream(view: StreamViewType) -> Option<sdk::StreamSpecification> {
    let view = match view {
        StreamViewType::KeysOnly => sdk::StreamViewType::KeysOnly,
        StreamViewType::NewImage => sdk::StreamViewType::NewImage,
        StreamViewType::OldImage => sdk::StreamViewType::OldImage,
        StreamViewType::NewAndOldImages => sdk::StreamViewType::NewAndOldImages,
    };
    let stream = sdk::StreamSpecification::builder().stream_enabled(true);
    stream.stream_view_type(view).build().ok()
}

pub(super) fn billing(billing: BillingMode) -> sdk::BillingMode {
    match billing {
        BillingMode::OnDemand => sdk::BillingMode::PayPerRequest,
        BillingMode::Provisioned(_) => sdk::BillingMode::Provisioned,
    }
}

pub(super) fn throughput(throughput: Throughput) -> Option<sdk::ProvisionedThroughput> {
    sdk::ProvisionedThroughput::builder()
        .read_capacity_units(throughput.read.into())
        .write_capacity_units(throughput.write.into())
        .build()
        .ok()
}

pub(super) fn class(class: TableClass) -> sdk::TableClass {
    match class {
        TableClass::Standard => sdk::TableClass::Standard,
        TableClass::InfrequentAccess => sdk::TableClass::StandardInfrequentAccess,
    }
}

pub(super) fn encryption(encryption: Encryption) -> Option<sdk::SseSpecification> {
    let key = match encryption {
        Encryption::AwsOwned => return None,
        Encryption::AwsManaged => None,
        Encryption::Kms(key) => Some(key.to_owned()),
    };
    let encryption = sdk::SseSpecification::builder().enabled(true);
    let encryption = encryption.sse_type(sdk::SseType::Kms);
    Some(encryption.set_kms_master_key_id(key).build())
}

pub(super) fn tags(tags: &[(&str, &str)]) -> Option<Vec<sdk::Tag>> {
    let tags = tags
        .iter()
        .filter_map(|(name, value)| sdk::Tag::builder().key(*name).value(*value).build().ok());
    some(tags.collect())
}

pub(super) fn ttl(attribute: &str) -> Option<sdk::TimeToLiveSpecification> {
    let ttl = sdk::TimeToLiveSpecification::builder().enabled(true);
    ttl.attribute_name(attribute).build().ok()
}

pub(super) fn recovery() -> Option<sdk::PointInTimeRecoverySpecification> {
    let recovery = sdk::PointInTimeRecoverySpecification::builder();
    recovery.point_in_time_recovery_enabled(true).build().ok()
}

fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}
