//! A CloudFormation template. Variables of names are its parameters.

use crate::catalog::{Catalog, CatalogTable};
use crate::document::{Document, map};
use crate::identifier::{pascal, unique, with_variables};
use dyna_runtime::schema::{
    Encryption, IndexKind, IndexSchema, Projection, TableSchema, Throughput,
};
use std::collections::BTreeMap;

pub(super) fn template(catalog: &Catalog) -> Document {
    let parameters = Parameters::from_catalog(catalog);
    let declared = parameters.0.iter().map(|(variable, name)| {
        let about = format!("The value of {{{variable}}} in the names of tables");
        (
            name.clone(),
            map! { "Type" => "String", "Description" => about },
        )
    });
    let declared: Vec<_> = declared.collect();
    let mut taken = Vec::new();
    let (mut resources, mut outputs) = (Vec::new(), Vec::new());
    for table in &catalog.tables {
        let id = logical_id(table.schema.type_name, &mut taken);
        resources.push((id.clone(), resource(table, &parameters)));
        outputs.extend(self::outputs(&id, table.schema));
    }
    map! {
        "AWSTemplateFormatVersion" => "2010-09-09",
        "Parameters" => (!declared.is_empty()).then_some(Document::Map(declared)),
        "Resources" => Document::Map(resources),
        "Outputs" => Document::Map(outputs),
    }
}

/// The variables, and the parameters that they are.
struct Parameters<'c>(Vec<(&'c str, String)>);

impl<'c> Parameters<'c> {
    fn from_catalog(catalog: &'c Catalog) -> Self {
        let mut taken = Vec::new();
        let variables = catalog.variables().into_iter().map(|variable| {
            let name = unique(pascal(variable), &mut taken);
            (variable, name)
        });
        Self(variables.collect())
    }

    /// The name of a table.
    fn name(&self, name: &str) -> Document {
        if self.0.is_empty() || !name.contains('{') {
            return name.into();
        }
        let text = |text: &str| text.replace("${", "${!");
        let name = with_variables(name, &self.0, text, |name| format!("${{{name}}}"));
        map! { "Fn::Sub" => name }
    }
}

fn logical_id(type_name: &str, taken: &mut Vec<String>) -> String {
    let name = pascal(type_name);
    let name = if name.ends_with("Table") {
        name
    } else {
        name + "Table"
    };
    unique(name, taken)
}

fn resource(table: &CatalogTable, parameters: &Parameters<'_>) -> Document {
    let (schema, settings) = (table.schema, &table.schema.settings);
    // A table that must not be deleted is not deleted with its stack either.
    let retain = settings.deletion_protection.then_some("Retain");
    map! {
        "Type" => "AWS::DynamoDB::Table",
        "DeletionPolicy" => retain,
        "UpdateReplacePolicy" => retain,
        "Properties" => map! {
            "TableName" => parameters.name(&table.name),
            "BillingMode" => settings.billing.as_str(),
            "ProvisionedThroughput" => settings.billing.throughput().map(throughput),
            "AttributeDefinitions" => definitions(schema),
            "KeySchema" => key_schema(&schema.key),
            "GlobalSecondaryIndexes" => indexes(schema, IndexKind::Global),
            "LocalSecondaryIndexes" => indexes(schema, IndexKind::Local),
            "StreamSpecification" => schema.stream.map(|view| map! { "StreamViewType" => view.as_str() }),
            "TimeToLiveSpecification" => schema.ttl.map(|ttl| map! {
                "AttributeName" => ttl.name,
                "Enabled" => true,
            }),
            "PointInTimeRecoverySpecification" => settings.point_in_time_recovery.then(|| map! {
                "PointInTimeRecoveryEnabled" => true,
            }),
            "SSESpecification" => encryption(settings.encryption),
            "TableClass" => settings.table_class.as_str(),
            "DeletionProtectionEnabled" => settings.deletion_protection,
            "Tags" => tags(settings.resource_tags),
        },
    }
}

fn outputs(id: &str, schema: &TableSchema) -> Vec<(String, Document)> {
    let attribute = |name: &str| map! { "Fn::GetAtt" => vec![id, name] };
    let mut outputs = vec![
        (
            format!("{id}Name"),
            map! { "Value" => map! { "Ref" => id } },
        ),
        (format!("{id}Arn"), map! { "Value" => attribute("Arn") }),
    ];
    if schema.stream.is_some() {
        let arn = map! { "Value" => attribute("StreamArn") };
        outputs.push((format!("{id}StreamArn"), arn));
    }
    outputs
}

pub(super) fn throughput(throughput: Throughput) -> Document {
    map! {
        "ReadCapacityUnits" => throughput.read,
        "WriteCapacityUnits" => throughput.write,
    }
}

/// The attributes of all keys with their types, by name.
pub(super) fn attributes(schema: &TableSchema) -> BTreeMap<&'static str, &'static str> {
    schema
        .keys()
        .flat_map(IndexSchema::attributes)
        .map(|attribute| (attribute.name, attribute.kind.as_str()))
        .collect()
}

pub(super) fn definitions(schema: &TableSchema) -> Document {
    attributes(schema)
        .into_iter()
        .map(|(name, kind)| map! { "AttributeName" => name, "AttributeType" => kind })
        .collect()
}

pub(super) fn key_schema(key: &IndexSchema) -> Document {
    let element = |name: &'static str, kind| map! { "AttributeName" => name, "KeyType" => kind };
    let pk = key.pk.iter().map(|pk| element(pk.name, "HASH"));
    let sk = key.sk.iter().map(|sk| element(sk.name, "RANGE"));
    pk.chain(sk).collect()
}

pub(super) fn indexes(schema: &TableSchema, kind: IndexKind) -> Option<Document> {
    Document::non_empty(schema.indexes_of(kind).map(|index| {
        map! {
            "IndexName" => index.name,
            "KeySchema" => key_schema(index),
            "Projection" => projection(index.projection),
            "ProvisionedThroughput" => index.throughput.map(throughput),
        }
    }))
}

pub(super) fn projection(projection: Projection) -> Document {
    let attributes = projection.included();
    map! {
        "ProjectionType" => projection.as_str(),
        "NonKeyAttributes" => (!attributes.is_empty()).then(|| attributes.to_vec()),
    }
}

fn encryption(encryption: Encryption) -> Option<Document> {
    encryption.is_kms().then(|| {
        map! {
            "SSEEnabled" => true,
            "SSEType" => "KMS",
            "KMSMasterKeyId" => encryption.kms_key(),
        }
    })
}

pub(super) fn tags(tags: &[(&str, &str)]) -> Option<Document> {
    Document::non_empty(
        tags.iter()
            .map(|(name, value)| map! { "Key" => *name, "Value" => *value }),
    )
}
