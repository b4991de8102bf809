//! `create_table` and `add_missing_indexes`.

use super::{Book, Library, described};
use aws_sdk_dynamodb::types::{
    BillingMode, IndexStatus, KeySchemaElement, ProjectionType, StreamViewType, TableClass,
};
use dyna_runtime::embedded::Embedded;
use dyna_runtime::schema::DifferenceKind;
use dyna_runtime::{DynaEntity, DynaTable, Error};
use serde::{Deserialize, Serialize};

/// `pk HASH, sk RANGE`
fn key(schema: &[KeySchemaElement]) -> String {
    let elements = schema
        .iter()
        .map(|e| format!("{} {}", e.attribute_name, e.key_type));
    elements.collect::<Vec<_>>().join(", ")
}

#[tokio::test]
async fn a_table_is_created_with_all_that_is_declared() {
    let client = Embedded::in_memory().unwrap().client();
    let db = Library::open(client.clone()).with_variable("stage", "test");
    db.create_table().await.unwrap();
    let table = described(&client, "library-test").await;

    assert_eq!(key(table.key_schema()), "pk HASH, no RANGE");
    let types = table.attribute_definitions().iter();
    let types = types.map(|a| format!("{} {}", a.attribute_name, a.attribute_type));
    assert_eq!(
        types.collect::<Vec<_>>(),
        [
            "hall S", "no N", "pk S", "place S", "row N", "shelf S", "title S", "year N"
        ]
    );

    let mut global = table.global_secondary_indexes().to_vec();
    global.sort_by_key(|index| index.index_name.clone());
    let [by_shelf, by_title] = global.as_slice() else {
        panic!("there are two")
    };
    assert_eq!(by_title.index_name(), Some("title-index"));
    assert_eq!(key(by_title.key_schema()), "title HASH");
    let projection = by_title.projection().unwrap();
    assert_eq!(
        projection.projection_type(),
        Some(&ProjectionType::KeysOnly)
    );
    let units = by_title.provisioned_throughput().unwrap();
    assert_eq!(
        (units.read_capacity_units, units.write_capacity_units),
        (Some(4), Some(3)),
        "an index has the throughput of its table"
    );
    assert_eq!(
        key(by_shelf.key_schema()),
        "hall HASH, shelf HASH, row RANGE, place RANGE"
    );
    let projection = by_shelf.projection().unwrap();
    assert_eq!(projection.non_key_attributes(), ["title", "kind"]);
    let units = by_shelf.provisioned_throughput().unwrap();
    assert_eq!(
        (units.read_capacity_units, units.write_capacity_units),
        (Some(2), Some(1))
    );
    let [by_year] = table.local_secondary_indexes() else {
        panic!("there is one")
    };
    assert_eq!(key(by_year.key_schema()), "pk HASH, year RANGE");

    let stream = table.stream_specification().unwrap();
    assert_eq!(stream.stream_view_type(), Some(&StreamViewType::KeysOnly));
    let units = table.provisioned_throughput().unwrap();
    assert_eq!(
        (units.read_capacity_units, units.write_capacity_units),
        (Some(4), Some(3))
    );
    assert_ne!(
        table.billing_mode_summary().and_then(|s| s.billing_mode()),
        Some(&BillingMode::PayPerRequest)
    );
    let class = table.table_class_summary().unwrap().table_class();
    assert_eq!(class, Some(&TableClass::StandardInfrequentAccess));
    assert_eq!(table.deletion_protection_enabled(), Some(true));
    let ttl = client.describe_time_to_live().table_name("library-test");
    let ttl = ttl.send().await.unwrap().time_to_live_description.unwrap();
    assert_eq!(ttl.attribute_name(), Some("goneAt"));
    let tags = client.list_tags_of_resource();
    let tags = tags.set_resource_arn(table.table_arn).send().await.unwrap();
    let mut tags: Vec<_> = tags
        .tags()
        .iter()
        .map(|tag| (tag.key(), tag.value()))
        .collect();
    tags.sort_unstable();
    assert_eq!(tags, [("cost-center", "42"), ("team", "books")]);

    assert!(db.differences().await.unwrap().is_empty());
    let book = Book {
        isbn: "978".to_owned(),
        no: 1,
        title: "Ulysses".to_owned(),
        hall: Some("north".to_owned()),
        shelf: "J".to_owned(),
        row: 3,
        place: "left".to_owned(),
        year: 1922,
        gone_at: None,
    };
    book.create().send(&db).await.unwrap();
    assert_eq!(Book::get("978", 1).send(&db).await.unwrap(), Some(book));
}

