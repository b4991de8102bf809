//! Responses are read as the SDK reads them.

use std::collections::BTreeMap;

use fastrand::Rng;
use proptest::prelude::*;
use serde::Deserialize;

use super::random;
use super::random::Printer;
use super::{Any, ItemLocation, ItemSource, decoded, items, sdk, wire, with_item};
use crate::codec::json::Scalar;
use crate::codec::overlay::{Overlay, Visible};
use crate::codec::tests::samples::{flat, nested, scalars};
use crate::codec::{Item, Rules, from_item, write_item};

/// An entity of some kind, most of whose attributes can be anything.
#[derive(Debug, PartialEq, Deserialize)]
#[allow(dead_code, reason = "compared as a whole")]
struct Typed {
    text: Option<String>,
    n: Option<f64>,
    list: Option<Vec<Any>>,
    map: Option<BTreeMap<String, Any>>,
    flag: Option<bool>,
    bytes: Option<Any>,
}

/// A page as DynamoDB would response, with members that nobody knows.
fn page(rng: &mut Rng, items: &[Item], loose: bool) -> String {
    let last = Item::from([("pk".to_owned(), random::attribute(rng, 0))]);
    let mut members: Vec<(&str, u8)> = vec![("Count", 0), ("Items", 1), ("ScannedCount", 0)];
    if rng.bool() {
        members.push(("LastEvaluatedKey", 2));
    }
    if rng.u8(..4) == 0 {
        members.push(("ConsumedCapacity", 3));
    }
    if loose && rng.bool() {
        members.push(("Unheard of", rng.u8(4..7)));
    }
    let count = items.len().to_string();
    let mut printer = Printer {
        rng,
        loose,
        out: String::new(),
    };
    printer.members(members, |printer, kind| match kind {
        0 => printer.out.push_str(&count),
        1 | 4 => printer.items(items),
        2 => printer.item(&last),
        3 => printer
            .out
            .push_str(r#"{"TableName":"t","CapacityUnits":128.5}"#),
        5 => printer.out.push_str(r#"[null,-1.5e3,{"a":"\"}"},[[]]]"#),
        _ => printer.out.push_str(r#""Items\":[""#),
    });
    printer.out
}

/// What the wire path accepts, it reads as the SDK does.
fn agrees(answer: &[u8]) -> bool {
    read_alike(answer).is_some()
}

/// The items of a response that the wire path accepts.
fn read_alike(answer: &[u8]) -> Option<Vec<Item>> {
    let (ours, rest) = wire::<BTreeMap<String, Any>>(answer).ok()?;
    let (theirs, rest) = (sdk(answer), sdk(rest.as_bytes()));
    // What is wrong beside the items, the SDK finds in the rest.
    let (Some(mut theirs), Some(rest)) = (theirs.clone(), rest.clone()) else {
        assert_eq!(theirs, rest, "{}", String::from_utf8_lossy(answer));
        return None;
    };
    let items = theirs.items.take().unwrap_or_default();
    assert_eq!(ours, decoded(&items).unwrap());
    assert_eq!(theirs, rest);
    Some(items)
}

/// 100,000 responses: 50,000 pages as they are, and corrupted.
#[test]
fn random_answers_are_read_as_the_sdk_reads_them() {
    let mut rng = Rng::with_seed(5);
    let (mut taken, mut typed) = (0, 0);
    for _ in 0..50_000 {
        let count = rng.usize(..3);
        let items: Vec<Item> = (0..count).map(|_| random::item(&mut rng)).collect();
        let loose = rng.bool();
        let mut answer = page(&mut rng, &items, loose).into_bytes();
        // Numbers beyond every type of serde are the one thing that is refused, by both paths.
        match read_alike(&answer) {
            Some(read) => assert_eq!(read, items),
            None => assert!(decoded::<BTreeMap<String, Any>>(&items).is_err()),
        }
        match (wire::<Typed>(&answer), decoded::<Typed>(&items)) {
            (Ok((ours, _)), theirs) => {
                typed += ours.len();
                assert_eq!(ours, theirs.unwrap());
            }
            (Err(_), theirs) => assert!(theirs.is_err()),
        }
        random::corrupt(&mut rng, &mut answer);
        taken += u32::from(agrees(&answer));
    }
    // Neither path refuses everything, so something was compared.
    assert!(taken > 5_000, "{taken}");
    assert!(typed > 5_000, "{typed}");
}

#[test]
fn no_beginning_of_an_answer_is_taken_for_a_whole_one() {
    let mut rng = Rng::with_seed(6);
    let items: Vec<Item> = (0..4).map(|_| random::item(&mut rng)).collect();
    let answer = page(&mut rng, &items, false);
    for end in 0..answer.len() {
        assert!(!agrees(&answer.as_bytes()[..end]), "{end}");
    }
}

proptest! {
    /// Every shape of serde comes out of the bytes as out of attributes.
    #[test]
    fn all_shapes_are_read(a in scalars(), b in nested(), c in flat(), seed: u64) {
        fn read<T>(value: &T, rng: &mut Rng)
        where
            T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
        {
            let mut item = Item::new();
            write_item(value, &mut item, Rules::default()).unwrap();
            let mut printer = Printer { loose: rng.bool(), rng, out: String::new() };
            printer.item(&item);
            #[expect(clippy::redundant_closure_for_method_calls, reason = "for any lifetime")]
            let ours: T = with_item(&printer.out, |item| item.read()).unwrap();
            assert_eq!(&ours, value);
        }
        let mut rng = Rng::with_seed(seed);
        read(&a, &mut rng);
        read(&b, &mut rng);
        read(&c, &mut rng);
    }
}

/// The same places and words: it is the same reader.
#[test]
fn errors_are_those_of_attributes() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "never read successfully")]
    struct Post {
        likes: u8,
        reactions: Vec<BTreeMap<String, u8>>,
    }
    let cases = [
        (
            r#"{"likes":{"N":"300"},"reactions":{"L":[]}}"#,
            "likes: expected u8, found a number out of range",
        ),
        (
            r#"{"likes":{"S":"7"}}"#,
            "likes: expected number, found string",
        ),
        (r#"{"reactions":{"L":[]}}"#, "missing attribute `likes`"),
        (
            r#"{"likes":{"N":"1"},"reactions":{"L":[{"M":{}},{"M":{"secret":{"SS":["a"]}}}]}}"#,
            "reactions[1].*: expected number, found string set",
        ),
    ];
    for (json, expected) in cases {
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "for any lifetime"
        )]
        let ours = with_item(json, |item| item.read::<Post>());
        assert_eq!(ours.unwrap_err().to_string(), expected);
        let answer = format!(r#"{{"Items":[{json}]}}"#);
        let mut theirs = sdk(answer.as_bytes()).unwrap().items.unwrap();
        let theirs = from_item::<Post>(theirs.remove(0)).unwrap_err();
        assert_eq!(theirs.to_string(), expected);
    }
}

