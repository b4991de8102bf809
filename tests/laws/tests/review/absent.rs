//! Absent values inside of an attribute come back as they were, or are refused.

use dyna_runtime::{DynaEntity, DynaTable, Error};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(name = "absences", pk = "pk", sk = "sk", tag = "type")]
enum Absences {
    Trip(Trip),
    Kept(Kept),
    Open(Open),
    Choice(Choice),
    Null(Null),
    Entry(Entry),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Absences, pk = "NULL#<id>", sk = "NULL", nulls = "store")]
struct Null {
    id: String,
    #[serde(default = "five")]
    limit: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Absences, pk = "ENTRY#<id>", sk = "ENTRY")]
struct Entry {
    id: String,
    note: Option<String>,
    #[dyna(created_at)]
    #[serde(with = "dyna_runtime::serde::rfc3339::option")]
    created: Option<jiff::Timestamp>,
    #[dyna(updated_at)]
    #[serde(with = "dyna_runtime::serde::rfc3339::option")]
    updated: Option<jiff::Timestamp>,
    #[serde(flatten)]
    extra: BTreeMap<String, String>,
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "serde takes it as the default of an `Option`"
)]
fn five() -> Option<u32> {
    Some(5)
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Place {
    city: Option<String>,
    zip: Option<String>,
}

/// A flattened option of a struct whose fields may all be absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Stop {
    n: u32,
    #[serde(flatten)]
    place: Option<Place>,
}

