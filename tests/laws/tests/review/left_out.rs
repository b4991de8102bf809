//! A field that is left out, by `None` or by `skip_serializing_if`, comes back as it was or is refused, in every position of serde's and
//! by every write; also when a value of the same type came back before.

use dyna_runtime::{DynaEntity, DynaTable, Error};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

type Maybe = Option<u32>;

#[expect(
    clippy::unnecessary_wraps,
    reason = "serde takes it as the default of an `Option`"
)]
fn five() -> Option<u32> {
    Some(5)
}

const fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_zero(n: &u32) -> bool {
    *n == 0
}

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(name = "left-out", pk = "pk", sk = "sk", tag = "type")]
enum LeftOut {
    Top(Top),
    Alias(Alias),
    Flat(Flat),
    Deep(Deep),
}

/// What is left out at the top.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = LeftOut, pk = "TOP#<id>", sk = "TOP")]
struct Top {
    id: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    same: u32,
    #[serde(default = "one", skip_serializing_if = "is_zero")]
    other: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    list: Vec<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    needed: Vec<u32>,
}

/// An `Option` under another name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = LeftOut, pk = "ALIAS#<id>", sk = "ALIAS")]
struct Alias {
    id: String,
    #[serde(default = "five")]
    maybe: Maybe,
}

