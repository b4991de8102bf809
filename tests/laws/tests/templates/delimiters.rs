//! Delimiters of a table, of an entity and of one index, side by side.

use super::keys;
use dyna_runtime::{DynaCollection, DynaEntity, DynaTable};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "mixed",
    pk = "pk",
    sk = "sk",
    tag = "kind",
    index(gsi1, pk = "g1pk", sk = "g1sk")
)]
enum Mixed {
    Order(Order),
    Import(Import),
    Old(Old),
}

/// As the table has it, but for the index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Mixed,
    pk = "ORDER#<shop>",
    sk = "<day:03>#<number>",
    gsi1(as = by_path, delimiter = "/", pk = "shops/<shop>", sk = "<number>/<day:03>"),
)]
struct Order {
    shop: String,
    day: u16,
    number: String,
}

/// Another delimiter in all of its keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Mixed,
    delimiter = "|",
    pk = "IMPORT|<source>",
    sk = "<day:03>|<file>|END",
    gsi1(as = by_file, pk = "FILES|<file>", sk = "<day:03>"),
)]
struct Import {
    source: String,
    day: u16,
    file: String,
    #[dyna(unique)]
    hash: Option<String>,
}

/// The delimiter of the table, written out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Mixed, delimiter = "#", pk = "OLD#<id>#<part>", sk = "OLD")]
struct Old {
    id: String,
    part: String,
}

fn order(shop: &str, day: u16, number: &str) -> Order {
    Order {
        shop: shop.to_owned(),
        day,
        number: number.to_owned(),
    }
}

fn import(source: &str, day: u16, file: &str) -> Import {
    Import {
        source: source.to_owned(),
        day,
        file: file.to_owned(),
        hash: None,
    }
}

#[tokio::test]
async fn each_key_is_split_at_its_own_delimiter() {
    let db = Mixed::embedded().await.unwrap();
    let one = order("a|b", 7, "x|y");
    one.create().send(&db).await.unwrap();
    let other = Import {
        hash: Some("h|#".to_owned()),
        ..import("a#b/c", 7, "x#/y")
    };
    other.create().send(&db).await.unwrap();
    assert_eq!(
        keys(&db, ["pk", "sk", "g1pk", "g1sk"]).await,
        [
            ["IMPORT|a#b/c", "007|x#/y|END", "FILES|x#/y", "007"],
            ["ORDER#a|b", "007#x|y", "shops/a|b", "x|y/007"],
            ["UNIQUE|Import|hash|h|#", "UNIQUE", "", ""],
        ]
    );
    assert_eq!(
        Import::parse_key("IMPORT|a#b/c", "007|x#/y|END").unwrap(),
        ("a#b/c".to_owned(), 7, "x#/y".to_owned())
    );
    let found = Order::query("a|b").day(7).all(&db).await.unwrap();
    assert_eq!(found, std::slice::from_ref(&one));
    let found = Order::by_path("a|b").number("x|y").all(&db).await.unwrap();
    assert_eq!(found, [one]);
    let found = Import::query("a#b/c").day(7).file("x#/y").all(&db).await;
    assert_eq!(found.unwrap(), [other]);
}

#[tokio::test]
async fn value_with_the_delimiter_of_its_key_is_refused() {
    let db = Mixed::embedded().await.unwrap();
    let refused = |error: dyna_runtime::Error| error.to_string();
    let error = order("a#b", 1, "x").create().send(&db).await.unwrap_err();
    assert_eq!(
        refused(error),
        "Order: key field `shop` contains the delimiter '#'"
    );
    // The index has another one.
    let error = order("a/b", 1, "x").create().send(&db).await.unwrap_err();
    assert_eq!(
        refused(error),
        "Order: key field `shop` contains the delimiter '/'"
    );
    let error = import("a|b", 1, "x").create().send(&db).await.unwrap_err();
    assert_eq!(
        refused(error),
        "Import: key field `source` contains the delimiter '|'"
    );
    let error = Order::by_path("a")
        .number_starts_with("x/")
        .all(&db)
        .await
        .unwrap_err();
    assert_eq!(
        refused(error),
        "Order: key field `number` contains the delimiter '/'"
    );
}

/// Both members end their partition keys in one field, after the same text.
#[derive(Debug, PartialEq, DynaTable)]
#[dyna(name = "plans", pk = "pk", sk = "sk", tag = "kind", delimiter = ":")]
enum Plans {
    Stage(Stage),
    Note(Note),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Plans, delimiter = ":", pk = "PLAN:<plan>", sk = "AT:<day:03>:STAGE:<name>")]
struct Stage {
    plan: String,
    day: u16,
    name: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Plans, delimiter = ":", pk = "PLAN:<plan>", sk = "AT:<day:03>:NOTE")]
