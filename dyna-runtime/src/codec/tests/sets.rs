//! Collections stored as sets.

use std::collections::{BTreeSet, HashSet};

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use crate::codec::sets::{binary_set, number_set, string_set};
use crate::codec::{Item, Rules, from_item, from_value, to_value, write_item};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Tag(String);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Sets {
    #[serde(with = "string_set")]
    tags: BTreeSet<Tag>,
    #[serde(with = "number_set")]
    ratings: HashSet<u8>,
    #[serde(with = "number_set")]
    ratios: Vec<f64>,
    #[serde(with = "binary_set")]
    hashes: BTreeSet<Vec<u8>>,
    #[serde(with = "binary_set")]
    digests: Vec<[u8; 2]>,
    #[serde(with = "binary_set")]
    blobs: Vec<ByteBuf>,
    #[serde(default, with = "string_set")]
    maybe: Option<Vec<String>>,
}

fn sets() -> Sets {
    Sets {
        tags: [Tag("a".to_owned()), Tag("b".to_owned())].into(),
        ratings: [5].into(),
        ratios: vec![0.5, 2.0],
        hashes: [vec![1, 2], vec![]].into(),
        digests: vec![[3, 4]],
        blobs: vec![ByteBuf::from(vec![5])],
        maybe: None,
    }
}

fn item(value: &impl Serialize) -> Item {
    let mut item = Item::new();
    write_item(value, &mut item, Rules::default()).unwrap();
    item
}

fn text(values: &[&str]) -> Vec<String> {
    values.iter().map(|&value| value.to_owned()).collect()
}

#[test]
fn collections_are_written_as_sets() {
    let item = item(&sets());
    assert_eq!(item["tags"], AttributeValue::Ss(text(&["a", "b"])));
    assert_eq!(item["ratings"], AttributeValue::Ns(text(&["5"])));
    assert_eq!(item["ratios"], AttributeValue::Ns(text(&["0.5", "2"])));
    assert_eq!(
        item["hashes"],
        AttributeValue::Bs(vec![Blob::new([]), Blob::new([1, 2])])
    );
    assert_eq!(item["digests"], AttributeValue::Bs(vec![Blob::new([3, 4])]));
    assert_eq!(item["blobs"], AttributeValue::Bs(vec![Blob::new([5])]));
    assert!(!item.contains_key("maybe"));
}

#[test]
fn sets_come_back() {
    assert_eq!(from_item::<Sets>(item(&sets())).unwrap(), sets());
    let some = Sets {
        maybe: Some(text(&["x"])),
        ..sets()
    };
    assert_eq!(from_item::<Sets>(item(&some)).unwrap(), some);
}

#[test]
fn lists_are_read_as_sets() {
    let mut item = item(&sets());
    let tags = ["a", "b"].map(|tag| AttributeValue::S(tag.to_owned()));
    item.insert("tags".to_owned(), AttributeValue::L(tags.into()));
    assert_eq!(from_item::<Sets>(item).unwrap(), sets());
}

#[test]
fn sets_are_not_read_as_lists() {
    let numbers = AttributeValue::Ns(text(&["1", "2"]));
    let error = from_value::<Vec<u8>>(numbers.clone()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected list, found number set: read it with `#[serde(with = \"dyna_runtime::serde::number_set\")]`"
    );
    assert!(from_value::<serde_json::Value>(numbers).is_err());
}

#[test]
fn equal_elements_are_an_error() {
    #[derive(Serialize)]
    struct Numbers(#[serde(with = "number_set")] Vec<f64>);

    let error = to_value(&Numbers(vec![0.0, 1.5, -0.0])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a set cannot contain an element twice: elements 0 and 2 are equal"
    );
    let many = (0..1000).map(f64::from).collect();
    to_value(&Numbers(many)).unwrap();
}

#[test]
fn empty_set_is_an_error_at_its_path() {
    let empty = Sets {
        tags: BTreeSet::new(),
        ..sets()
    };
    let problem = "tags: a set cannot be empty; leave it out with an `Option`, or with `#[serde(default, skip_serializing_if = \"..\")]`";
    assert_eq!(
        write_item(&empty, &mut Item::new(), Rules::default())
            .unwrap_err()
            .to_string(),
        problem
    );
    let nested = to_value(&vec![sets(), empty]).unwrap_err();
    assert_eq!(nested.to_string(), format!("[1].{problem}"));
}

#[test]
fn elements_of_another_type_are_errors() {
    #[derive(Serialize)]
    struct Mixed<T: Serialize>(#[serde(with = "string_set")] T);

    let problem = |error: crate::codec::EncodeError| error.to_string();
    assert_eq!(
        problem(to_value(&Mixed(("a", 1))).unwrap_err()),
        "[1]: expected string, found number"
    );
    assert_eq!(
        problem(to_value(&Mixed("a")).unwrap_err()),
        "expected a collection, found string"
    );
    assert_eq!(
        problem(write_item(&Mixed(["a"]), &mut Item::new(), Rules::default()).unwrap_err()),
        "expected a struct or a map, found set"
    );
}

#[test]
fn bytes_out_of_range_are_no_binary() {
    #[derive(Serialize)]
    struct Wide(#[serde(with = "binary_set")] Vec<Vec<u16>>);

    let error = to_value(&Wide(vec![vec![300]])).unwrap_err();
    assert_eq!(error.to_string(), "[0]: expected binary, found list");
}

#[test]
fn types_annotated_for_serde_dynamo_are_refused() {
    #[derive(Serialize)]
    struct Theirs {
        #[serde(with = "serde_dynamo::binary_set")]
        blobs: Vec<ByteBuf>,
    }

    let blobs = vec![ByteBuf::from(vec![1])];
    let error = to_value(&Theirs { blobs }).unwrap_err().to_string();
    assert!(
        error.starts_with("blobs: is written by the set functions of `serde_dynamo`"),
        "{error}"
    );
    assert!(error.contains("dyna_runtime::serde::binary_set"), "{error}");
}

#[test]
fn sets_are_sequences_in_json() {
    let json = serde_json::to_value(sets()).unwrap();
    assert_eq!(json["tags"], serde_json::json!(["a", "b"]));
    assert_eq!(serde_json::from_value::<Sets>(json).unwrap(), sets());
}
