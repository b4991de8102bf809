//! Items are written as the SDK writes them.

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_dynamodb::types::AttributeValue;
use proptest::prelude::*;
use serde::Serialize;

use super::sdk;
use crate::codec::json::{Deferred, ItemJson, NameSet, Whole};
use crate::codec::tests::samples::{flat, nested, scalars};
use crate::codec::{Item, Nulls, Rules, write_item};

/// The item that the SDK reads from JSON of ours.
fn read(json: &str) -> Item {
    let answer = format!(r#"{{"Items":[{json}]}}"#);
    sdk(answer.as_bytes()).unwrap().items.unwrap().remove(0)
}

/// The JSON of a value whose fields no one looks at.
fn json<T: Serialize + ?Sized>(value: &T, nulls: Nulls<'_>) -> Option<String> {
    let mut text = String::new();
    let mut json = ItemJson::new(&mut text);
    json.fields(value, Whole::UNKNOWN, &NameSet::default(), nulls, None)
        .ok()?;
    json.finish();
    Some(text)
}

/// The JSON of a value, with the attributes of an item that are there before its fields, and those that are looked at.
fn json_apart<T: Serialize + ?Sized>(
    value: &T,
    names: &[&str],
    mut item: Item,
    rules: Rules<'_>,
) -> Option<String> {
    let mut text = String::new();
    let mut json = ItemJson::new(&mut text);
    let deferred = Deferred {
        item: &mut item,
        rules,
    };
    // Names are data of the program; those of a test are made up.
    let names = names.iter().map(|name| &*String::leak((*name).to_owned()));
    json.fields(
        value,
        Whole::UNKNOWN,
        &names.collect(),
        rules.nulls,
        Some(deferred),
    )
    .ok()?;
    for (name, value) in &item {
        json.attribute(name, value).ok()?;
    }
    json.finish();
    Some(text)
}

fn written<T: Serialize>(value: &T, rules: Rules<'_>) -> Option<Item> {
    json(value, rules.nulls).map(|json| read(&json))
}

fn stored<T: Serialize>(value: &T, rules: Rules<'_>) -> Item {
    let mut item = Item::new();
    write_item(value, &mut item, rules).unwrap();
    item
}

/// Where `None` is stored.
fn rules() -> impl Strategy<Value = Rules<'static>> {
    let some = Nulls::In(&["maybe", "boxed", "enums"]);
    let nulls = prop_oneof![Just(Nulls::Omit), Just(Nulls::Store), Just(some)];
    nulls.prop_map(|nulls| Rules {
        nulls,
        ..Rules::default()
    })
}

proptest! {
    /// Every shape of serde is written as it is put into attributes, and attributes are written as the SDK reads them.
    #[test]
    fn all_shapes_are_written(a in scalars(), b in nested(), c in flat(), rules in rules()) {
        prop_assert_eq!(written(&a, rules), Some(stored(&a, rules)));
        prop_assert_eq!(written(&b, rules), Some(stored(&b, rules)));
        // A struct with a flattened field may write any attribute.
        prop_assert_eq!(written(&c, rules), None);
        let deferred = json_apart(&c, &[], Item::new(), rules);
        prop_assert_eq!(deferred.map(|json| read(&json)), Some(stored(&c, rules)));
        for item in [stored(&a, rules), stored(&b, rules), stored(&c, rules)] {
            let nothing = BTreeMap::<String, u8>::new();
            let deferred = json_apart(&nothing, &[], item.clone(), Rules::default());
            prop_assert_eq!(deferred.map(|json| read(&json)), Some(item));
        }
    }

    /// A field is written alike, whether someone looks at it or not.
    #[test]
    fn what_is_looked_at_is_written_alike(
        a in scalars(),
        b in nested(),
        c in flat(),
        looked_at: u64,
        rules in rules(),
    ) {
        let some = |item: &Item| {
            let names = item.keys().enumerate();
            let some = names.filter(|(n, _)| looked_at >> (n % 64) & 1 == 1);
            some.map(|(_, name)| name.clone()).collect::<Vec<_>>()
        };
        macro_rules! alike {
            ($($value:ident)*) => {$(
                let names = some(&stored(&$value, rules));
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let deferred = json_apart(&$value, &names, Item::new(), rules);
                prop_assert_eq!(deferred.map(|json| read(&json)), Some(stored(&$value, rules)));
            )*};
        }
        alike!(a b c);
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
        omit_null: &["index"],
        nulls: Nulls::Store,
        ..Rules::default()
    };
    let post = Post {
        tags: BTreeSet::from(["x", "y"]),
        ..POST
    };
    let keys = Item::from([
        ("pk".to_owned(), AttributeValue::S("P#7".to_owned())),
        ("id".to_owned(), AttributeValue::N("7".to_owned())),
    ]);
    let mut item = keys.clone();
    write_item(&post, &mut item, rules).unwrap();
    let json = json_apart(&post, &["pk", "id", "index"], keys, rules).unwrap();
    assert_eq!(read(&json), item);
    // What no one looks at comes first, in the order of its fields.
    let fields = r#"{"title":{"S":"a \"b\"\n"},"note":{"NULL":true},"tags":{"SS":["x","y"]},"#;
    assert!(json.starts_with(fields), "{json}");
    assert_eq!(json.matches(r#""id":"#).count(), 1, "{json}");
    assert_eq!(json.matches(r#""index":"#).count(), 0, "{json}");
}

/// The fields and what is flattened into them, as a map that says the same twice if it is told to.
#[derive(Serialize)]
struct Flat {
    id: u8,
    #[serde(flatten)]
    rest: BTreeMap<&'static str, u8>,
}

#[test]
fn name_that_is_written_twice_is_refused() {
    let flat = |name| Flat {
        id: 7,
        rest: BTreeMap::from([(name, 8)]),
    };
    let write = |name, looked_at: &[&str]| {
        json_apart(&flat(name), looked_at, Item::new(), Rules::default())
    };
    assert_eq!(
        write("other", &[]).as_deref(),
        Some(r#"{"id":{"N":"7"},"other":{"N":"8"}}"#)
    );
    assert_eq!(write("id", &[]), None);
    assert_eq!(write("id", &["id"]), None);
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
    assert_eq!(json(&POST, Nulls::Omit), None);
    // A field that is not what its key says.
    let key = Item::from([("id".to_owned(), AttributeValue::S("7".to_owned()))]);
    let post = Post {
        tags: BTreeSet::from(["x"]),
        ..POST
    };
    assert_eq!(json_apart(&post, &["id"], key, Rules::default()), None);
    // A number that is none.
    assert_eq!(json(&Ratio { ratio: f64::NAN }, Nulls::Omit), None);
    // A field that has the name of a key, where there is no place apart.
    let mut text = String::new();
    let names = NameSet::from_iter(["pk", "ratio"]);
    let ratio = ItemJson::new(&mut text).fields(
        &Ratio { ratio: 1.0 },
        Whole::UNKNOWN,
        &names,
        Nulls::Omit,
        None,
    );
    assert!(ratio.is_err());
    // No struct, and a map whose keys are the same text.
    assert_eq!(json(&7, Nulls::Omit), None);
    let counts = BTreeMap::from([(Key::Number(1), 1), (Key::Text("1"), 2)]);
    assert_eq!(json(&Counts { counts }, Nulls::Omit), None);
}