struct Note {
    plan: String,
    day: u16,
}

#[derive(Debug, PartialEq, DynaCollection)]
#[dyna(steps(day: u16))]
enum Plan {
    Stage(Stage),
    Note(Note),
}

#[tokio::test]
async fn collection_steps_end_at_the_delimiter_of_the_members() {
    let db = Plans::embedded().await.unwrap();
    for day in [1, 10] {
        let stage = Stage {
            plan: "p#".to_owned(),
            day,
            name: "s#t".to_owned(),
        };
        stage.put().send(&db).await.unwrap();
        let note = Note {
            plan: "p#".to_owned(),
            day,
        };
        note.put().send(&db).await.unwrap();
    }
    let found = Plan::query("p#").day(1).all(&db).await.unwrap();
    assert_eq!(found.len(), 2);
    let found = Plan::query("p#").day_range(2..).all(&db).await.unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!(Plan::query("p#").all(&db).await.unwrap().len(), 4);
}

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "local",
    pk = "pk",
    sk = "sk",
    tag = "kind",
    local_index(by_state, sk = "lsk")
)]
enum Local {
    Job(Job),
    Run(Run),
    Log(Log),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Local, pk = "P#<p>", sk = "JOB", by_state(as = job_states, sk = "S#<state>"))]
struct Job {
    p: String,
    state: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Local, pk = "P#<p>", sk = "RUN", by_state(as = run_states, sk = "S/<state>", delimiter = "/"))]
struct Run {
    p: String,
    state: String,
}

/// Between the two in the index, and of neither.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Local, pk = "P#<p>", sk = "LOG", by_state(as = log_states, sk = "S-<state>", delimiter = "-"))]
struct Log {
    p: String,
    state: String,
}

#[derive(Debug, PartialEq, DynaCollection)]
#[dyna(index = by_state)]
enum States {
    Job(Job),
    Run(Run),
}

/// The sort keys of the members begin alike up to their delimiters, which are two; others stand between them.
#[tokio::test]
async fn collection_of_keys_with_two_delimiters_is_exact() {
    let db = Local::embedded().await.unwrap();
    let (p, state) = (|| "1".to_owned(), || "up".to_owned());
    let job = Job {
        p: p(),
        state: state(),
    };
    let run = Run {
        p: p(),
        state: state(),
    };
    let log = Log {
        p: p(),
        state: state(),
    };
    job.put().send(&db).await.unwrap();
    run.put().send(&db).await.unwrap();
    log.put().send(&db).await.unwrap();
    let found = States::query("1").all(&db).await.unwrap();
    assert_eq!(found, [States::Job(job.clone()), States::Run(run)]);
    let found = Job::job_states("1").all(&db).await.unwrap();
    assert_eq!(found, [job]);
}

/// The entity is the whole table, and has its delimiter without saying so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "own", pk = "pk", delimiter = "/"), pk = "a/<x>/<y>")]
struct Own {
    x: String,
    y: String,
}

#[tokio::test]
async fn entity_inherits_the_delimiter_that_it_sees() {
    let own = Own {
        x: "1#2".to_owned(),
        y: "3".to_owned(),
    };
    let db = Own::embedded().await.unwrap();
    own.create().send(&db).await.unwrap();
    assert_eq!(keys(&db, ["pk"]).await, [["a/1#2/3"]]);
    assert!(Own::key("1/2", "3").check().is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the values, two entities never share a key, and each is read back by its own.
    #[test]
    fn keys_under_several_delimiters_are_injective(
        rows in prop::collection::vec(("[a#|/]{1,3}", 0u16..3, "[a#|/]{1,3}"), 1..10),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let db = Mixed::embedded().await.unwrap();
            let (mut orders, mut imports) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
            for (text, day, name) in rows {
                if order(&text, day, &name).put().send(&db).await.is_ok() {
                    assert!(!text.contains(['#', '/']) && !name.contains(['#', '/']));
                    orders.insert((text.clone(), day, name.clone()));
                }
                if import(&text, day, &name).create().send(&db).await.is_ok() {
                    assert!(!text.contains('|') && !name.contains('|'));
                    imports.insert((text, day, name));
                }
            }
            for (shop, day, number) in &orders {
                let found = Order::by_path(shop).number(number).day(*day).all(&db).await.unwrap();
                assert_eq!(found, [order(shop, *day, number)]);
            }
            assert_eq!(Order::scan().all(&db).await.unwrap().len(), orders.len());
            for (source, day, file) in &imports {
                let found = Import::query(source).day(*day).file(file).all(&db).await.unwrap();
                assert_eq!(found, [import(source, *day, file)]);
                let same = imports.iter().filter(|one| one.2 == *file).count();
                assert_eq!(Import::by_file(file).all(&db).await.unwrap().len(), same);
            }
        });
    }
}
