//! Items are written as the SDK writes them.

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_dynamodb::types::AttributeValue;
use proptest::prelude::*;
use serde::Serialize;

use super::sdk;
use crate::codec::tests::samples::{flat, nested, scalars};
use crate::codec::wire::{ItemJson, KeyText};
use crate::codec::{Item, Rules, to_item};

/// The item that the SDK reads from JSON of ours.
fn read(json: &str) -> Item {
    let answer = format!(r#"{{"Items":[{json}]}}"#);
    sdk(answer.as_bytes()).unwrap().items.unwrap().remove(0)
}

fn written<T: Serialize>(value: &T, rules: Rules<'_>) -> Option<Item> {
    let mut json = ItemJson::new();
    json.fields(value, rules).ok()?;
    Some(read(&json.into_text()))
}

fn stored<T: Serialize>(value: &T, rules: Rules<'_>) -> Item {
    let mut item = Item::new();
    to_item(value, &mut item, rules).unwrap();
    item
}

proptest! {
    /// Every shape of serde is written as it is put into attributes.
    #[test]
    fn all_shapes_are_written(a in scalars(), b in nested(), c in flat()) {
        prop_assert_eq!(written(&a, Rules::default()), Some(stored(&a, Rules::default())));
        prop_assert_eq!(written(&b, Rules::default()), Some(stored(&b, Rules::default())));
        // A struct with a flattened field is put into attributes first.
        prop_assert_eq!(written(&c, Rules::default()), None);
    }
}

#[derive(Serialize)]
struct Post {
    id: u32,
    title: &'static str,
    index: Option<u8>,
    note: Option<u8>,
    #[serde(with = "crate::codec::sets::string_set")]
    tags: BTreeSet<&'static str>,
}

const POST: Post = Post {
    id: 7,
    title: "a \"b\"\n",
    index: None,
    note: None,
    tags: BTreeSet::new(),
};

#[test]
fn rules_are_kept() {
    let rules = Rules {
        omit: &["title"],
        omit_null: &["index"],
        ..Rules::default()
    };
    let post = Post {
        tags: BTreeSet::from(["x", "y"]),
        ..POST
    };
    let mut item = Item::from([("pk".to_owned(), AttributeValue::S("P#7".to_owned()))]);
    item.insert("id".to_owned(), AttributeValue::N("7".to_owned()));
    to_item(&post, &mut item, rules).unwrap();

    let mut json = ItemJson::new();
    json.key("pk", KeyText::S("P#7"));
    json.key("id", KeyText::N("7"));
    json.key("pk", KeyText::S("P#7"));
    json.fields(&post, rules).unwrap();
    let json = json.into_text();
    assert_eq!(
        json,
        r#"{"pk":{"S":"P#7"},"id":{"N":"7"},"note":{"NULL":true},"tags":{"SS":["x","y"]}}"#
    );
    assert_eq!(read(&json), item);
}

#[derive(Serialize)]
struct Ratio {
    ratio: f64,
}

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(untagged)]
enum Key {
    Number(u8),
    Text(&'static str),
}

#[derive(Serialize)]
struct Counts {
    counts: BTreeMap<Key, u8>,
}

#[test]
fn what_has_no_form_is_refused() {
    // An empty set.
    assert!(ItemJson::new().fields(&POST, Rules::default()).is_err());
    // A field that is not what its key says.
    let mut json = ItemJson::new();
    json.key("id", KeyText::S("7"));
    assert!(
        json.fields(
            &POST,
            Rules {
                omit: &["tags"],
                ..Rules::default()
            }
        )
        .is_err()
    );
    // A number that is none.
    assert!(
        ItemJson::new()
            .fields(&Ratio { ratio: f64::NAN }, Rules::default())
            .is_err()
    );
    // No struct, and a map whose keys are the same text.
    assert!(ItemJson::new().fields(&7, Rules::default()).is_err());
    let counts = BTreeMap::from([(Key::Number(1), 1), (Key::Text("1"), 2)]);
    assert!(
        ItemJson::new()
            .fields(&Counts { counts }, Rules::default())
            .is_err()
    );
}
