//! A limit counts what is yielded: what `skip_unreadable` puts aside does not count, whichever way a read takes.

use aws_sdk_dynamodb::types::AttributeValue::{self, N, S};
use dyna_runtime::{DynaCollection, DynaEntity, DynaProjection, DynaTable, Page, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "limits",
    pk = "pk",
    sk = "sk",
    tag = "type",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(keys, pk = "gsi2pk", sk = "gsi2sk", projection = "keys_only")
)]
enum Limits {
    Entry(Entry),
    Line(Line),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Limits, pk = "LOG#<log>", sk = "E#<at:04>",
    gsi1(as = by_topic, pk = "TOPIC#<topic>", sk = "<at:04>"),
    keys(as = by_state, pk = "STATE#<topic>", sk = "<at:04>"),
)]
struct Entry {
    log: String,
    at: u16,
    topic: String,
}

/// Another entity, elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Limits, pk = "LINES#<log>", sk = "E#<at:04>#<n:02>")]
struct Line {
    log: String,
    at: u16,
    n: u8,
}

#[derive(Debug, PartialEq, DynaCollection)]
enum All {
    Entry(Entry),
}

#[derive(Debug, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = Entry)]
struct At {
    at: u16,
    topic: String,
}

fn entry(at: u16) -> Entry {
    let (log, topic) = ("a".to_owned(), "rust".to_owned());
    Entry { log, at, topic }
}

async fn put(db: &Table<Limits>, sk: &str, topic: Option<&str>) {
    let s = |text: &str| S(text.to_owned());
    let mut item: Vec<(&str, AttributeValue)> = vec![
        ("pk", s("LOG#a")),
        ("sk", s(sk)),
        ("type", s("Entry")),
        ("gsi1pk", s("TOPIC#rust")),
        ("gsi1sk", s(&sk[2..])),
        ("gsi2pk", s("STATE#rust")),
        ("gsi2sk", s(&sk[2..])),
        ("log", s("a")),
        ("at", N("1".into())),
    ];
    item.extend(topic.map(|topic| ("topic", s(topic))));
    let item = item
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    let put = db.client().put_item().table_name("limits");
    put.set_item(Some(item.collect())).send().await.unwrap();
}

/// Six entries, and between them misfits and entries that do not decode.
async fn limits() -> Table<Limits> {
    let db = Limits::embedded().await.unwrap();
    for at in 1..=6 {
        entry(at).put().send(&db).await.unwrap();
    }
    for sk in ["E#00005", "E#00015", "E#00025", "E#00035"] {
        put(&db, sk, Some("rust")).await;
    }
    put(&db, "E#0000", None).await;
    put(&db, "E#0020", None).await;
    db
}

fn ats(page: &Page<Entry>) -> Vec<u16> {
    page.items.iter().map(|entry| entry.at).collect()
}

#[tokio::test]
async fn limit_counts_what_is_yielded_whichever_way_a_read_takes() {
    let db = limits().await;
    let query = || Entry::query("a").limit(3);
    let filter = || Entry::TOPIC.starts_with("r").or(Entry::TOPIC.missing());
    let pages = [
        ("single pass", query().skip_unreadable().send(&db).await),
        (
            "all of them in a single pass",
            query().skip_unreadable().all(&db).await,
        ),
        (
            "small answers",
            query().page_size(2).skip_unreadable().all(&db).await,
        ),
        (
            "filtered",
            query().filter(filter()).skip_unreadable().send(&db).await,
        ),
        (
            "all, filtered",
            query().filter(filter()).skip_unreadable().all(&db).await,
        ),
        (
            "filtered in small answers",
            query()
                .filter(filter())
                .page_size(1)
                .skip_unreadable()
                .send(&db)
                .await,
        ),
        (
            "prefetched",
            query()
                .prefetch(2)
                .page_size(1)
                .skip_unreadable()
                .all(&db)
                .await,
        ),
        (
            "several partitions",
            Entry::query_many(["b", "a"])
                .limit(3)
                .skip_unreadable()
                .send(&db)
                .await,
        ),
        (
            "all of several partitions",
            Entry::query_many(["b", "a"])
                .limit(3)
                .skip_unreadable()
                .all(&db)
                .await,
        ),
        (
            "in turn",
            Entry::query_many(["b", "a"])
                .sequential()
                .limit(3)
                .skip_unreadable()
                .send(&db)
                .await,
        ),
        (
            "index",
            Entry::by_topic("rust")
                .limit(3)
                .skip_unreadable()
                .send(&db)
                .await,
        ),
        (
            "hydrated",
            Entry::by_state("rust")
                .hydrate()
                .limit(3)
                .skip_unreadable()
                .send(&db)
                .await,
        ),
        (
            "all, hydrated",
            Entry::by_state("rust")
                .hydrate()
                .limit(3)
                .skip_unreadable()
                .all(&db)
                .await,
        ),
    ];
    for (what, page) in pages {
        let page = page.unwrap();
        assert_eq!(ats(&page), [1, 2, 3], "{what}");
        assert!(
            page.skipped.unreadable.len() >= 2,
            "{what}: {:?}",
            page.skipped
        );
    }
}

