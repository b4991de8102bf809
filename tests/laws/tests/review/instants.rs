//! A comparison with an instant that the stored form cannot hold is exact: it equals nothing, and lies between two that are stored.

use chrono::{DateTime, Utc};
use dyna_runtime::expr::Condition;
use dyna_runtime::{DynaEntity, DynaTable};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "instants", pk = "pk"), pk = "EVENT#<id>")]
struct Event {
    id: String,
    millis: i64,
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    jiff: Timestamp,
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    chrono: DateTime<Utc>,
    #[serde(with = "dyna_runtime::serde::rfc3339::option")]
    time: Option<OffsetDateTime>,
}

const BASE: i64 = 1_735_257_600_000;

fn nanos(offset: i64) -> i128 {
    i128::from(BASE) * 1_000_000 + i128::from(offset)
}

fn jiff(offset: i64) -> Timestamp {
    Timestamp::from_nanosecond(nanos(offset)).unwrap()
}

fn chrono(offset: i64) -> DateTime<Utc> {
    DateTime::from_timestamp_nanos(nanos(offset).try_into().unwrap())
}

fn time(offset: i64) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp_nanos(nanos(offset)).unwrap()
}

/// Offsets in nanoseconds: of whole milliseconds, and between them.
const OFFSETS: [i64; 9] = [
    -1_000_001, -1_000_000, -1, 0, 1, 500_000, 999_999, 1_000_000, 2_500_000,
];

type Holds = fn(i64, i64) -> bool;

/// Each comparison by the three types, and what it means.
fn comparisons(offset: i64) -> Vec<(&'static str, [Condition<Event>; 3], Holds)> {
    macro_rules! all {
        ($($method:ident: $holds:expr),*) => {
            vec![$((
                stringify!($method),
                [
                    Event::JIFF.$method(jiff(offset)),
                    Event::CHRONO.$method(chrono(offset)),
                    Event::TIME.$method(time(offset)),
                ],
                $holds as Holds,
            )),*]
        };
    }
    all!(
        eq: |stored, value| stored == value,
        ne: |stored, value| stored != value,
        lt: |stored, value| stored < value,
        le: |stored, value| stored <= value,
        gt: |stored, value| stored > value,
        ge: |stored, value| stored >= value
    )
}

async fn stored() -> dyna_runtime::Table<Event> {
    let db = Event::embedded().await.unwrap();
    for millis in -2..=3 {
        let offset = millis * 1_000_000;
        let event = Event {
            id: millis.to_string(),
            millis,
            jiff: jiff(offset),
            chrono: chrono(offset),
            time: Some(time(offset)),
        };
        event.put().send(&db).await.unwrap();
    }
    db
}

/// The milliseconds of the events that a condition is true of.
async fn found(db: &dyna_runtime::Table<Event>, condition: Condition<Event>) -> Vec<i64> {
    let events = Event::scan().filter(condition).all(db).await.unwrap();
    let mut found: Vec<i64> = events.iter().map(|event| event.millis).collect();
    found.sort_unstable();
    found
}

fn expected(holds: impl Fn(i64) -> bool) -> Vec<i64> {
    (-2..=3)
        .filter(|millis| holds(millis * 1_000_000))
        .collect()
}

#[tokio::test]
async fn comparisons_with_finer_instants_are_exact() {
    let db = stored().await;
    for offset in OFFSETS {
        for (name, conditions, holds) in comparisons(offset) {
            for condition in conditions {
                let negated = expected(|stored| !holds(stored, offset));
                assert_eq!(
                    found(&db, !condition.clone()).await,
                    negated,
                    "not {name} {offset}"
                );
                let expected = expected(|stored| holds(stored, offset));
                assert_eq!(found(&db, condition).await, expected, "{name} {offset}");
            }
        }
    }
}

#[tokio::test]
async fn ranges_between_finer_instants_are_exact() {
    let db = stored().await;
    for low in OFFSETS {
        for high in OFFSETS {
            let conditions = [
                Event::JIFF.between(jiff(low), jiff(high)),
                Event::CHRONO.between(chrono(low), chrono(high)),
                Event::TIME.between(time(low), time(high)),
            ];
            let expected = expected(|stored| low <= stored && stored <= high);
            for condition in conditions {
                assert_eq!(found(&db, condition).await, expected, "{low}..={high}");
            }
        }
    }
}

#[tokio::test]
async fn instant_below_a_millisecond_equals_none_in_is_in() {
    let db = stored().await;
    let is_in = Event::JIFF.is_in([jiff(1), jiff(1_000_000), jiff(2_500_000)]);
    assert_eq!(found(&db, is_in).await, [1]);
    let is_in = Event::CHRONO.is_in([chrono(1), chrono(999_999)]);
    assert!(found(&db, is_in).await.is_empty());
    let is_in = Event::TIME.is_in([Some(time(1)), None]);
    assert!(found(&db, is_in).await.is_empty());
}

#[tokio::test]
async fn a_condition_with_a_finer_instant_is_exact() {
    let db = stored().await;
    let update = |condition| Event::update("0").set(Event::MILLIS, 0).when(condition);
    let refused = [
        Event::JIFF.eq(jiff(1)),
        Event::CHRONO.ge(chrono(1)),
        Event::TIME.gt(time(1)),
    ];
    for condition in refused {
        let error = update(condition).send(&db).await.unwrap_err();
        assert!(error.is_condition_failed(), "{error}");
    }
    let holds = [
        Event::JIFF.ne(jiff(1)),
        Event::CHRONO.lt(chrono(1)),
        Event::TIME.le(time(1)),
    ];
    for condition in holds {
        update(condition).send(&db).await.unwrap();
    }
}
