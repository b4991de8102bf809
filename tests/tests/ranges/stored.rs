//! The same in the engine, among the items of other entities and some that are of none.

use super::{
    Balance, Closed, Counted, Dated, Doc, Dotted, Event, File, Log, Msg, Sized, Sorted, Titled,
    Version, day, ends, nothing_between, path, ranged, signed, text, ulid, within,
};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{Ordered, Table};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::ops::Bound::{Excluded, Included};
use std::sync::LazyLock;

/// Items of all entities in one partition, in an engine.
pub(super) struct Stored {
    pub(super) db: Table<Log>,
    pub(super) docs: Table<Doc>,
    pub(super) events: Table<Event>,
    pub(super) msgs: Vec<Msg>,
    sorted: Vec<Sorted>,
    titled: Vec<Titled>,
    counted: Vec<Counted>,
    closed: Vec<Closed>,
    dotted: Vec<Dotted>,
    balances: Vec<Balance>,
    dated: Vec<Dated>,
    versions: Vec<Version>,
    sized: Vec<Sized>,
    files: Vec<File>,
    pub(super) all_docs: Vec<Doc>,
    pub(super) all_events: Vec<Event>,
}

pub(super) static STORED: LazyLock<Stored> = LazyLock::new(|| run(store()));

/// Sort keys of no entity, right before and after those of each.
const AROUND: &[&str] = &[
    "MSG",
    "MSG\"",
    "MSG\"\u{10FFFF}",
    "MSG$",
    "MSG$0001#a",
    "MSF~",
    "MSH",
    "MSG\u{10FFFF}",
    "T",
    "T\"",
    "T$",
    "N\"",
    "N$00001",
    "END",
    "END$",
    "END\"\u{10FFFF}",
    "C\u{10FFFF}",
    "E",
    "B\"",
    "B$",
    "DAY",
    "DAY$",
    "ULID\"~",
    "ULID$",
    "u\u{10FFFF}",
    "w",
    "LEN",
    "LEN$",
    "F\"",
    "F$",
    "\u{10FFFF}",
    "\0",
];

/// The values of the strategy, each once, in the order of their sort keys.
fn values<T: PartialEq>(
    strategy: &impl Strategy<Value = T>,
    runner: &mut TestRunner,
    key: impl Fn(&T) -> Vec<u8>,
) -> Vec<T> {
    let mut values: Vec<T> = (0..60)
        .map(|_| strategy.new_tree(runner).unwrap().current())
        .collect();
    values.sort_by_key(|value| key(value));
    values.dedup();
    values
}