#[tokio::test]
async fn creating_again_changes_nothing() {
    let engine = Embedded::in_memory().unwrap();
    let db = Library::open(engine.client()).with_variable("stage", "test");
    db.create_table().await.unwrap();
    let before = described(db.client(), "library-test").await;
    db.create_table().await.unwrap();
    assert_eq!(before, described(db.client(), "library-test").await);
}

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "notes", pk = "id", ttl = "goneAt"), pk = "<id>")]
struct Note {
    id: String,
}

/// A table of the same name: the first version of [`Notes`].
#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "notes", pk = "id"), pk = "<id>")]
struct PlainNote {
    id: String,
}

/// The first call may have ended before the expiry was on.
#[tokio::test]
async fn enable_missing_settings_turns_on_ttl_and_recovery() {
    let engine = Embedded::in_memory().unwrap();
    PlainNote::open(engine.client())
        .create_table()
        .await
        .unwrap();
    let db = Note::open(engine.client());
    assert!(db.create_table().await.is_err());
    assert_eq!(
        db.enable_missing_settings().await.unwrap(),
        [DifferenceKind::Ttl]
    );
    db.create_table().await.unwrap();
    assert!(db.differences().await.unwrap().is_empty());
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "notes",
        pk = "id",
        index(by_author, pk = "author", sk = number("at")),
        index(by_topic, pk = "topic", projection = include("author")),
    ),
    pk = "<id>",
    by_author(pk = "<author>", sk = "<at>"),
)]
struct IndexedNote {
    id: String,
    author: String,
    at: u64,
}

#[tokio::test]
async fn creating_over_another_table_says_how_it_differs() {
    let engine = Embedded::in_memory().unwrap();
    PlainNote::open(engine.client())
        .create_table()
        .await
        .unwrap();
    let error = IndexedNote::open(engine.client())
        .create_table()
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "table `notes` is not as declared:
  index `by_author`: declared global index: partition author (S), sort at (N), with all attributes, not there
  index `by_topic`: declared global index: partition topic (S), with the keys and author, not there"
    );
    assert!(
        matches!(error, Error::SchemaMismatch { differences } if differences.table() == "notes")
    );
}

#[tokio::test]
async fn missing_indexes_are_added_and_filled() {
    let engine = Embedded::in_memory().unwrap();
    let plain = PlainNote::open(engine.client());
    plain.create_table().await.unwrap();
    let note = IndexedNote {
        id: "n1".to_owned(),
        author: "ann".to_owned(),
        at: 7,
    };
    let db = IndexedNote::open(engine.client());
    note.create().send(&db).await.unwrap();

    assert_eq!(
        db.add_missing_indexes().await.unwrap(),
        ["by_author", "by_topic"]
    );
    assert!(db.differences().await.unwrap().is_empty());
    let table = described(db.client(), "notes").await;
    let mut indexes = table.global_secondary_indexes().iter();
    assert!(indexes.all(|index| index.index_status() == Some(&IndexStatus::Active)));
    let found = IndexedNote::by_author("ann").all(&db).await.unwrap();
    assert_eq!(found, [note]);
    assert!(db.add_missing_indexes().await.unwrap().is_empty());
}

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "pages",
        pk = "book",
        sk = "page",
        local_index(by_length, sk = number("length"))
    ),
    pk = "<book>",
    sk = "<page>"
)]
struct Page {
    book: String,
    page: String,
}

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "pages", pk = "book", sk = "page"),
    pk = "<book>",
    sk = "<page>"
)]
struct PlainPage {
    book: String,
    page: String,
}

#[tokio::test]
async fn a_local_index_cannot_be_added() {
    let engine = Embedded::in_memory().unwrap();
    PlainPage::open(engine.client())
        .create_table()
        .await
        .unwrap();
    let db = Page::open(engine.client());
    let Error::SchemaMismatch { differences } = db.add_missing_indexes().await.unwrap_err() else {
        panic!("the index is missing")
    };
    let what: Vec<_> = differences
        .iter()
        .map(|difference| &difference.kind)
        .collect();
    assert_eq!(what, [&DifferenceKind::Index("by_length".to_owned())]);
}

#[tokio::test]
async fn a_table_that_is_not_there_gets_no_indexes() {
    let db = IndexedNote::open(Embedded::in_memory().unwrap().client());
    assert!(
        db.add_missing_indexes()
            .await
            .unwrap_err()
            .is_table_not_found()
    );
}
