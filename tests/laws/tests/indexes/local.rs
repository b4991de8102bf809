//! A local index has the partition key of its table, so its use gives none.

use super::{stored, text};
use dyna_runtime::{DynaCollection, DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "local",
    pk = "pk",
    sk = "sk",
    tag = "kind",
    local_index(by_date, sk = "date"),
    local_index(by_size, sk = "sizeKey")
)]
enum Library {
    Book(Book),
    Visit(Visit),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Library,
    pk = "SHELF#<room>#<shelf>",
    sk = "BOOK#<title>",
    by_date(sk = "<date>"),
    by_size(as = by_pages, sk = "P#<pages:05>"),
)]
struct Book {
    room: String,
    shelf: u8,
    title: String,
    date: Option<String>,
    pages: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Library, pk = "SHELF#<room>#<shelf>", sk = "VISIT#<n:05>", by_date(sk = "<date>"))]
struct Visit {
    room: String,
    shelf: u8,
    n: u32,
    date: String,
}

#[derive(Debug, PartialEq, DynaCollection)]
#[dyna(index = by_date)]
enum ByDate {
    Book(Book),
    Visit(Visit),
}

fn book(title: &str, date: Option<&str>, pages: u32) -> Book {
    Book {
        room: "a".to_owned(),
        shelf: 1,
        title: title.to_owned(),
        date: date.map(str::to_owned),
        pages,
    }
}

#[tokio::test]
async fn a_local_index_is_queried_by_the_partition_of_its_table() {
    let db = Library::embedded().await.unwrap();
    let (old, new) = (book("x", Some("1999"), 7), book("a", Some("2020"), 10));
    let undated = book("b", None, 90);
    for one in [&old, &new, &undated] {
        one.create().send(&db).await.unwrap();
    }
    let visit = Visit {
        room: "a".to_owned(),
        shelf: 1,
        n: 4,
        date: "2001".to_owned(),
    };
    visit.create().send(&db).await.unwrap();
    let dated = Book::by_date("a", 1).all(&db).await.unwrap();
    assert_eq!(dated, [old.clone(), new.clone()]);
    let from = Book::by_date("a", 1).date_range("2000"..).consistent();
    assert_eq!(from.all(&db).await.unwrap(), std::slice::from_ref(&new));
    let pages = Book::by_pages("a", 1)
        .pages_range(8..)
        .all(&db)
        .await
        .unwrap();
    assert_eq!(pages, [new.clone(), undated]);
    let all = ByDate::query(("a", 1)).all(&db).await.unwrap();
    let all_of = [ByDate::Book(old), ByDate::Visit(visit), ByDate::Book(new)];
    assert_eq!(all, all_of);
}

#[tokio::test]
async fn the_key_of_a_local_index_follows_its_fields() {
    let db = Library::embedded().await.unwrap();
    let book = book("x", Some("1999"), 7);
    book.create().send(&db).await.unwrap();
    let update = Book::update("a", 1, "x").set_by_pages(8);
    update.send(&db).await.unwrap();
    let update = Book::update_loaded(&book).set(Book::DATE, None);
    update.send(&db).await.unwrap();
    let [item] = &stored(&db).await[..] else {
        panic!("one item")
    };
    assert_eq!(text(item, "pk"), Some("SHELF#a#1"));
    assert_eq!(text(item, "sizeKey"), Some("P#00008"));
    assert_eq!(text(item, "date"), None);
}
