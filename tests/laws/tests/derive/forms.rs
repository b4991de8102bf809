//! A field is asked in the form in which it is stored.

use dyna_runtime::serde::{binary_set, rfc3339};
use dyna_runtime::{DynaEntity, DynaFields, DynaTable};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "things", pk = "pk"), pk = "THING#<id>")]
struct Thing {
    id: u32,
    #[serde(with = "binary_set")]
    keys: BTreeSet<Vec<u8>>,
    #[serde(with = "dyna_runtime::serde::number_set")]
    numbers: BTreeSet<u32>,
    #[serde(with = "dyna_runtime::serde::string_set")]
    words: Vec<String>,
    #[serde(with = "rfc3339")]
    at: Timestamp,
    #[serde(with = "dyna_runtime::serde::rfc3339::option")]
    until: Option<Timestamp>,
    #[serde(with = "dyna_runtime::serde::decimal")]
    price: Decimal,
    #[serde(with = "serde_bytes")]
    hash: Vec<u8>,
    day: Day,
}

/// A date is longer outside of the years 0 to 9999.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
struct Day {
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    date: chrono::NaiveDate,
}

fn thing(id: u32, at: &str) -> Thing {
    Thing {
        id,
        keys: BTreeSet::from([vec![1, 2], vec![3]]),
        numbers: BTreeSet::from([1, 20]),
        words: vec!["a".to_owned(), "b".to_owned()],
        at: at.parse().unwrap(),
        until: None,
        price: Decimal::new(i64::from(id) * 5, 1),
        hash: vec![u8::try_from(id).unwrap()],
        day: Day {
            date: chrono::NaiveDate::from_ymd_opt(2025, 1, id).unwrap(),
        },
    }
}

const TIMES: [&str; 4] = [
    "2025-01-01T00:00:00Z",
    "2025-01-01T00:00:00.1Z",
    "2025-01-01T00:00:00.123Z",
    "2025-01-01T00:00:01Z",
];

async fn filled() -> dyna_runtime::Table<Thing> {
    let db = Thing::embedded().await.unwrap();
    for (n, at) in (1..).zip(TIMES) {
        thing(n, at).put().send(&db).await.unwrap();
    }
    db
}

async fn found(
    db: &dyna_runtime::Table<Thing>,
    filter: dyna_runtime::Condition<Thing>,
) -> Vec<u32> {
    let found = Thing::scan().filter(filter).all(db).await.unwrap();
    let mut ids: Vec<_> = found.iter().map(|thing| thing.id).collect();
    ids.sort_unstable();
    ids
}

#[tokio::test]
async fn contains_finds_the_elements_of_a_set_in_its_own_form() {
    let db = filled().await;
    let all = [1, 2, 3, 4];
    assert_eq!(found(&db, Thing::KEYS.contains(vec![1, 2])).await, all);
    assert!(found(&db, Thing::KEYS.contains(vec![2])).await.is_empty());
    assert_eq!(found(&db, Thing::NUMBERS.contains(20)).await, all);
    assert_eq!(found(&db, Thing::WORDS.contains("b")).await, all);
    assert!(found(&db, Thing::WORDS.contains("c")).await.is_empty());
}

/// `…00Z` sorts after `…00.1Z` as text.
#[tokio::test]
async fn instants_are_compared_by_time() {
    let db = filled().await;
    let time = |n: usize| TIMES[n].parse::<Timestamp>().unwrap();
    assert_eq!(found(&db, Thing::AT.gt(time(0))).await, [2, 3, 4]);
    assert_eq!(found(&db, Thing::AT.lt(time(1))).await, [1]);
    assert_eq!(
        found(&db, Thing::AT.between(time(1), time(2))).await,
        [2, 3]
    );
    assert!(found(&db, Thing::UNTIL.gt(time(0))).await.is_empty());
    assert!(
        found(&db, Thing::UNTIL.gt_field(Thing::AT))
            .await
            .is_empty()
    );
}

#[tokio::test]
async fn decimals_bytes_and_dates_are_compared_by_value() {
    let db = filled().await;
    assert_eq!(
        found(&db, Thing::PRICE.ge(Decimal::new(10, 1))).await,
        [2, 3, 4]
    );
    assert_eq!(found(&db, Thing::HASH.lt(vec![3])).await, [1, 2]);
    let second = chrono::NaiveDate::from_ymd_opt(2025, 1, 2).unwrap();
    let later = Thing::DAY.field(Day::DATE).gt(second);
    assert_eq!(found(&db, later).await, [3, 4]);
}

#[tokio::test]
async fn a_year_that_would_not_sort_is_refused() {
    let db = filled().await;
    let mut far = thing(5, TIMES[0]);
    far.day.date = chrono::NaiveDate::MAX;
    let error = far.put().send(&db).await.unwrap_err();
    assert!(
        error.to_string().starts_with("Thing: day.date: "),
        "{error}"
    );
    let filter = Thing::DAY.field(Day::DATE).gt(chrono::NaiveDate::MIN);
    let error = Thing::scan().filter(filter).all(&db).await.unwrap_err();
    assert!(error.to_string().contains("day.date: "), "{error}");
}

mod own {
    //! A module that is only called like one of the runtime's.

    pub(super) mod string_set {
        use serde::{Deserialize, Deserializer, Serializer};

        pub(crate) fn serialize<S: Serializer>(
            words: &[String],
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(&words.join(","))
        }

        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
            from: D,
        ) -> Result<Vec<String>, D::Error> {
            let text = String::deserialize(from)?;
            Ok(text.split(',').map(str::to_owned).collect())
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "joined", pk = "pk"), pk = "JOINED#<id>")]
struct Joined {
    id: u32,
    #[serde(with = "own::string_set")]
    words: Vec<String>,
}

/// Its elements are not known, but the whole is written in its own form.
#[tokio::test]
async fn a_module_of_the_users_own_keeps_its_form() {
    let db = Joined::embedded().await.unwrap();
    let words = vec!["a".to_owned(), "b".to_owned()];
    let joined = Joined {
        id: 1,
        words: words.clone(),
    };
    joined.put().send(&db).await.unwrap();
    let same = Joined::scan().filter(Joined::WORDS.eq(words));
    assert_eq!(same.all(&db).await.unwrap(), [joined]);
    let _: dyna_runtime::Field<Joined, Vec<String>, _, dyna_runtime::codec::form::Opaque> =
        Joined::WORDS;
}
