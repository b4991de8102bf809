//! `verify`: each difference by itself.

mod variants;

use super::Library;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::create_table::builders::CreateTableFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType,
    LocalSecondaryIndex, Projection, ProjectionType, ProvisionedThroughput, ScalarAttributeType,
    StreamSpecification, StreamViewType, Tag,
};
use dyna_runtime::embedded::Embedded;
use dyna_runtime::schema::DifferenceKind;
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "orders",
        pk = "customer",
        sk = number("at"),
        ttl = "goneAt",
        stream = "new_image",
        index(by_state, pk = "state", sk = "id", projection = include("b", "a")),
        local_index(by_total, sk = number("total")),
        resource_tags(team = "shop"),
    ),
    pk = "<customer>",
    sk = "<at>"
)]
struct Order {
    customer: String,
    at: u64,
}

/// `sk range`
fn keys(keys: &[(&str, KeyType)]) -> Vec<KeySchemaElement> {
    keys.iter()
        .map(|(name, kind)| {
            let key = KeySchemaElement::builder().attribute_name(*name);
            key.key_type(kind.clone()).build().unwrap()
        })
        .collect()
}

fn types(types: &[(&str, ScalarAttributeType)]) -> Vec<AttributeDefinition> {
    types
        .iter()
        .map(|(name, kind)| {
            let kind = kind.clone();
            let attribute = AttributeDefinition::builder().attribute_name(*name);
            attribute.attribute_type(kind).build().unwrap()
        })
        .collect()
}

fn projected(kind: ProjectionType, attributes: &[&str]) -> Projection {
    let attributes: Vec<_> = attributes.iter().map(ToString::to_string).collect();
    Projection::builder()
        .projection_type(kind)
        .set_non_key_attributes((!attributes.is_empty()).then_some(attributes))
        .build()
}

fn by_state(name: &str, projection: Projection) -> GlobalSecondaryIndex {
    GlobalSecondaryIndex::builder()
        .index_name(name)
        .set_key_schema(Some(keys(&[
            ("state", KeyType::Hash),
            ("id", KeyType::Range),
        ])))
        .projection(projection)
        .build()
        .unwrap()
}

fn by_total() -> LocalSecondaryIndex {
    LocalSecondaryIndex::builder()
        .index_name("by_total")
        .set_key_schema(Some(keys(&[
            ("customer", KeyType::Hash),
            ("total", KeyType::Range),
        ])))
        .projection(projected(ProjectionType::All, &[]))
        .build()
        .unwrap()
}

fn stream(view: StreamViewType) -> StreamSpecification {
    let stream = StreamSpecification::builder().stream_enabled(true);
    stream.stream_view_type(view).build().unwrap()
}

fn tag(value: &str) -> Tag {
    Tag::builder().key("team").value(value).build().unwrap()
}

/// The table of [`Order`] by hand, all but its expiry.
fn as_declared(client: &Client) -> CreateTableFluentBuilder {
    let include = projected(ProjectionType::Include, &["a", "b"]);
    client
        .create_table()
        .table_name("orders")
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some(types(&[
            ("customer", ScalarAttributeType::S),
            ("at", ScalarAttributeType::N),
            ("state", ScalarAttributeType::S),
            ("id", ScalarAttributeType::S),
            ("total", ScalarAttributeType::N),
        ])))
        .set_key_schema(Some(keys(&[
            ("customer", KeyType::Hash),
            ("at", KeyType::Range),
        ])))
        .global_secondary_indexes(by_state("by_state", include))
        .local_secondary_indexes(by_total())
        .stream_specification(stream(StreamViewType::NewImage))
        .tags(tag("shop"))
}

/// The differences of a table that was made with a change, and with its expiry on an attribute.
async fn differences(
    change: impl Fn(CreateTableFluentBuilder) -> CreateTableFluentBuilder,
    ttl: Option<&str>,
) -> (Vec<String>, bool) {
    let client = Embedded::in_memory().unwrap().client();
    change(as_declared(&client)).send().await.unwrap();
    if let Some(ttl) = ttl {
        let on = aws_sdk_dynamodb::types::TimeToLiveSpecification::builder().enabled(true);
        let on = on.attribute_name(ttl).build().unwrap();
        let request = client.update_time_to_live().table_name("orders");
        request.time_to_live_specification(on).send().await.unwrap();
    }
    let found = Order::open(client).differences().await.unwrap();
    let lines = found.iter().map(ToString::to_string).collect();
    (lines, found.breaking().is_empty())
}

/// Runs the change, and expects these lines; `works` if requests do not suffer.
async fn expect(
    change: impl Fn(CreateTableFluentBuilder) -> CreateTableFluentBuilder,
    ttl: Option<&str>,
    works: bool,
    lines: &[&str],
) {
    let (found, found_works) = differences(change, ttl).await;
    assert_eq!(found, lines);
    assert_eq!(found_works, works, "{found:?}");
}

const TTL: Option<&str> = Some("goneAt");

#[tokio::test]
async fn table_created_by_hand_as_declared_has_no_differences() {
    expect(|table| table, TTL, true, &[]).await;
}

#[tokio::test]
async fn a_missing_table() {
    let db = Order::open(Embedded::in_memory().unwrap().client());
    let found = db.differences().await.unwrap();
    assert_eq!(
        found.iter().map(|d| &d.kind).collect::<Vec<_>>(),
        [&DifferenceKind::Table]
    );
    assert!(!found.breaking().is_empty());
}