#[expect(clippy::too_many_lines, reason = "one entity after the other")]
async fn store() -> Stored {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::<Log>::embedded_in(&engine).await.unwrap();
    let docs = Table::<Doc>::embedded_in(&engine).await.unwrap();
    let events = Table::<Event>::embedded_in(&engine).await.unwrap();
    // Of a fixed seed, so that a failure can be seen again.
    let mut runner = TestRunner::deterministic();
    let c = || "c".to_owned();
    macro_rules! stored {
        ($db:expr, $strategy:expr, |$it:ident| $key:expr) => {{
            let values = values(&$strategy, &mut runner, |$it| $key);
            for value in &values {
                value.create().send($db).await.unwrap();
            }
            values
        }};
    }
    let msgs = (0..12_u32, text()).prop_map(|(t, id)| Msg {
        c: "c".to_owned(),
        t,
        id,
    });
    let dated = (day(), text()).prop_map(|(day, x)| Dated {
        c: "c".to_owned(),
        day,
        x,
    });
    let versions = (0..9_u16, 0..9_u16).prop_map(|(major, minor)| Version {
        c: "c".to_owned(),
        major,
        minor,
    });
    let sized = ("[a-c!~]{4}", text()).prop_map(|(iso, x)| Sized {
        c: "c".to_owned(),
        iso,
        x,
    });
    let day_key = |day: jiff::civil::Date| format!("{day}#").into_bytes();
    let stored = Stored {
        msgs: stored!(&db, msgs, |it| format!("{:04}#{}", it.t, it.id)
            .into_bytes()),
        sorted: stored!(
            &db,
            ulid().prop_map(move |id| Sorted { c: c(), id }),
            |it| it.id.to_string().into_bytes()
        ),
        titled: stored!(
            &db,
            text().prop_map(move |title| Titled { c: c(), title }),
            |it| it.title.clone().into()
        ),
        counted: stored!(
            &db,
            (0..99_u32).prop_map(move |n| Counted { c: c(), n }),
            |it| format!("{:05}", it.n).into()
        ),
        closed: stored!(
            &db,
            (0..99_u16).prop_map(move |n| Closed { c: c(), n }),
            |it| format!("{:03}", it.n).into()
        ),
        dotted: stored!(
            &db,
            (0..99_u16).prop_map(move |n| Dotted { c: c(), n }),
            |it| format!("{:03}", it.n).into()
        ),
        balances: stored!(
            &db,
            (-50..50_i16).prop_map(move |v| Balance {
                c: c(),
                v: Ordered(v)
            }),
            |it| format!("{:05}", i32::from(it.v.0) + 32768).into()
        ),
        dated: stored!(&db, dated, |it| [day_key(it.day), it.x.clone().into()]
            .concat()),
        versions: stored!(&db, versions, |it| format!(
            "{:03}.{:03}",
            it.major, it.minor
        )
        .into()),
        sized: stored!(&db, sized, |it| format!("{}#{}", it.iso, it.x).into()),
        files: stored!(
            &db,
            path().prop_map(move |path| File { c: c(), path }),
            |it| it.path.clone().into()
        ),
        all_docs: stored!(
            &docs,
            text().prop_map(|name| Doc {
                owner: "o".to_owned(),
                name
            }),
            |it| it.name.clone().into()
        ),
        all_events: stored!(
            &events,
            signed().prop_map(|n| Event {
                room: "r".to_owned(),
                n
            }),
            |it| (it.n.cast_unsigned() ^ i64::MIN.cast_unsigned())
                .to_be_bytes()
                .to_vec()
        ),
        db: db.clone(),
        docs,
        events,
    };
    for sk in AROUND {
        raw(&db, "C#c", sk).await;
    }
    for other in ["b", "cc", "c\0", "d"] {
        Msg {
            c: other.to_owned(),
            t: 5,
            id: "a".to_owned(),
        }
        .put()
        .send(&db)
        .await
        .unwrap();
    }
    stored
}

/// Writes an item that is of no entity.
async fn raw(db: &Table<Log>, pk: &str, sk: &str) {
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let request = db.client().put_item().table_name(db.name().unwrap());
    request
        .item("pk", text(pk))
        .item("sk", text(sk))
        .send()
        .await
        .unwrap();
}

/// Runs a future.
pub(super) fn run<T>(future: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().unwrap().block_on(future)
}

/// For each: a random range, and the stored items it should find.
macro_rules! found {
    ($($name:ident: $ends:expr, $query:expr, $range:ident, $db:ident, $items:ident, |$it:ident| $of:expr, $value:expr;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(32))]
            $(
                #[test]
                fn $name(ends in ends($ends)) {
                    let stored = &*STORED;
                    let mut expected: Vec<_> = stored
                        .$items
                        .iter()
                        .filter(|$it| $of && within(&ends, &$value))
                        .cloned()
                        .collect();
                    let query = ranged!($query, $range, ends.clone());
                    let found = run(query.clone().all(&stored.$db)).unwrap();
                    prop_assert_eq!(&found, &expected, "{}", query.explain());
                    expected.reverse();
                    let found = run(query.descending().all(&stored.$db)).unwrap();
                    prop_assert_eq!(&found, &expected);
                }
            )*
        }
    };
}

