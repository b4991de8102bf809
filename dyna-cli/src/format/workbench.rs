//! A data model of NoSQL Workbench for DynamoDB. Entities are facets of their table, and hold its sample items.
//!
//! Its format has neither local indexes nor keys of several attributes; the description says which indexes are left out.

use super::cloudformation as cfn;
use crate::catalog::{Catalog, CatalogTable};
use crate::document::{Document, map};
use crate::pattern::spelled;
use crate::sample::{Sample, type_name};
use dyna_runtime::entity::EntityMeta;
use dyna_runtime::schema::{BillingMode, IndexKind, IndexSchema, KeyAttribute, TableSchema};

/// Models have a date, and the same schema is the same text on every day.
const DATE: &str = "Jan 01, 2025, 12:00 AM";

pub(super) fn model(catalog: &Catalog) -> Document {
    let names: Vec<_> = catalog
        .tables
        .iter()
        .map(|table| table.schema.type_name)
        .collect();
    map! {
        "ModelName" => names.join(" and "),
        "ModelMetadata" => map! {
            "Author" => "",
            "DateCreated" => DATE,
            "DateLastModified" => DATE,
            "Description" => description(catalog),
            "AWSService" => "Amazon DynamoDB",
            "Version" => "3.0",
        },
        "DataModel" => catalog.tables.iter().map(table_model).collect::<Document>(),
    }
}

fn description(catalog: &Catalog) -> String {
    let docs = catalog.tables.iter().map(|table| table.schema.doc);
    let mut text: Vec<String> = docs
        .filter(|doc| !doc.is_empty())
        .map(ToOwned::to_owned)
        .collect();
    for table in &catalog.tables {
        let left_out = table.schema.indexes.iter();
        let left_out = left_out.filter(|index| !is_known(index));
        let left_out: Vec<_> = left_out.map(|index| index.name).collect();
        if !left_out.is_empty() {
            text.push(format!(
                "Left out of {}, because a model has no such indexes: {}.",
                table.name,
                left_out.join(", ")
            ));
        }
    }
    text.join(" ")
}

fn is_known(index: &IndexSchema) -> bool {
    index.kind == IndexKind::Global && matches!((index.pk, index.sk), ([_], [] | [_]))
}

fn table_model(table: &CatalogTable) -> Document {
    let schema = table.schema;
    let indexes = schema.indexes.iter().filter(|index| is_known(index));
    map! {
        "TableName" => table.name.replace(['{', '}'], ""),
        "KeyAttributes" => key(&schema.key),
        "NonKeyAttributes" => attributes(table),
        "TableFacets" => table.entities.iter().map(|entity| facet(table, entity)).collect::<Document>(),
        "GlobalSecondaryIndexes" => indexes.map(|index| index_model(index)).collect::<Document>(),
        "DataAccess" => map! { "MySql" => Document::Map(Vec::new()) },
        "BillingMode" => schema.settings.billing.as_str(),
        "ProvisionedCapacitySettings" => capacity(schema),
    }
}

fn capacity(schema: &TableSchema) -> Option<Document> {
    let BillingMode::Provisioned(throughput) = schema.settings.billing else {
        return None;
    };
    let scaling = |most: u32| {
        map! {
            "ScalableTargetRequest" => map! {
                "MinCapacity" => 1,
                "MaxCapacity" => most,
                "ServiceRole" => "AWSServiceRoleForApplicationAutoScaling_DynamoDBTable",
            },
            "ScalingPolicyConfiguration" => map! { "TargetValue" => 70 },
        }
    };
    Some(map! {
        "ProvisionedThroughput" => cfn::throughput(throughput),
        "AutoScalingRead" => scaling(throughput.read),
        "AutoScalingWrite" => scaling(throughput.write),
    })
}

fn key(key: &IndexSchema) -> Document {
    let typed = |attribute: &KeyAttribute| {
        map! {
            "AttributeName" => attribute.name,
            "AttributeType" => attribute.kind.as_str(),
        }
    };
    map! {
        "PartitionKey" => key.pk.first().map(typed),
        "SortKey" => key.sk.first().map(typed),
    }
}

/// Every attribute but those of the primary key: those of indexes, which no item may have, then those of items as they appear.
fn attributes(table: &CatalogTable) -> Document {
    let schema = table.schema;
    let mut seen: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, kind: &str| {
        let is_key = schema.key.attributes().any(|key| key.name == name);
        if !is_key && seen.iter().all(|(known, _)| known != name) {
            seen.push((name.to_owned(), kind.to_owned()));
        }
    };
    let indexes = schema.indexes.iter().filter(|index| is_known(index));
    for attribute in indexes.flat_map(|index| index.attributes()) {
        add(attribute.name, attribute.kind.as_str());
    }
    for (name, value) in table.samples.iter().flat_map(|sample| &sample.attributes) {
        add(name, type_name(value));
    }
    seen.into_iter()
        .map(|(name, kind)| map! { "AttributeName" => name, "AttributeType" => kind })
        .collect()
}

fn facet(table: &CatalogTable, entity: &EntityMeta) -> Document {
    let alias =
        |templates: &'static [dyna_runtime::shape::Template]| templates.first().map(spelled);
    let mut names: Vec<&str> = Vec::new();
    for sample in table.samples_of(entity) {
        for (name, _) in &sample.attributes {
            let is_key = table.schema.key.attributes().any(|key| key.name == name);
            if !is_key && !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    map! {
        "FacetName" => entity.name,
        "KeyAttributeAlias" => map! {
            "PartitionKeyAlias" => alias(entity.key.pk),
            "SortKeyAlias" => alias(entity.key.sk),
        },
        "TableData" => table.samples_of(entity).map(Sample::typed).collect::<Document>(),
        "NonKeyAttributes" => names,
        "DataAccess" => map! { "MySql" => Document::Map(Vec::new()) },
    }
}

fn index_model(index: &IndexSchema) -> Document {
    map! {
        "IndexName" => index.name,
        "KeyAttributes" => key(index),
        "Projection" => cfn::projection(index.projection),
    }
}
