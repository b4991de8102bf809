//! What tells whose an item is: a tag that is NULL is none, and a sentinel is told by its whole key.

use aws_sdk_dynamodb::types::AttributeValue::{self, N, Null, S};
use dyna_runtime::{DynaCollection, DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(name = "marks", pk = "pk", sk = "sk", tag = "type")]
enum Marks {
    Entry(Entry),
    Line(Line),
    Person(Person),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Marks, pk = "LOG#<log>", sk = "<at:04>")]
struct Entry {
    log: String,
    at: u16,
}

/// Between the entries: their queries have a filter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Marks, pk = "LOG#<log>", sk = "<at:04>#<n:02>")]
struct Line {
    log: String,
    at: u16,
    n: u8,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Marks, pk = "PERSON#<name>", sk = "PERSON")]
struct Person {
    name: String,
    #[dyna(unique)]
    email: String,
}

#[derive(Debug, PartialEq, DynaCollection)]
enum Both {
    Entry(Entry),
    Line(Line),
}

fn entry(at: u16) -> Entry {
    Entry {
        log: "a".into(),
        at,
    }
}

async fn write(db: &Table<Marks>, pairs: &[(&str, AttributeValue)]) {
    let item = pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()));
    let put = db.client().put_item().table_name("marks");
    put.set_item(Some(item.collect())).send().await.unwrap();
}

fn s(text: &str) -> AttributeValue {
    S(text.to_owned())
}

/// An entry, with NULL for a tag.
async fn write_null(db: &Table<Marks>, sk: &str) {
    let item = [
        ("pk", s("LOG#a")),
        ("sk", s(sk)),
        ("type", Null(true)),
        ("log", s("a")),
        ("at", N("2".into())),
    ];
    write(db, &item).await;
}

#[tokio::test]
async fn null_tag_counts_as_missing() {
    let db = Marks::embedded().await.unwrap();
    entry(1).put().send(&db).await.unwrap();
    write_null(&db, "0002").await;
    let entries = [entry(1), entry(2)];
    assert_eq!(Entry::get("a", 2).send(&db).await.unwrap(), Some(entry(2)));
    assert_eq!(Entry::query("a").all(&db).await.unwrap(), entries);
    assert_eq!(
        Entry::query("a").at(2).all(&db).await.unwrap(),
        entries[1..]
    );
    assert_eq!(
        Entry::query("a")
            .at_range(2..)
            .send(&db)
            .await
            .unwrap()
            .items,
        entries[1..]
    );
    assert_eq!(Entry::query("a").count(&db).await.unwrap(), 2);
    assert_eq!(
        Entry::query_many(["a", "b"]).all(&db).await.unwrap(),
        entries
    );
    assert_eq!(Entry::scan().all(&db).await.unwrap(), entries);
    assert_eq!(Entry::scan().count(&db).await.unwrap(), 2);
    assert_eq!(
        Both::query("a").all(&db).await.unwrap(),
        entries.clone().map(Both::Entry)
    );
    assert_eq!(
        Marks::scan().all(&db).await.unwrap(),
        entries.clone().map(Marks::Entry)
    );
    let batch = db.batch_get([Entry::key("a", 2)]).await.unwrap();
    assert_eq!(batch.items, [Some(entry(2))]);
    assert_eq!(Line::query("a").all(&db).await.unwrap(), []);
}

/// Without a tag, a key that fits nothing is of nobody.
#[tokio::test]
async fn item_with_null_tag_and_foreign_key_is_unknown() {
    let db = Marks::embedded().await.unwrap();
    write_null(&db, "00020").await;
    assert_eq!(Entry::query("a").all(&db).await.unwrap(), []);
    let page = Entry::scan().send(&db).await.unwrap();
    assert_eq!((page.items.len(), page.skipped.unknown), (0, 1));
    assert!(matches!(
        Marks::scan().all(&db).await,
        Err(Error::UnknownItem { .. })
    ));
}

#[tokio::test]
async fn sentinel_is_recognized_by_sort_key() {
    let db = Marks::embedded().await.unwrap();
    let ann = Person {
        name: "ann".into(),
        email: "ann@example.com".into(),
    };
    ann.create().send(&db).await.unwrap();
    assert_eq!(
        Marks::scan().all(&db).await.unwrap(),
        [Marks::Person(ann.clone())]
    );
    let scan = db.client().scan().table_name("marks").send().await.unwrap();
    let mut sentinel = scan
        .items()
        .iter()
        .find(|item| item["sk"] == s("UNIQUE"))
        .unwrap()
        .clone();
    // Someone else's item in the partition of the sentinel: of nobody, and not silently a sentinel.
    sentinel.insert("sk".into(), s("OTHER"));
    let put = db.client().put_item().table_name("marks");
    put.set_item(Some(sentinel)).send().await.unwrap();
    assert!(matches!(
        Marks::scan().all(&db).await,
        Err(Error::UnknownItem { .. })
    ));
    let page = Marks::scan().skip_unknown().send(&db).await.unwrap();
    assert_eq!(
        (page.items.len(), page.skipped.foreign, page.skipped.unknown),
        (1, 1, 1)
    );
}