#[test]
fn depth_has_a_limit() {
    let deep = |depth: usize| {
        let (open, close) = (r#"{"L":["#.repeat(depth), "]}".repeat(depth));
        format!(r#"{{"Items":[{{"a":{open}{close}}}]}}"#)
    };
    assert!(agrees(deep(32).as_bytes()));
    // The SDK goes deeper; DynamoDB does not.
    assert!(!agrees(deep(33).as_bytes()));
    assert!(!agrees(deep(100_000).as_bytes()));
}

#[test]
fn what_the_sdk_decides_is_left_to_it() {
    let cases = [
        // Null members, unknown types, and two types at once.
        r#"{"Items":[{"a":{"S":null,"N":"1"}}]}"#,
        r#"{"Items":[{"a":{"X":"1"}}]}"#,
        r#"{"Items":[{"a":{"S":"1","N":"1"}}]}"#,
        r#"{"Items":[{"a":{}}]}"#,
        r#"{"Items":[null]}"#,
        r#"{"Items":[],"Items":[]}"#,
        r#"{"Items":[]}{}"#,
        r#"{"Items":[],}"#,
        "",
        // White space that DynamoDB does not write.
        "{\n  \"Items\": []\n}",
        "{\"Items\":[{\"a\":{\"S\":\"a\u{1}b\"}}]}",
    ];
    for case in cases {
        assert!(
            wire::<BTreeMap<String, Any>>(case.as_bytes()).is_err(),
            "{case}"
        );
    }
    let (items, rest) = wire::<BTreeMap<String, Any>>(br#"{"Items":null,"Count":0}"#).unwrap();
    assert_eq!(
        (items.len(), rest.as_str()),
        (0, r#"{"Count":0,"Items":null}"#)
    );
}

#[test]
fn items_are_found_in_every_kind_of_answer() {
    let found = |answer: &str, place: ItemLocation| {
        let mut found = Vec::new();
        let rest = items(answer, place, |item| {
            found.push(item.map(|item| match item.scalar("a") {
                Some(Scalar::S(text) | Scalar::N(text)) => text.into_owned(),
                _ => String::new(),
            }));
            Ok(())
        });
        (found, rest.unwrap())
    };
    let [one, two] = [Some("1".to_owned()), Some("2".to_owned())];
    assert_eq!(
        found(
            r#"{"Attributes":{"a":{"S":"1"}},"ConsumedCapacity":{}}"#,
            ItemLocation::One("Attributes")
        ),
        (vec![one.clone()], r#"{"ConsumedCapacity":{}}"#.to_owned())
    );
    assert_eq!(
        found("{}", ItemLocation::One("Item")),
        (vec![], "{}".to_owned())
    );
    assert_eq!(
        found(
            r#"{"UnprocessedKeys":{},"Responses":{"t":[{"a":{"S":"1"}}],"u":[{"a":{"N":"2"}}]}}"#,
            ItemLocation::PerTable
        ),
        (
            vec![one.clone(), two.clone()],
            r#"{"UnprocessedKeys":{}}"#.to_owned()
        )
    );
    assert_eq!(
        found(
            r#"{"Responses":[{"Item":{"a":{"S":"1"}}},{},{"Item":{"a":{"S":"2"}}}]}"#,
            ItemLocation::Each
        ),
        (vec![one, None, two], "{}".to_owned())
    );
}

#[test]
fn attributes_of_keys_are_found_without_reading_the_item() {
    let json =
        r#"{"b":{"L":[{"S":"x"}]},"pk":{"S":"USER#\u0041"},"n":{"N":"7"},"bin":{"B":"AQI="}}"#;
    let check = |item: ItemSource<'_, '_>| {
        assert_eq!(item.scalar("pk"), Some(Scalar::S("USER#A".into())));
        assert_eq!(item.scalar("n"), Some(Scalar::N("7".into())));
        assert_eq!(item.scalar("bin"), Some(Scalar::B(vec![1, 2].into())));
        assert_eq!(item.scalar("b"), None);
        assert_eq!(item.scalar("x"), None);
    };
    with_item(json, |item| {
        check(item);
    });
    let mut map = sdk(format!(r#"{{"Items":[{json}]}}"#).as_bytes())
        .unwrap()
        .items
        .unwrap();
    check(ItemSource::map(map.remove(0)));
}

#[test]
fn patches_add_and_hide_attributes() {
    let json = r#"{"pk":{"S":"k"},"id":{"S":"stored"},"x":{"N":"1"}}"#;
    let overlay = || Overlay {
        added: Item::from([("id".to_owned(), crate::codec::to_value("given").unwrap())]),
        asked: Vec::new(),
        visible: Visible::AllBut(vec!["pk", "id"]),
    };
    let expected = BTreeMap::from([
        ("id".to_owned(), Any::Text("given".to_owned())),
        ("x".to_owned(), Any::Signed(1)),
    ]);
    let ours: BTreeMap<String, Any> = with_item(json, |item| item.read_with(overlay())).unwrap();
    assert_eq!(ours, expected);
    let mut map = sdk(format!(r#"{{"Items":[{json}]}}"#).as_bytes())
        .unwrap()
        .items
        .unwrap();
    let theirs: BTreeMap<String, Any> =
        ItemSource::map(map.remove(0)).read_with(overlay()).unwrap();
    assert_eq!(theirs, expected);
}