#[tokio::test]
async fn the_key() {
    let number = types(&[
        ("customer", ScalarAttributeType::S),
        ("at", ScalarAttributeType::S),
        ("state", ScalarAttributeType::S),
        ("id", ScalarAttributeType::S),
        ("total", ScalarAttributeType::N),
    ]);
    expect(
        |table| table.set_attribute_definitions(Some(number.clone())),
        TTL,
        false,
        &["key: declared partition customer (S), sort at (N), found partition customer (S), sort at (S)"],
    )
    .await;
}

#[tokio::test]
async fn the_projection_of_an_index() {
    let all = by_state("by_state", projected(ProjectionType::All, &[]));
    expect(
        |table| table.set_global_secondary_indexes(Some(vec![all.clone()])),
        TTL,
        false,
        &["projection of index `by_state`: declared the keys and a, b, found all attributes"],
    )
    .await;
}

#[tokio::test]
async fn a_missing_and_an_undeclared_index() {
    let other = by_state("by_status", projected(ProjectionType::KeysOnly, &[]));
    expect(
        |table| table.set_global_secondary_indexes(Some(vec![other.clone()])),
        TTL,
        false,
        &[
            "index `by_state`: declared global index: partition state (S), sort id (S), with the keys and a, b, not there",
            "index `by_status`: not declared, found global index: partition state (S), sort id (S)",
        ],
    )
    .await;
}

#[tokio::test]
async fn undeclared_index_is_not_breaking() {
    let other = by_state("by_status", projected(ProjectionType::KeysOnly, &[]));
    expect(
        |table| table.global_secondary_indexes(other.clone()),
        TTL,
        true,
        &["index `by_status`: not declared, found global index: partition state (S), sort id (S)"],
    )
    .await;
}

#[tokio::test]
async fn the_expiry() {
    let same = |table| table;
    expect(
        same,
        None,
        true,
        &["time to live: declared goneAt, not there; `enable_missing_settings` turns it on"],
    )
    .await;
    expect(
        same,
        Some("until"),
        true,
        &["time to live: declared goneAt, found until"],
    )
    .await;
}

#[tokio::test]
async fn the_stream() {
    expect(
        |table| table.set_stream_specification(None),
        TTL,
        true,
        &["stream: declared new_image, not there"],
    )
    .await;
    expect(
        |table| table.stream_specification(stream(StreamViewType::KeysOnly)),
        TTL,
        true,
        &["stream: declared new_image, found keys_only"],
    )
    .await;
}

#[tokio::test]
async fn the_billing() {
    let units = ProvisionedThroughput::builder()
        .read_capacity_units(7)
        .write_capacity_units(5);
    let units = units.build().unwrap();
    let index = by_state("by_state", projected(ProjectionType::Include, &["b", "a"]));
    let mut index = index;
    index.provisioned_throughput = Some(units.clone());
    expect(
        |table| {
            table
                .billing_mode(BillingMode::Provisioned)
                .provisioned_throughput(units.clone())
                .set_global_secondary_indexes(Some(vec![index.clone()]))
        },
        TTL,
        true,
        &["billing: declared on demand, found 7 read and 5 write units"],
    )
    .await;
}

#[tokio::test]
async fn the_other_settings() {
    expect(
        |table| {
            table
                .table_class(aws_sdk_dynamodb::types::TableClass::StandardInfrequentAccess)
                .deletion_protection_enabled(true)
                .set_tags(Some(vec![tag("bakery")]))
        },
        TTL,
        true,
        &[
            "table class: declared STANDARD, found STANDARD_INFREQUENT_ACCESS",
            "deletion protection: declared off, found on",
            "resource tag `team`: declared `shop`, found `bakery`",
        ],
    )
    .await;
    expect(
        |table| table.set_tags(None),
        TTL,
        true,
        &["resource tag `team`: declared `shop`, not there"],
    )
    .await;
}

/// The same name, but none of the rest.
#[tokio::test]
async fn everything_at_once() {
    let client = Embedded::in_memory().unwrap().client();
    client
        .create_table()
        .table_name("library-test")
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some(types(&[("id", ScalarAttributeType::B)])))
        .set_key_schema(Some(keys(&[("id", KeyType::Hash)])))
        .send()
        .await
        .unwrap();
    let db = Library::open(client).with_variable("stage", "test");
    let found = db.differences().await.unwrap();
    assert_eq!(
        found.to_string(),
        "table `library-test` is not as declared:
  key: declared partition pk (S), sort no (N), found partition id (B)
  index `title-index`: declared global index: partition title (S), with the keys, not there
  index `by_shelf`: declared global index: partition hall (S) + shelf (S), sort row (N) + place (S), with the keys and kind, title, not there
  index `by_year`: declared local index: partition pk (S), sort year (N), with all attributes, not there
  time to live: declared goneAt, not there; `enable_missing_settings` turns it on
  stream: declared keys_only, not there
  billing: declared 4 read and 3 write units, found on demand
  table class: declared STANDARD_INFREQUENT_ACCESS, found STANDARD
  deletion protection: declared on, found off
  encryption: declared the KMS key of the account, found a key owned by AWS
  resource tag `team`: declared `books`, not there
  resource tag `cost-center`: declared `42`, not there"
    );
    assert_eq!(found.breaking().iter().count(), 4);
}
