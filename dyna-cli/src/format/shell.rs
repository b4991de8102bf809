//! A shell script that creates the tables with the AWS CLI. Variables of names are its environment.

use super::cloudformation as cfn;
use crate::catalog::{Catalog, CatalogTable};
use crate::document::{Document, map};
use crate::identifier::{snake, unique, with_variables};
use dyna_runtime::schema::{Encryption, IndexKind};

pub(super) fn script(catalog: &Catalog) -> String {
    let mut taken = Vec::new();
    let variables: Vec<(&str, String)> = catalog
        .variables()
        .into_iter()
        .map(|name| {
            let variable = unique(snake(name), &mut taken).to_ascii_uppercase();
            (name, variable)
        })
        .collect();
    let mut out = "#!/usr/bin/env bash\n\
        # Creates the tables that are not there yet. Needs the AWS CLI, which takes its endpoint from AWS_ENDPOINT_URL.\n\
        set -euo pipefail\n"
        .to_owned();
    for (name, variable) in &variables {
        out += &format!("\n: \"${{{variable}:?is the variable {name} in the names of tables}}\"");
    }
    if !variables.is_empty() {
        out.push('\n');
    }
    out += "\nexists() { aws dynamodb describe-table --table-name \"$1\" >/dev/null 2>&1; }\n\
        create() { aws dynamodb create-table --table-name \"$1\" --cli-input-json \"$(cat)\" >/dev/null; }\n";
    for table in &catalog.tables {
        out += &commands(table, &variables);
    }
    out
}

fn commands(table: &CatalogTable, variables: &[(&str, String)]) -> String {
    let name = with_variables(&table.name, variables, in_quotes, |name| {
        format!("${{{name}}}")
    });
    let request = request(table).json();
    let mut out = format!(
        "\ntable=\"{name}\"
if exists \"$table\"; then
  echo \"$table is there already\"
else
  create \"$table\" <<'JSON'
{request}
JSON
  aws dynamodb wait table-exists --table-name \"$table\"
"
    );
    if let Some(ttl) = table.schema.ttl {
        let ttl = map! { "Enabled" => true, "AttributeName" => ttl.name };
        out += &then("update-time-to-live", "time-to-live-specification", &ttl);
    }
    if table.schema.settings.point_in_time_recovery {
        let recovery = map! { "PointInTimeRecoveryEnabled" => true };
        out += &then(
            "update-continuous-backups",
            "point-in-time-recovery-specification",
            &recovery,
        );
    }
    out + "  echo \"$table is created\"\nfi\n"
}

/// Another call, with its argument.
fn then(command: &str, option: &str, argument: &Document) -> String {
    format!(
        "  aws dynamodb {command} --table-name \"$table\" --{option} {} >/dev/null\n",
        quoted(&argument.json_in_line())
    )
}

/// What the shell takes as it is between double quotes.
fn in_quotes(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// What the shell takes as it is.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The request `CreateTable` without the name of the table.
fn request(table: &CatalogTable) -> Document {
    let (schema, settings) = (table.schema, &table.schema.settings);
    map! {
        "BillingMode" => settings.billing.as_str(),
        "ProvisionedThroughput" => settings.billing.throughput().map(cfn::throughput),
        "AttributeDefinitions" => cfn::definitions(schema),
        "KeySchema" => cfn::key_schema(&schema.key),
        "GlobalSecondaryIndexes" => cfn::indexes(schema, IndexKind::Global),
        "LocalSecondaryIndexes" => cfn::indexes(schema, IndexKind::Local),
        "StreamSpecification" => schema.stream.map(|view| map! {
            "StreamEnabled" => true,
            "StreamViewType" => view.as_str(),
        }),
        "SSESpecification" => encryption(settings.encryption),
        "TableClass" => settings.table_class.as_str(),
        "DeletionProtectionEnabled" => settings.deletion_protection,
        "Tags" => cfn::tags(settings.resource_tags),
    }
}

fn encryption(encryption: Encryption) -> Option<Document> {
    encryption.is_kms().then(|| {
        map! {
            "Enabled" => true,
            "SSEType" => "KMS",
            "KMSMasterKeyId" => encryption.kms_key(),
        }
    })
}