found! {
    numbers_in_the_middle: 0..14_u32, Msg::query("c"), t_range, db, msgs, |it| true, it.t;
    text_after_a_number: text(), Msg::query("c").t(7_u32), id_range, db, msgs, |it| it.t == 7, it.id;
    final_ulids: ulid(), Sorted::query("c"), id_range, db, sorted, |it| true, it.id;
    final_text: text(), Titled::query("c"), title_range, db, titled, |it| true, it.title;
    final_numbers: 0..120_u32, Counted::query("c"), n_range, db, counted, |it| true, it.n;
    numbers_before_a_last_literal: 0..99_u16, Closed::query("c"), n_range, db, closed, |it| true, it.n;
    numbers_before_the_end_of_a_field: 0..99_u16, Dotted::query("c"), n_range, db, dotted, |it| true, it.n;
    signed_numbers: (-60..60_i16).prop_map(Ordered), Balance::query("c"), v_range, db, balances, |it| true, it.v;
    days_in_the_middle: day(), Dated::query("c"), day_range, db, dated, |it| true, it.day;
    numbers_within_a_field: 0..9_u16, Version::query("c"), major_range, db, versions, |it| true, it.major;
    numbers_at_the_end_of_a_field: 0..9_u16, Version::query("c").major(3_u16), minor_range, db, versions,
        |it| it.major == 3, it.minor;
    text_of_a_fixed_length: "[a-c!~]{4}", Sized::query("c"), iso_range, db, sized, |it| true, it.iso;
    rests: path(), File::query("c"), path_range, db, files, |it| true, it.path;
    whole_text_keys: text(), Doc::query("o"), name_range, docs, all_docs, |it| true, it.name;
    number_keys: signed(), Event::query("r"), n_range, events, all_events, |it| true, it.n;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn beginnings(prefix in text(), rest in path()) {
        let stored = &*STORED;
        let titled: Vec<_> = stored.titled.iter().filter(|it| it.title.starts_with(&prefix)).cloned().collect();
        prop_assert_eq!(run(Titled::query("c").title_starts_with(&prefix).all(&stored.db)).unwrap(), titled);
        let docs: Vec<_> = stored.all_docs.iter().filter(|it| it.name.starts_with(&prefix)).cloned().collect();
        prop_assert_eq!(run(Doc::query("o").name_starts_with(&prefix).all(&stored.docs)).unwrap(), docs);
        let files: Vec<_> = stored.files.iter().filter(|it| it.path.starts_with(&rest)).cloned().collect();
        prop_assert_eq!(run(File::query("c").path_starts_with(&rest).all(&stored.db)).unwrap(), files);
    }
}

/// Every entity finds its own items and no others, in a partition that all share.
#[test]
fn a_query_without_a_condition_finds_the_entity() {
    let stored = &*STORED;
    macro_rules! own {
        ($($entity:ident: $items:ident),*) => {$(
            assert_eq!(run($entity::query("c").all(&stored.db)).unwrap(), stored.$items);
        )*};
    }
    own!(
        Msg: msgs, Sorted: sorted, Titled: titled, Counted: counted, Closed: closed, Dotted: dotted,
        Balance: balances, Dated: dated, Version: versions, Sized: sized, File: files
    );
    assert!(
        stored.msgs.len() > 40 && stored.titled.len() > 20,
        "too few items to say anything"
    );
}

/// Where nothing can be found, no one is asked.
#[tokio::test]
async fn empty_ranges_make_no_request() {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::<Log>::embedded_in(&engine).await.unwrap();
    let events = Table::<Event>::embedded_in(&engine).await.unwrap();
    let docs = Table::<Doc>::embedded_in(&engine).await.unwrap();
    let before = engine.requests();
    macro_rules! nothing {
        ($($query:expr, $range:ident, $db:expr, $low:expr, $high:expr;)*) => {$(
            let empty = [
                (Included($low), Excluded($low)),
                (Excluded($low), Included($low)),
                (Excluded($low), Excluded($low)),
                (Included($high), Included($low)),
                (Included($high), Excluded($low)),
                (Excluded($high), Excluded($low)),
            ];
            for ends in empty {
                assert!(nothing_between(&ends));
                let page = ranged!($query, $range, ends.clone()).send(&$db).await.unwrap();
                assert_eq!((page.items.len(), page.next), (0, None));
                assert!(ranged!($query, $range, ends).all(&$db).await.unwrap().is_empty());
                assert_eq!(engine.requests(), before, "{} over {ends:?}", stringify!($range));
            }
        )*};
    }
    nothing! {
        Sorted::query("c"), id_range, db, ulid::Ulid(1), ulid::Ulid(2);
        Titled::query("c"), title_range, db, "a", "b";
        Counted::query("c"), n_range, db, 7_u32, 8_u32;
        File::query("c"), path_range, db, "a#", "a#b";
        Doc::query("o"), name_range, docs, "a", "a\0";
        Event::query("r"), n_range, events, -1_i64, 0_i64;
        Msg::query("c"), t_range, db, 7_u32, 8_u32;
        Version::query("c"), major_range, db, 7_u16, 8_u16;
        Closed::query("c"), n_range, db, 7_u16, 8_u16;
    }
    assert!(
        Titled::query("c")
            .limit(0)
            .all(&db)
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(engine.requests(), before);
}
