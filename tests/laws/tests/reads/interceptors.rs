//! A client with an interceptor reads maps of the SDK's instead of bytes: every read gives the same.

use aws_sdk_dynamodb::config::Intercept;
use aws_sdk_dynamodb::types::AttributeValue::{self, N, Null, S};
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaCollection, DynaEntity, DynaProjection, DynaTable, Page, Result, Table};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "seen",
    pk = "pk",
    sk = "sk",
    tag = "type",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(keys, pk = "gsi2pk", projection = "keys_only")
)]
enum Seen {
    Entry(Entry),
    Line(Line),
    Lone(Lone),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Seen, pk = "LOG#<log>", sk = "<at:04>",
    gsi1(as = by_topic, pk = "TOPIC#<topic>", sk = "<at:04>"),
    keys(as = by_state, pk = "STATE#<topic>"),
)]
struct Entry {
    log: String,
    at: u16,
    topic: String,
    #[serde(alias = "body", alias = "content")]
    text: String,
    #[serde(alias = "remark")]
    note: Option<String>,
}

/// Between the entries: their queries have a filter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Seen, pk = "LOG#<log>", sk = "<at:04>#<n:02>")]
struct Line {
    log: String,
    at: u16,
    n: u8,
}

/// Alone in its partitions: its queries are read in one pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Seen, pk = "LONE#<log>", sk = "<at:04>")]
struct Lone {
    log: String,
    at: u16,
    #[serde(alias = "body")]
    text: String,
}

#[derive(Debug, PartialEq, DynaCollection)]
enum Both {
    Entry(Entry),
    Line(Line),
}

#[derive(Debug, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = Entry)]
struct Short {
    at: u16,
    #[serde(alias = "body", alias = "content")]
    text: String,
}

/// Looks at nothing: that it is there is enough.
#[derive(Debug)]
struct Idle;

impl Intercept for Idle {
    fn name(&self) -> &'static str {
        "idle"
    }
}

fn s(text: &str) -> AttributeValue {
    S(text.to_owned())
}

/// An item as other software writes it.
async fn write(engine: &Embedded, pk: &str, sk: &str, others: &[(&str, AttributeValue)]) {
    let keys = [
        ("pk", s(pk)),
        ("sk", s(sk)),
        ("gsi1pk", s("TOPIC#rust")),
        ("gsi1sk", s(sk)),
        ("gsi2pk", s("STATE#rust")),
        ("log", s("a")),
        ("at", N("7".into())),
        ("topic", s("rust")),
    ];
    let item = keys.iter().chain(others);
    let item = item.map(|(name, value)| ((*name).to_owned(), value.clone()));
    let client = engine.client();
    let put = client
        .put_item()
        .table_name("seen")
        .set_item(Some(item.collect()));
    put.send().await.unwrap();
}

/// A handle that reads bytes and one that reads maps, of one table with items of all kinds.
async fn handles() -> [Table<Seen>; 2] {
    let engine = Embedded::in_memory().unwrap();
    let bytes = Table::<Seen>::embedded_in(&engine).await.unwrap();
    for at in 1..=3 {
        let (log, text) = ("a".to_owned(), "hi".to_owned());
        let lone = Lone {
            log: log.clone(),
            at,
            text: text.clone(),
        };
        lone.put().send(&bytes).await.unwrap();
        let entry = Entry {
            log: log.clone(),
            at,
            topic: "rust".into(),
            text,
            note: None,
        };
        entry.put().send(&bytes).await.unwrap();
        Line { log, at, n: 1 }.put().send(&bytes).await.unwrap();
    }
    for (pk, tag) in [("LOG#a", "Entry"), ("LONE#a", "Lone")] {
        let tag = || ("type", s(tag));
        let text = |name| (name, s("hi"));
        // Aliases, with a tag and without one.
        write(&engine, pk, "0004", &[tag(), text("body")]).await;
        write(&engine, pk, "0005", &[text("body")]).await;
        write(&engine, pk, "0006", &[("type", Null(true)), text("text")]).await;
        write(
            &engine,
            pk,
            "0007",
            &[tag(), text("body"), ("remark", s("so"))],
        )
        .await;
        write(
            &engine,
            pk,
            "0008",
            &[tag(), text("body"), ("note", Null(true))],
        )
        .await;
        // Not to be read: a field twice, no text, another type, and a misfit.
        write(&engine, pk, "0010", &[tag(), text("body"), text("text")]).await;
        write(&engine, pk, "0011", &[tag()]).await;
        write(&engine, pk, "0012", &[tag(), ("text", N("1".into()))]).await;
        write(&engine, pk, "00020", &[tag(), text("text")]).await;
        // Unknown.
        write(&engine, pk, "0013", &[("type", s("Zebra")), text("text")]).await;
        write(&engine, pk, "0014+", &[text("text")]).await;
        write(
            &engine,
            pk,
            "0015",
            &[("type", N("1".into())), text("text")],
        )
        .await;
    }
    let config = engine.config().interceptor(Idle).build();
    let maps = Seen::open(aws_sdk_dynamodb::Client::from_conf(config));
    assert!(maps.shows_items_to_interceptors() && !bytes.shows_items_to_interceptors());
    [bytes, maps]
}

/// What a page says, with the keys of what was put aside.
fn told<V: Debug>(page: Result<Page<V>>) -> String {
    let page = page.unwrap();
    let aside = page.skipped.unreadable.iter().map(|error| {
        let key = error.key().map(|key| key.reveal().clone());
        format!("{error} {key:?}")
    });
    let aside: Vec<_> = aside.collect();
    let (foreign, unknown) = (page.skipped.foreign, page.skipped.unknown);
    format!("{:#?} {aside:#?} {foreign} {unknown}", page.items)
}

