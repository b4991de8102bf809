//! The schema in the SDK's types. Its builders fail only if a required member is missing; here all are given, and if the SDK requires
//! another one, that is an error: a part of the table that is left out would not be missed.

use crate::error::{Error, Result};
use crate::schema::{
    BillingMode, Encryption, IndexKind, IndexSchema, Projection, ScalarType, StreamViewType,
    TableClass, TableSchema, Throughput,
};
use aws_sdk_dynamodb::error::BuildError;
use aws_sdk_dynamodb::types as sdk;
use std::collections::BTreeMap;

/// Returns what the SDK built, or an internal error.
fn built<T>(built: Result<T, BuildError>) -> Result<T> {
    built.map_err(|_| Error::Internal {
        entity: "table declaration",
        what: "the SDK requires a member that is not set",
    })
}

/// The types of all attributes of these keys.
pub(super) fn definitions<'k>(
    keys: impl Iterator<Item = &'k IndexSchema>,
) -> Result<Vec<sdk::AttributeDefinition>> {
    let attributes: BTreeMap<&str, ScalarType> = keys
        .flat_map(IndexSchema::attributes)
        .map(|attribute| (attribute.name, attribute.kind))
        .collect();
    let definition = |(name, kind)| {
        let definition = sdk::AttributeDefinition::builder().attribute_name(name);
        built(definition.attribute_type(attribute_type(kind)).build())
    };
    attributes.into_iter().map(definition).collect()
}

fn attribute_type(kind: ScalarType) -> sdk::ScalarAttributeType {
    match kind {
        ScalarType::S => sdk::ScalarAttributeType::S,
        ScalarType::N => sdk::ScalarAttributeType::N,
        ScalarType::B => sdk::ScalarAttributeType::B,
    }
}

pub(super) fn key_schema(index: &IndexSchema) -> Result<Vec<sdk::KeySchemaElement>> {
    let element = |name, kind| {
        let element = sdk::KeySchemaElement::builder().attribute_name(name);
        built(element.key_type(kind).build())
    };
    let pk = index.pk.iter();
    let pk = pk.map(|pk| element(pk.name, sdk::KeyType::Hash));
    let sk = index.sk.iter();
    let sk = sk.map(|sk| element(sk.name, sdk::KeyType::Range));
    pk.chain(sk).collect()
}

pub(super) fn global_indexes(
    schema: &TableSchema,
) -> Result<Option<Vec<sdk::GlobalSecondaryIndex>>> {
    let indexes = schema.indexes_of(IndexKind::Global).map(|index| {
        let index = sdk::GlobalSecondaryIndex::builder()
            .index_name(index.name)
            .set_key_schema(Some(key_schema(index)?))
            .projection(projection(index))
            .set_provisioned_throughput(index.throughput.map(throughput).transpose()?);
        built(index.build())
    });
    some(indexes)
}

pub(super) fn local_indexes(schema: &TableSchema) -> Result<Option<Vec<sdk::LocalSecondaryIndex>>> {
    let indexes = schema.indexes_of(IndexKind::Local).map(|index| {
        let index = sdk::LocalSecondaryIndex::builder()
            .index_name(index.name)
            .set_key_schema(Some(key_schema(index)?))
            .projection(projection(index));
        built(index.build())
    });
    some(indexes)
}

/// The change that adds an index.
pub(super) fn added(index: &IndexSchema) -> Result<Vec<sdk::GlobalSecondaryIndexUpdate>> {
    let create = sdk::CreateGlobalSecondaryIndexAction::builder()
        .index_name(index.name)
        .set_key_schema(Some(key_schema(index)?))
        .projection(projection(index))
        .set_provisioned_throughput(index.throughput.map(throughput).transpose()?);
    let create = built(create.build())?;
    let update = sdk::GlobalSecondaryIndexUpdate::builder().create(create);
    Ok(vec![update.build()])
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

pub(super) fn stream(view: StreamViewType) -> Result<sdk::StreamSpecification> {
    let view = match view {
        StreamViewType::KeysOnly => sdk::StreamViewType::KeysOnly,
        StreamViewType::NewImage => sdk::StreamViewType::NewImage,
        StreamViewType::OldImage => sdk::StreamViewType::OldImage,
        StreamViewType::NewAndOldImages => sdk::StreamViewType::NewAndOldImages,
    };
    let stream = sdk::StreamSpecification::builder().stream_enabled(true);
    built(stream.stream_view_type(view).build())
}

pub(super) fn billing(billing: BillingMode) -> sdk::BillingMode {
    match billing {
        BillingMode::OnDemand => sdk::BillingMode::PayPerRequest,
        BillingMode::Provisioned(_) => sdk::BillingMode::Provisioned,
    }
}

pub(super) fn throughput(throughput: Throughput) -> Result<sdk::ProvisionedThroughput> {
    let units = sdk::ProvisionedThroughput::builder()
        .read_capacity_units(throughput.read.into())
        .write_capacity_units(throughput.write.into());
    built(units.build())
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

pub(super) fn tags(tags: &[(&str, &str)]) -> Result<Option<Vec<sdk::Tag>>> {
    let tags = tags.iter();
    some(tags.map(|(name, value)| built(sdk::Tag::builder().key(*name).value(*value).build())))
}

pub(super) fn ttl(attribute: &str) -> Result<sdk::TimeToLiveSpecification> {
    let ttl = sdk::TimeToLiveSpecification::builder().enabled(true);
    built(ttl.attribute_name(attribute).build())
}

pub(super) fn recovery() -> Result<sdk::PointInTimeRecoverySpecification> {
    let recovery = sdk::PointInTimeRecoverySpecification::builder();
    built(recovery.point_in_time_recovery_enabled(true).build())
}

/// The list, unless it is empty.
fn some<T>(list: impl Iterator<Item = Result<T>>) -> Result<Option<Vec<T>>> {
    let list: Vec<T> = list.collect::<Result<_>>()?;
    Ok((!list.is_empty()).then_some(list))
}