#[tokio::test]
async fn limit_counts_what_is_yielded_in_other_orders_and_forms() {
    let db = limits().await;
    let newest = Entry::query("a").descending().limit(4).skip_unreadable();
    assert_eq!(ats(&newest.send(&db).await.unwrap()), [6, 5, 4, 3]);
    let ats = Entry::query("a")
        .limit(3)
        .project::<At>()
        .skip_unreadable()
        .all(&db)
        .await
        .unwrap();
    assert_eq!(
        ats.items.iter().map(|it| it.at).collect::<Vec<_>>(),
        [1, 2, 3]
    );
    let all = All::query("a")
        .limit(3)
        .skip_unreadable()
        .all(&db)
        .await
        .unwrap();
    assert_eq!(all.items, [1, 2, 3].map(|at| All::Entry(entry(at))));
}

#[tokio::test]
async fn limit_of_a_scan_counts_what_is_yielded() {
    let db = limits().await;
    for limit in 0..=7 {
        let wanted = limit.min(6);
        let scan = || Entry::scan().limit(limit);
        let pages = [
            ("page", scan().skip_unreadable().send(&db).await),
            ("all", scan().skip_unreadable().all(&db).await),
            (
                "small answers",
                scan().page_size(1).skip_unreadable().all(&db).await,
            ),
            (
                "segments",
                scan().segments(3).skip_unreadable().all(&db).await,
            ),
        ];
        for (what, page) in pages {
            assert_eq!(page.unwrap().items.len(), wanted, "{what} of {limit}");
        }
        let all = Limits::scan().limit(limit).skip_unreadable();
        assert_eq!(all.send(&db).await.unwrap().items.len(), wanted);
        let all = Limits::scan().limit(limit).skip_unknown().skip_unreadable();
        assert_eq!(all.all(&db).await.unwrap().items.len(), wanted);
    }
}

/// Misfits are told by their keys; whether an item decodes is not looked at to count it.
#[tokio::test]
async fn limit_of_a_count_counts_what_is_counted() {
    let db = limits().await;
    for limit in 0..=9 {
        let wanted = limit.min(8);
        let counts = [
            (
                "query",
                Entry::query("a")
                    .limit(limit)
                    .skip_unreadable()
                    .count(&db)
                    .await,
            ),
            (
                "small answers",
                Entry::query("a")
                    .limit(limit)
                    .page_size(1)
                    .skip_unreadable()
                    .count(&db)
                    .await,
            ),
            (
                "filtered",
                Entry::query("a")
                    .filter(Entry::TOPIC.ne("go"))
                    .limit(limit)
                    .skip_unreadable()
                    .count(&db)
                    .await,
            ),
            (
                "several partitions",
                Entry::query_many(["b", "a"])
                    .limit(limit)
                    .skip_unreadable()
                    .count(&db)
                    .await,
            ),
            (
                "scan",
                Entry::scan()
                    .limit(limit)
                    .skip_unreadable()
                    .count(&db)
                    .await,
            ),
            (
                "segments",
                Entry::scan()
                    .segments(2)
                    .limit(limit)
                    .skip_unreadable()
                    .count(&db)
                    .await,
            ),
            (
                "table",
                Limits::scan()
                    .limit(limit)
                    .skip_unreadable()
                    .count(&db)
                    .await,
            ),
        ];
        for (what, count) in counts {
            assert_eq!(count.unwrap(), wanted, "{what} of {limit}");
        }
    }
}

#[tokio::test]
async fn pages_with_a_limit_go_on_behind_what_was_put_aside() {
    let db = limits().await;
    for filtered in [false, true] {
        for limit in 1..=3 {
            let query = || {
                let query = Entry::query("a").limit(limit);
                if filtered {
                    query.filter(Entry::TOPIC.ne("go"))
                } else {
                    query
                }
            };
            let (mut next, mut found, mut aside) = (None, Vec::new(), 0);
            loop {
                let page = query()
                    .after(next)
                    .skip_unreadable()
                    .send(&db)
                    .await
                    .unwrap();
                assert!(page.items.len() == limit || page.next.is_none());
                found.extend(ats(&page));
                aside += page.skipped.unreadable.len();
                next = page.next;
                if next.is_none() {
                    break;
                }
            }
            assert_eq!(found, [1, 2, 3, 4, 5, 6], "{filtered} {limit}");
            assert_eq!(aside, 6, "{filtered} {limit}");
        }
    }
}