/// What a page of a projection says, or that the handle refuses it because it checks keys.
fn told_of_projection<V: Debug>(page: Result<Page<V>>) -> String {
    match page {
        Err(error) if error.to_string().contains("cannot check a projection") => error.to_string(),
        page => told(page),
    }
}

fn told_error<V: Debug>(read: Result<V>) -> String {
    match read {
        Ok(read) => format!("{read:#?}"),
        Err(error) => format!("{error} {:?}", error.key().map(|key| key.reveal().clone())),
    }
}

/// What every query says.
async fn queries(db: &Table<Seen>) -> Vec<(&'static str, String)> {
    let filter = || Entry::TEXT.ne("nothing");
    vec![
        (
            "query",
            told(Entry::query("a").skip_unreadable().send(db).await),
        ),
        (
            "query with a limit",
            told(Entry::query("a").limit(7).skip_unreadable().send(db).await),
        ),
        (
            "all",
            told(Entry::query("a").skip_unreadable().all(db).await),
        ),
        (
            "filter",
            told(
                Entry::query("a")
                    .filter(filter())
                    .skip_unreadable()
                    .all(db)
                    .await,
            ),
        ),
        (
            "partitions",
            told(
                Entry::query_many(["a", "b"])
                    .skip_unreadable()
                    .all(db)
                    .await,
            ),
        ),
        (
            "single pass",
            told(Lone::query("a").skip_unreadable().send(db).await),
        ),
        (
            "single pass with a limit",
            told(Lone::query("a").limit(7).skip_unreadable().send(db).await),
        ),
        (
            "all in a single pass",
            told(Lone::query("a").skip_unreadable().all(db).await),
        ),
        (
            "small answers",
            told(
                Lone::query("a")
                    .page_size(2)
                    .skip_unreadable()
                    .all(db)
                    .await,
            ),
        ),
        (
            "index",
            told(Entry::by_topic("rust").skip_unreadable().all(db).await),
        ),
        (
            "hydrate",
            told(
                Entry::by_state("rust")
                    .hydrate()
                    .skip_unreadable()
                    .all(db)
                    .await,
            ),
        ),
        (
            "projection",
            told_of_projection(
                Entry::query("a")
                    .project::<Short>()
                    .skip_unreadable()
                    .all(db)
                    .await,
            ),
        ),
        (
            "collection",
            told(Both::query("a").skip_unreadable().all(db).await),
        ),
    ]
}

/// What every scan, count and failing read says.
async fn others(db: &Table<Seen>) -> Vec<(&'static str, String)> {
    vec![
        ("scan", told(Entry::scan().skip_unreadable().all(db).await)),
        (
            "scan with a limit",
            told(Entry::scan().limit(5).skip_unreadable().send(db).await),
        ),
        (
            "scan of a projection",
            told_of_projection(
                Entry::scan()
                    .project::<Short>()
                    .skip_unreadable()
                    .all(db)
                    .await,
            ),
        ),
        ("table", told(Seen::scan().skip_unreadable().all(db).await)),
        (
            "known of the table",
            told(Seen::scan().skip_unknown().skip_unreadable().send(db).await),
        ),
        (
            "count",
            format!(
                "{:?}",
                Entry::query("a").skip_unreadable().count(db).await.unwrap()
            ),
        ),
        (
            "count of a scan",
            format!(
                "{:?}",
                Lone::scan().skip_unreadable().count(db).await.unwrap()
            ),
        ),
        (
            "error of a query",
            told_error(Entry::query("a").all(db).await),
        ),
        (
            "error of a single pass",
            told_error(Lone::query("a").all(db).await),
        ),
        ("error of a scan", told_error(Seen::scan().all(db).await)),
        (
            "error of a count",
            told_error(Lone::query("a").count(db).await),
        ),
    ]
}

#[tokio::test]
async fn map_reads_equal_byte_reads() {
    for check_keys in [false, true] {
        let [bytes, maps] = handles().await;
        let [bytes, maps] = if check_keys {
            [bytes.check_keys(), maps.check_keys()]
        } else {
            [bytes, maps]
        };
        let mut bytes_read = queries(&bytes).await;
        bytes_read.extend(others(&bytes).await);
        let mut maps_read = queries(&maps).await;
        maps_read.extend(others(&maps).await);
        for ((what, one), (_, other)) in bytes_read.iter().zip(&maps_read) {
            assert_eq!(one, other, "{what}");
        }
    }
}

#[tokio::test]
async fn items_under_aliases_are_read_from_bytes_and_from_maps() {
    for db in handles().await {
        let found = Entry::query("a").skip_unreadable().all(&db).await.unwrap();
        assert_eq!(found.items.len(), 8);
        assert!(found.items.iter().all(|entry| entry.text == "hi"));
        assert_eq!(found.skipped.unreadable.len(), 4);
        let found = Lone::query("a").skip_unreadable().all(&db).await.unwrap();
        assert_eq!((found.items.len(), found.skipped.unreadable.len()), (8, 4));
        assert_eq!(found.skipped.unknown, 3);
        let keys = (1..=12).map(|at| Entry::key("a", at));
        let batch = db.batch_get(keys).skip_unreadable().await.unwrap();
        assert_eq!(batch.items.iter().flatten().count(), 8);
        assert_eq!(batch.unreadable.len(), 3);
        let read = db
            .transact_get((Entry::key("a", 4), Lone::key("a", 7)))
            .await
            .unwrap();
        assert_eq!(
            (read.0.unwrap().text, read.1.unwrap().text),
            ("hi".into(), "hi".into())
        );
    }
}
