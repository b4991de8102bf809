//! The tables of the CloudFormation template, of the shell script and of `create_table` are the same.

use super::{Library, Loan, Odd, described};
use dyna_cli::{Catalog, Format};
use dyna_runtime::Table;
use dyna_runtime::embedded::Embedded;
use serde_json::{Value, json};

const TABLES: [&str; 3] = ["library-test", "loans", "odd-test"];

/// What `DescribeTable` says of a table, without what differs from table to table.
async fn facts(engine: &Embedded, name: &str) -> aws_sdk_dynamodb::types::TableDescription {
    let mut table = described(&engine.client(), name).await;
    table.table_id = None;
    table.creation_date_time = None;
    table.latest_stream_label = None;
    table.latest_stream_arn = None;
    if let Some(encryption) = &mut table.sse_description {
        encryption.kms_master_key_arn = None;
    }
    table
}

fn catalog() -> Catalog {
    Catalog::of::<Library>()
        .table::<Loan>()
        .table::<Odd>()
        .with_variable("stage", "test")
}

async fn created() -> Embedded {
    let engine = Embedded::in_memory().unwrap();
    let library: Table<Library> = Library::open(engine.client()).with_variable("stage", "test");
    library.create_table().await.unwrap();
    Loan::open(engine.client()).create_table().await.unwrap();
    let odd: Table<Odd> = Odd::open(engine.client()).with_variable("stage", "test");
    odd.create_table().await.unwrap();
    engine
}

fn create(engine: &Embedded, request: Value) {
    let request = serde_json::from_value(request).unwrap();
    engine.database().create_table(request).unwrap();
}

#[tokio::test]
async fn the_tables_of_cloudformation_are_those_of_create_table() {
    let template: Value =
        serde_json::from_str(&catalog().to_text(Format::CloudFormationJson)).unwrap();
    let engine = Embedded::in_memory().unwrap();
    let resources = template["Resources"].as_object().unwrap();
    assert_eq!(resources.len(), TABLES.len());
    for resource in resources.values() {
        let mut properties = resource["Properties"].clone();
        // CloudFormation calls two things by other names, and makes two more requests.
        let fields = properties.as_object_mut().unwrap();
        fields.remove("TimeToLiveSpecification");
        fields.remove("PointInTimeRecoverySpecification");
        if let Some(stream) = fields.get_mut("StreamSpecification") {
            stream["StreamEnabled"] = json!(true);
        }
        if let Some(encryption) = fields.get_mut("SSESpecification") {
            let fields = encryption.as_object_mut().unwrap();
            let enabled = fields.remove("SSEEnabled").unwrap();
            fields.insert("Enabled".to_owned(), enabled);
        }
        create(&engine, properties);
    }
    let reference = created().await;
    for name in TABLES {
        assert_eq!(facts(&engine, name).await, facts(&reference, name).await);
    }
}

#[tokio::test]
async fn the_tables_of_the_script_are_those_of_create_table() {
    let script = catalog().to_text(Format::Shell);
    let engine = Embedded::in_memory().unwrap();
    let mut names = Vec::new();
    for table in script.split("\ntable=").skip(1) {
        let name = table.split('"').nth(1).unwrap().to_owned();
        let (_, request) = table.split_once("<<'JSON'\n").unwrap();
        let (request, _) = request.split_once("\nJSON\n").unwrap();
        let mut request: Value = serde_json::from_str(request).unwrap();
        request["TableName"] = json!(name);
        create(&engine, request);
        names.push(name);
    }
    assert_eq!(names, TABLES);
    let reference = created().await;
    for name in names {
        assert_eq!(facts(&engine, &name).await, facts(&reference, &name).await);
    }
}