/// A flattened map before a flattened struct.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Mixed {
    #[serde(flatten)]
    extra: BTreeMap<String, String>,
    #[serde(flatten)]
    place: Place,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Opt {
    #[serde(default = "five")]
    limit: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Wrapped(Option<u32>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Kind {
    Unit,
    New(Option<u32>),
    Pair(Option<u32>, Option<bool>),
    Named { a: Option<u32>, b: Option<String> },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t")]
enum Tagged {
    Unit,
    Named { a: Option<u32>, w: Wrapped },
    Of(Place),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Beside {
    Unit,
    New(Option<u32>),
    Wrapped(Wrapped),
    Named { a: Option<u32> },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Inner {
    a: Option<u32>,
    w: Wrapped,
    #[allow(clippy::option_option, reason = "the shape under test")]
    twice: Option<Option<u32>>,
    unit: Option<()>,
    list: Vec<Option<u32>>,
    map: BTreeMap<String, Option<u32>>,
    kind: Option<Kind>,
    tagged: Vec<Tagged>,
    beside: Vec<Beside>,
    deep: Option<Box<Inner>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Absences, pk = "TRIP#<id>", sk = "TRIP")]
struct Trip {
    id: String,
    inner: Option<Inner>,
    kind: Kind,
    tagged: Tagged,
    beside: Option<Beside>,
    wrapped: Wrapped,
    #[serde(flatten)]
    place: Place,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Absences, pk = "KEPT#<id>", sk = "KEPT", nulls = "store")]
struct Kept {
    id: String,
    inner: Option<Inner>,
    kind: Kind,
    tagged: Tagged,
    beside: Option<Beside>,
    wrapped: Wrapped,
    #[serde(flatten)]
    place: Place,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Absences, pk = "OPEN#<id>", sk = "OPEN")]
struct Open {
    id: String,
    stop: Option<Stop>,
    mixed: Option<Mixed>,
    opt: Option<Opt>,
    #[serde(default = "five")]
    limit: Option<u32>,
}

fn open() -> Open {
    Open {
        id: "a".to_owned(),
        stop: None,
        mixed: None,
        opt: None,
        limit: Some(1),
    }
}

/// Writes it in every way, and reads it: it comes back, or it was refused.
macro_rules! comes_back {
    ($db:expr, $entity:expr, $get:expr) => {{
        let entity = $entity;
        match entity.put().send($db).await {
            Ok(()) => {
                let read = $get.send($db).await.unwrap().unwrap();
                assert_eq!(read, entity);
            }
            Err(Error::Encode { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }};
}

#[tokio::test]
async fn a_flattened_option_inside_of_an_attribute_comes_back_or_is_refused() {
    let db = Absences::embedded().await.unwrap();
    let stop = |place| Some(Stop { n: 1, place });
    let nowhere = Place {
        city: None,
        zip: None,
    };
    for place in [None, Some(nowhere)] {
        let open = Open {
            stop: stop(place),
            ..open()
        };
        comes_back!(&db, open.clone(), Open::get("a"));
        comes_back!(&db, open, Open::get("a").consistent());
    }
}

#[tokio::test]
async fn an_update_to_a_flattened_option_comes_back_or_is_refused() {
    let db = Absences::embedded().await.unwrap();
    open().put().send(&db).await.unwrap();
    let stop = Some(Stop { n: 1, place: None });
    let set = Open::update("a").set(Open::STOP, stop.clone());
    match set.send(&db).await {
        Ok(()) => {
            let read = Open::get("a").send(&db).await.unwrap().unwrap();
            assert_eq!(read.stop, stop);
        }
        Err(error) => assert!(matches!(error, Error::Encode { .. }), "{error}"),
    }
}

#[tokio::test]
async fn a_flattened_map_before_a_struct_inside_of_an_attribute_comes_back_or_is_refused() {
    let db = Absences::embedded().await.unwrap();
    for zip in [None, Some("1".to_owned())] {
        let city = Some("Rome".to_owned());
        let mixed = Open {
            mixed: Some(Mixed {
                extra: BTreeMap::new(),
                place: Place { city, zip },
            }),
            ..open()
        };
        comes_back!(&db, mixed, Open::get("a"));
    }
}

#[tokio::test]
async fn none_of_a_field_with_another_default_comes_back_or_is_refused() {
    let db = Absences::embedded().await.unwrap();
    let none = Open {
        limit: None,
        ..open()
    };
    comes_back!(&db, none.clone(), Open::get("a"));
    assert!(db.batch_write().put(&none).send().await.is_err());
    assert!(none.create().send(&db).await.is_err());
    open().put().send(&db).await.unwrap();
    let set = Open::update("a").set(Open::LIMIT, None);
    let error = set.send(&db).await.unwrap_err().to_string();
    assert!(error.starts_with("Open: limit: is `None`"), "{error}");
    let set = Open::update("a").set(Open::LIMIT, 7);
    set.send(&db).await.unwrap();
    // Without a value, the default is meant.
    Open::update("a")
        .remove(Open::LIMIT)
        .send(&db)
        .await
        .unwrap();
    let read = Open::get("a").send(&db).await.unwrap().unwrap();
    assert_eq!(read.limit, Some(5));
    let kept = Null {
        id: "a".to_owned(),
        limit: None,
    };
    kept.put().send(&db).await.unwrap();
    assert_eq!(Null::get("a").send(&db).await.unwrap(), Some(kept));
    let set = Null::update("a").set(Null::LIMIT, None);
    set.send(&db).await.unwrap();
}

#[tokio::test]
async fn times_that_are_filled_in_are_not_taken_for_absent() {
    let db = Absences::embedded().await.unwrap();
    let entry = Entry {
        id: "a".to_owned(),
        note: None,
        created: None,
        updated: None,
        extra: BTreeMap::new(),
    };
    entry.create().send(&db).await.unwrap();
    entry.put().send(&db).await.unwrap();
    let left = db.batch_write().put(&entry).send().await.unwrap();
    assert!(left.is_empty());
    let read = Entry::get("a").send(&db).await.unwrap().unwrap();
    assert!(read.note.is_none() && read.updated.is_some());
}

#[tokio::test]
async fn none_of_a_nested_field_with_another_default_comes_back_or_is_refused() {
    let db = Absences::embedded().await.unwrap();
    let none = Open {
        opt: Some(Opt { limit: None }),
        ..open()
    };
    comes_back!(&db, none, Open::get("a"));
}

// --- an absent field tells the variants of an untagged enum apart

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Short {
    y: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Long {
    y: u32,
    x: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Either {
    Short(Short),
    Long(Long),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Absences, pk = "CHOICE#<id>", sk = "CHOICE")]
struct Choice {
    id: String,
    either: Either,
}

#[tokio::test]
async fn an_untagged_variant_with_an_absent_field_comes_back_or_is_refused() {
    let db = Absences::embedded().await.unwrap();
    let choice = Choice {
        id: "a".to_owned(),
        either: Either::Long(Long { y: 1, x: None }),
    };
    comes_back!(&db, choice, Choice::get("a"));
}

// --- random structures

fn number() -> impl Strategy<Value = Option<u32>> {
    proptest::option::of(0..3_u32)
}

fn place() -> impl Strategy<Value = Place> {
    let text = || proptest::option::of("[ab]{0,2}");
    (text(), text()).prop_map(|(city, zip)| Place { city, zip })
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Unit),
        number().prop_map(Kind::New),
        (number(), any::<Option<bool>>()).prop_map(|(a, b)| Kind::Pair(a, b)),
        (number(), proptest::option::of("[ab]")).prop_map(|(a, b)| Kind::Named { a, b }),
    ]
}

fn tagged() -> impl Strategy<Value = Tagged> {
    prop_oneof![
        Just(Tagged::Unit),
        (number(), number()).prop_map(|(a, w)| Tagged::Named { a, w: Wrapped(w) }),
        place().prop_map(Tagged::Of),
    ]
}

fn beside() -> impl Strategy<Value = Beside> {
    prop_oneof![
        Just(Beside::Unit),
        number().prop_map(Beside::New),
        number().prop_map(|w| Beside::Wrapped(Wrapped(w))),
        number().prop_map(|a| Beside::Named { a }),
    ]
}

fn inner() -> impl Strategy<Value = Inner> {
    let leaf = (
        number(),
        number(),
        prop_oneof![9 => number().prop_map(|it| it.map(Some)), 1 => Just(Some(None))],
        prop_oneof![9 => Just(None), 1 => Just(Some(()))],
        vec(number(), 0..3),
        btree_map("[ab]", number(), 0..3),
        proptest::option::of(kind()),
        vec(tagged(), 0..3),
        vec(beside(), 0..3),
    );
    let leaf = leaf.prop_map(
        |(a, w, twice, unit, list, map, kind, tagged, beside)| Inner {
            a,
            w: Wrapped(w),
            twice,
            unit,
            list,
            map,
            kind,
            tagged,
            beside,
            deep: None,
        },
    );
    leaf.prop_recursive(2, 4, 1, |inner| {
        (inner.clone(), inner).prop_map(|(outer, deep)| Inner {
            deep: Some(Box::new(deep)),
            ..outer
        })
    })
}

fn trip() -> impl Strategy<Value = Trip> {
    let parts = (
        proptest::option::of(inner()),
        kind(),
        tagged(),
        proptest::option::of(beside()),
        number(),
        place(),
    );
    parts.prop_map(|(inner, kind, tagged, beside, wrapped, place)| Trip {
        id: "a".to_owned(),
        inner,
        kind,
        tagged,
        beside,
        wrapped: Wrapped(wrapped),
        place,
    })
}

/// Whether there is a `Some` of nothing in it.
fn has_nothing(inner: &Inner) -> bool {
    let deep = inner.deep.as_deref();
    inner.twice == Some(None) || inner.unit.is_some() || deep.is_some_and(has_nothing)
}

#[test]
fn random_structures_come_back_or_are_refused() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let db = runtime.block_on(Absences::embedded()).unwrap();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let count = std::cell::RefCell::new(0_usize);
    let ran = runner.run(&trip(), |trip| {
        runtime.block_on(async {
            let refusable = trip.inner.as_ref().is_some_and(has_nothing);
            match trip.put().send(&db).await {
                Ok(()) => {
                    *count.borrow_mut() += 1;
                    let read = Trip::get("a").send(&db).await.unwrap().unwrap();
                    prop_assert_eq!(&read, &trip);
                    let read = Trip::scan().all(&db).await.unwrap();
                    prop_assert_eq!(&read[0], &trip);
                    let update = Trip::update("a")
                        .set(Trip::INNER, trip.inner.clone())
                        .set(Trip::KIND, trip.kind.clone())
                        .set(Trip::TAGGED, trip.tagged.clone())
                        .set(Trip::BESIDE, trip.beside.clone())
                        .set(Trip::WRAPPED, trip.wrapped.clone());
                    update.send(&db).await.unwrap();
                    let read = Trip::get("a").send(&db).await.unwrap().unwrap();
                    prop_assert_eq!(&read, &trip);
                }
                Err(error) => prop_assert!(refusable, "{error}"),
            }
            let Trip {
                id,
                inner,
                kind,
                tagged,
                beside,
                wrapped,
                place,
            } = trip;
            let kept = Kept {
                id,
                inner,
                kind,
                tagged,
                beside,
                wrapped,
                place,
            };
            match kept.put().send(&db).await {
                Ok(()) => {
                    let read = Kept::get("a").send(&db).await.unwrap().unwrap();
                    prop_assert_eq!(&read, &kept);
                }
                Err(error) => prop_assert!(refusable, "{error}"),
            }
            Ok(())
        })
    });
    if let Err(failed) = ran {
        panic!("{failed}");
    }
    assert!(*count.borrow() > 100);
}
