//! Items from attributes: what can be read is written and read as the same, and what `serde_dynamo` reads too is the same value.

use crate::input::Input;
use dyna_runtime::codec::{Item, from_item, to_item};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Scalars {
    a: Option<String>,
    b: Option<u8>,
    c: Option<i64>,
    d: Option<u128>,
    e: Option<f64>,
    f: Option<f32>,
    g: Option<bool>,
    h: Option<char>,
    #[serde(default, with = "serde_bytes")]
    i: Option<Vec<u8>>,
    j: Option<()>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Nested {
    a: Option<Vec<Option<u32>>>,
    b: Option<BTreeMap<String, i32>>,
    c: Option<Box<Nested>>,
    d: Option<(String, u8)>,
    e: Option<Shape>,
    f: Option<BTreeMap<u16, Vec<String>>>,
    g: Option<Wrapper>,
    #[serde(flatten)]
    others: BTreeMap<String, Option<String>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Wrapper(i128);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    Unit,
    Newtype(String),
    Tuple(u8, bool),
    Struct { x: i16, y: Option<f64> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Sets {
    #[serde(default, with = "dyna_runtime::serde::string_set")]
    a: BTreeSet<String>,
    #[serde(default, with = "dyna_runtime::serde::number_set")]
    b: BTreeSet<i64>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "a")]
enum Tagged {
    #[serde(alias = "")]
    One {
        b: Option<String>,
        c: Option<i64>,
    },
    Two(BTreeMap<String, Option<bool>>),
}

pub(super) fn run(bytes: &[u8]) {
    let mut input = Input(bytes);
    let kind = input.below(4);
    let item = input.item();
    match kind {
        0 => {
            let read = comes_back::<Scalars>(&item);
            let theirs = serde_dynamo::from_item::<_, Scalars>(item);
            if let (Some(ours), Ok(theirs)) = (read, theirs) {
                assert_eq!(ours, theirs);
            }
        }
        1 => drop(comes_back::<Nested>(&item)),
        2 => drop(comes_back::<Sets>(&item)),
        _ => drop(comes_back::<Tagged>(&item)),
    }
}

fn comes_back<T: Serialize + DeserializeOwned + Debug + PartialEq>(item: &Item) -> Option<T> {
    let read = from_item::<T>(item.clone()).ok()?;
    // Not everything that can be read may be written: an empty set, a number that no column holds.
    if let Ok(again) = to_item(&read) {
        assert_eq!(from_item::<T>(again).as_ref().ok(), Some(&read));
    }
    Some(read)
}
