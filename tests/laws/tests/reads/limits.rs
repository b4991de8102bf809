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
async fn limit_counts_yielded_items_in_every_read_path() {
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
async fn limit_counts_yielded_items_in_other_orders_and_forms() {
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
async fn limit_of_a_scan_counts_yielded_items() {
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
async fn limit_bounds_a_count() {
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
async fn pages_with_a_limit_continue_after_skipped_items() {
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

/// Nothing tells these apart in DynamoDB: what is left out is left out here.
mod skipped {
    use super::*;
    use dyna_runtime::{Cursor, EntityQuery};

    #[derive(Debug, PartialEq, DynaTable)]
    #[dyna(
        name = "skipped",
        pk = "pk",
        sk = "sk",
        index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
        index(keys, pk = "gsi2pk", sk = "gsi2sk", projection = "keys_only")
    )]
    enum Skipping {
        Entry(Noted),
        Mark(Mark),
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(
        table = Skipping, pk = "LOG#<log>", sk = "<at:04>",
        gsi1(as = by_topic, pk = "TOPIC#<topic>", sk = "<at:04>"),
        keys(as = by_state, pk = "STATE#<topic>", sk = "<at:04>"),
    )]
    struct Noted {
        log: String,
        at: u16,
        topic: String,
    }

    /// Between them.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(
        table = Skipping, pk = "LOG#<log>", sk = "<at:04>#M",
        gsi1(as = by_topic, pk = "TOPIC#<topic>", sk = "<at:04>#M"),
        keys(as = by_state, pk = "STATE#<topic>", sk = "<at:04>#M"),
    )]
    struct Mark {
        log: String,
        at: u16,
        topic: String,
    }

    async fn table() -> Table<Skipping> {
        let db = Skipping::embedded().await.unwrap();
        for log in ["a", "b"] {
            for at in 0..12 {
                let (log, topic) = (log.to_owned(), "rust".to_owned());
                if at % 3 == 0 {
                    Noted { log, at, topic }.put().send(&db).await.unwrap();
                } else {
                    Mark { log, at, topic }.put().send(&db).await.unwrap();
                }
            }
        }
        let item = [("pk", "LOG#a"), ("sk", "00045")];
        let item = item.map(|(name, text)| (name.to_owned(), S(text.to_owned())));
        let put = db.client().put_item().table_name("skipped");
        let put = put.set_item(Some(item.into_iter().collect()));
        put.send().await.unwrap();
        db
    }

    async fn sums<Q: Fn(usize, Option<Cursor>) -> F, F>(query: Q) -> (usize, usize, usize)
    where
        F: Future<Output = dyna_runtime::Result<Page<Noted>>>,
    {
        let whole = query(1000, None).await.unwrap();
        let expected = (whole.skipped.foreign, whole.skipped.unknown);
        let mut last = (0, 0, 0);
        for limit in [1, 2, 3] {
            let (mut after, mut found) = (None, (0, 0, 0));
            loop {
                let page = query(limit, after).await.unwrap();
                found.0 += page.items.len();
                found.1 += page.skipped.foreign;
                found.2 += page.skipped.unknown;
                match page.next {
                    Some(next) => after = Some(next),
                    None => break,
                }
            }
            assert_eq!((found.1, found.2), expected, "limit({limit})");
            last = found;
        }
        last
    }

    #[tokio::test]
    async fn pages_count_what_they_leave_out_once() {
        let db = table().await;
        let send = async |query: EntityQuery<Noted>, limit: usize, after: Option<Cursor>| {
            let query = query.limit(limit);
            match after {
                Some(after) => query.after(after).send(&db).await,
                None => query.send(&db).await,
            }
        };
        let one = sums(|limit, after| send(Noted::query("a").finish(), limit, after)).await;
        assert_eq!(one, (4, 8, 1));
        let many = || Noted::query_many(["a", "b"]).finish();
        let two = sums(|limit, after| send(many(), limit, after)).await;
        assert_eq!(two, (8, 16, 1));
        let turn = sums(|limit, after| send(many().sequential(), limit, after)).await;
        assert_eq!(turn, (8, 16, 1));
        let small = sums(|limit, after| send(many().page_size(2), limit, after)).await;
        assert_eq!(small, (8, 16, 1));
        let scan = sums(|limit, after| async move {
            let scan = Noted::scan().limit(limit);
            match after {
                Some(after) => scan.after(after).send(&table().await).await,
                None => scan.send(&table().await).await,
            }
        });
        assert_eq!(scan.await, (8, 16, 1));
    }

    #[tokio::test]
    async fn hydrated_pages_count_what_they_leave_out_once() {
        let db = table().await;
        let found = sums(|limit, after| {
            let query = Noted::by_state("rust").limit(limit).hydrate();
            let query = match after {
                Some(after) => query.after(after),
                None => query,
            };
            let db = &db;
            async move { query.send(db).await }
        });
        let found = found.await;
        assert_eq!(found.0, 8);
        assert_eq!(found.1, 16);
    }
}
