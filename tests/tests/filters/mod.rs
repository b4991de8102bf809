//! Filters on the embedded engine: what a query returns is what a filter of the same items in Rust returns.

mod laws;
mod operators;
mod requests;

use dyna_runtime::{DynaEntity, DynaFields, DynaTable, Table};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(DynaTable)]
#[dyna(name = "things", pk = "pk", sk = "sk", tag = "entityType")]
enum Things {
    Thing(Thing),
    Comment(Comment),
}

/// Every kind of attribute, under names that are reserved, renamed, or neither.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "kebab-case")]
#[dyna(table = Things, pk = "G#<group>", sk = "T#<n:05>")]
struct Thing {
    group: String,
    n: u32,
    status: String,
    /// NULL where there is none, and the other `Option`s are not stored then.
    #[dyna(nulls = "store")]
    note: Option<String>,
    like_count: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
    done: bool,
    tags: Vec<String>,
    #[serde(with = "dyna_runtime::serde::string_set")]
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    labels: BTreeSet<String>,
    #[serde(serialize_with = "negated", deserialize_with = "negated_back")]
    depth: i32,
    data: Data,
    prefs: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
#[serde(rename_all = "camelCase")]
struct Data {
    full_name: String,
    level: Option<u8>,
    more: Option<Box<More>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
struct More {
    #[serde(rename = "type")]
    kind: Kind,
    numbers: Vec<i8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
enum Kind {
    Small,
    Large,
}

/// Lies among the keys of `Thing`, and has its attributes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Things, pk = "G#<group>", sk = "T#<n:05>#<m:02>")]
struct Comment {
    group: String,
    n: u32,
    m: u32,
    status: String,
    done: bool,
}

/// Stored the other way round than its type would be.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn negated<S: serde::Serializer>(value: &i32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i32(-value)
}

fn negated_back<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<i32, D::Error> {
    i32::deserialize(deserializer).map(|value: i32| -value)
}

const WORDS: [&str; 5] = ["", "a", "ab", "b a", "é"];

/// Items in which each attribute takes its few values in a rhythm of its own.
fn things() -> Vec<Thing> {
    (0..60).map(thing).collect()
}

fn thing(n: u32) -> Thing {
    let word = |rhythm: u32| WORDS[(n / rhythm) as usize % WORDS.len()].to_owned();
    let small = |modulus: u32| u8::try_from(n % modulus).unwrap_or_default();
    Thing {
        group: "g".to_owned(),
        n,
        status: word(1),
        note: (!n.is_multiple_of(3)).then(|| word(2)),
        like_count: i64::from(n % 7) - 3,
        ratio: n.is_multiple_of(2).then(|| f64::from(n % 5) / 2.0),
        done: n.is_multiple_of(4),
        tags: (0..n % 4).map(|at| word(at + 1)).collect(),
        labels: (0..n % 3).map(|at| word(at + 2) + "l").collect(),
        depth: i32::from(small(5)) - 2,
        data: Data {
            full_name: word(3),
            level: (n % 5 > 1).then(|| small(5)),
            more: (n % 4 > 1).then(|| {
                Box::new(More {
                    kind: if n % 8 > 4 { Kind::Small } else { Kind::Large },
                    numbers: vec![1; usize::from(small(3))],
                })
            }),
        },
        prefs: (0..n % 3)
            .map(|at| (word(at + 1) + "key", word(4)))
            .collect(),
    }
}

/// The things, each followed by an item of another entity.
async fn table() -> Table<Things> {
    let db = Things::embedded().await.unwrap();
    for thing in things() {
        thing.put().send(&db).await.unwrap();
        let Thing {
            group,
            n,
            status,
            done,
            ..
        } = thing;
        let comment = Comment {
            group,
            n,
            m: 7,
            status,
            done,
        };
        comment.put().send(&db).await.unwrap();
    }
    db
}