/// The same beside a flattened map, where serde does not say what it leaves out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = LeftOut, pk = "FLAT#<id>", sk = "FLAT")]
struct Flat {
    id: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    same: u32,
    #[serde(default = "one", skip_serializing_if = "is_zero")]
    other: u32,
    #[serde(default = "five")]
    maybe: Maybe,
    #[serde(flatten)]
    extra: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Part {
    n: u32,
    plain: Option<u32>,
    #[serde(default = "five")]
    limit: Option<u32>,
    #[serde(default = "one", skip_serializing_if = "is_zero")]
    other: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Small {
    y: u8,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Large {
    y: u32,
    x: Option<u32>,
}

/// Which of the two is read without `x` depends on the value of `y`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Either {
    Small(Small),
    Large(Large),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t")]
enum Inside {
    Good { a: Option<u32> },
    Bad(Part),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Beside {
    Good {
        a: Option<u32>,
    },
    Bad {
        #[serde(default = "five")]
        a: Option<u32>,
    },
    Part(Part),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Outside {
    Good {
        a: Option<u32>,
    },
    Bad {
        #[serde(default = "five")]
        a: Option<u32>,
    },
    Part(Part),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = LeftOut, pk = "DEEP#<id>", sk = "DEEP")]
struct Deep {
    id: String,
    part: Option<Part>,
    parts: Vec<Part>,
    named: BTreeMap<String, Part>,
    either: Vec<Either>,
    inside: Option<Inside>,
    beside: Option<Beside>,
    outside: Option<Outside>,
}

fn deep() -> Deep {
    Deep {
        id: "a".to_owned(),
        part: None,
        parts: Vec::new(),
        named: BTreeMap::new(),
        either: Vec::new(),
        inside: None,
        beside: None,
        outside: None,
    }
}

const GOOD: Part = Part {
    n: 1,
    plain: None,
    limit: Some(1),
    other: 2,
};
const NO_LIMIT: Part = Part {
    limit: None,
    ..GOOD
};
const SKIPPED: Part = Part { other: 0, ..GOOD };

/// The deep values: those that come back, and those that would not.
fn values() -> Vec<(Deep, bool)> {
    let large = |y| Either::Large(Large { y, x: None });
    let mut values = Vec::new();
    for (part, is_good) in [(GOOD, true), (NO_LIMIT, false), (SKIPPED, false)] {
        let deeps = [
            Deep {
                part: Some(part.clone()),
                ..deep()
            },
            Deep {
                parts: vec![GOOD, part.clone()],
                ..deep()
            },
            Deep {
                named: BTreeMap::from([("k".to_owned(), part.clone())]),
                ..deep()
            },
            Deep {
                inside: Some(Inside::Bad(part.clone())),
                ..deep()
            },
            Deep {
                beside: Some(Beside::Part(part.clone())),
                ..deep()
            },
            Deep {
                outside: Some(Outside::Part(part)),
                ..deep()
            },
        ];
        values.extend(deeps.map(|deep| (deep, is_good)));
    }
    let others = [
        (
            Deep {
                either: vec![large(300)],
                ..deep()
            },
            true,
        ),
        (
            Deep {
                either: vec![large(1)],
                ..deep()
            },
            false,
        ),
        (
            Deep {
                inside: Some(Inside::Good { a: None }),
                ..deep()
            },
            true,
        ),
        (
            Deep {
                beside: Some(Beside::Good { a: None }),
                ..deep()
            },
            true,
        ),
        (
            Deep {
                beside: Some(Beside::Bad { a: None }),
                ..deep()
            },
            false,
        ),
        (
            Deep {
                outside: Some(Outside::Good { a: None }),
                ..deep()
            },
            true,
        ),
        (
            Deep {
                outside: Some(Outside::Bad { a: None }),
                ..deep()
            },
            false,
        ),
    ];
    values.extend(others);
    values
}

fn assert_encode(error: &Error, what: &str) {
    assert!(matches!(error, Error::Encode { .. }), "{what}: {error}");
}

/// Writes it in every way that writes a whole item: it comes back, or each is refused.
macro_rules! every_way {
    ($db:expr, $type:ident, $entity:expr, $is_good:expr) => {{
        let (entity, is_good) = (&$entity, $is_good);
        let what = format!("{entity:?}");
        let get = || $type::get("a").consistent();
        let put = entity.put().send($db).await;
        let batch = db_batch!($db, entity);
        let transact = $db.transact().put(entity).send().await;
        if is_good {
            put.expect(&what);
            batch.expect(&what);
            transact.map(drop).expect(&what);
            assert_eq!(get().send($db).await.unwrap().as_ref(), Some(entity));
            $type::delete("a").send($db).await.unwrap();
            entity.create().send($db).await.expect(&what);
            assert_eq!(get().send($db).await.unwrap().as_ref(), Some(entity));
            $type::delete("a").send($db).await.unwrap();
        } else {
            assert_encode(&put.expect_err(&what), &what);
            assert_encode(&batch.expect_err(&what), &what);
            assert_encode(&transact.map(drop).expect_err(&what), &what);
            let create = entity.create().send($db).await;
            assert_encode(&create.expect_err(&what), &what);
            assert_eq!(get().send($db).await.unwrap(), None);
        }
    }};
}

macro_rules! db_batch {
    ($db:expr, $entity:expr) => {
        $db.batch_write().put($entity).send().await.map(drop)
    };
}

fn top() -> Top {
    Top {
        id: "a".to_owned(),
        same: 0,
        other: 2,
        list: Vec::new(),
        needed: vec![1],
    }
}

#[tokio::test]
async fn skipped_field_round_trips_or_fails() {
    let db = LeftOut::embedded().await.unwrap();
    for _ in 0..2 {
        every_way!(&db, Top, top(), true);
        every_way!(&db, Top, Top { other: 0, ..top() }, false);
        let unreadable = Top {
            needed: Vec::new(),
            ..top()
        };
        every_way!(&db, Top, unreadable, false);
    }
    let error = Top { other: 0, ..top() }.put().send(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "Top: other: is skipped by `#[serde(skip_serializing_if = \"..\")]`, but its serde default is a different value: it would \
         not be read back"
    );
}

#[tokio::test]
async fn none_of_an_alias_of_option_with_a_default_is_refused() {
    let db = LeftOut::embedded().await.unwrap();
    let id = "a".to_owned();
    for _ in 0..2 {
        let some = Alias {
            id: id.clone(),
            maybe: Some(1),
        };
        every_way!(&db, Alias, some, true);
        let none = Alias {
            id: id.clone(),
            maybe: None,
        };
        every_way!(&db, Alias, none, false);
    }
    let some = Alias { id, maybe: Some(1) };
    some.put().send(&db).await.unwrap();
    let set = Alias::update("a").set(Alias::MAYBE, None);
    assert_encode(&set.send(&db).await.unwrap_err(), "set");
}

#[tokio::test]
async fn skipped_field_beside_flattened_map_round_trips_or_fails() {
    let db = LeftOut::embedded().await.unwrap();
    let flat = || Flat {
        id: "a".to_owned(),
        same: 0,
        other: 2,
        maybe: Some(1),
        extra: BTreeMap::from([("k".to_owned(), "v".to_owned())]),
    };
    for _ in 0..2 {
        every_way!(&db, Flat, flat(), true);
        every_way!(&db, Flat, Flat { other: 0, ..flat() }, false);
        let none = Flat {
            maybe: None,
            ..flat()
        };
        every_way!(&db, Flat, none, false);
    }
}

#[tokio::test]
async fn skipped_nested_field_round_trips_or_fails() {
    let db = LeftOut::embedded().await.unwrap();
    // What came back once must not vouch for what does not.
    for _ in 0..2 {
        for (deep, is_good) in values() {
            every_way!(&db, Deep, deep, is_good);
        }
    }
}

#[tokio::test]
async fn update_to_a_value_that_would_not_round_trip_fails() {
    let db = LeftOut::embedded().await.unwrap();
    for (value, is_good) in values() {
        let what = format!("{value:?}");
        let start = Deep {
            parts: vec![GOOD],
            ..deep()
        };
        start.put().send(&db).await.unwrap();
        let update = Deep::update("a")
            .set(Deep::PART, value.part.clone())
            .set(Deep::PARTS, value.parts.clone())
            .set(Deep::NAMED, value.named.clone())
            .set(Deep::EITHER, value.either.clone())
            .set(Deep::INSIDE, value.inside.clone())
            .set(Deep::BESIDE, value.beside.clone())
            .set(Deep::OUTSIDE, value.outside.clone());
        let upsert = Deep::upsert("a")
            .set(Deep::PART, value.part.clone())
            .set(Deep::PARTS, value.parts.clone())
            .set(Deep::NAMED, value.named.clone())
            .set(Deep::EITHER, value.either.clone())
            .set(Deep::INSIDE, value.inside.clone())
            .set(Deep::BESIDE, value.beside.clone())
            .set(Deep::OUTSIDE, value.outside.clone());
        let loaded = Deep::update_loaded(&start)
            .set(Deep::PART, value.part.clone())
            .set(Deep::PARTS, value.parts.clone())
            .set(Deep::NAMED, value.named.clone())
            .set(Deep::EITHER, value.either.clone())
            .set(Deep::INSIDE, value.inside.clone())
            .set(Deep::BESIDE, value.beside.clone())
            .set(Deep::OUTSIDE, value.outside.clone());
        let transacted = db.transact().update(update.clone()).send().await.map(drop);
        let sent = [
            update.send(&db).await,
            upsert.send(&db).await,
            loaded.send(&db).await,
            transacted,
        ];
        for sent in sent {
            if is_good {
                sent.expect(&what);
            } else {
                assert_encode(&sent.expect_err(&what), &what);
            }
        }
        let read = Deep::get("a").send(&db).await.unwrap().unwrap();
        assert_eq!(read, if is_good { value } else { start }, "{what}");
    }
}

#[tokio::test]
async fn a_part_of_an_update_that_would_not_come_back_is_refused() {
    let db = LeftOut::embedded().await.unwrap();
    let start = Deep {
        parts: vec![GOOD],
        named: BTreeMap::from([("k".to_owned(), GOOD)]),
        ..deep()
    };
    start.put().send(&db).await.unwrap();
    for bad in [NO_LIMIT, SKIPPED] {
        let update = || Deep::update("a");
        let updates = [
            update().append(Deep::PARTS, [GOOD, bad.clone()]),
            update().prepend(Deep::PARTS, [bad.clone()]),
            update().set(Deep::PARTS.index(0), bad.clone()),
            update().set(Deep::NAMED.entry("k"), bad.clone()),
            update().set_if_missing(Deep::PART, bad.clone()),
        ];
        for update in updates {
            assert_encode(&update.send(&db).await.unwrap_err(), "update");
        }
    }
    let update = Deep::update("a").append(Deep::PARTS, [GOOD, GOOD]);
    update.send(&db).await.unwrap();
    let read = Deep::get("a").send(&db).await.unwrap().unwrap();
    assert_eq!(read.parts, [GOOD, GOOD, GOOD]);
}
