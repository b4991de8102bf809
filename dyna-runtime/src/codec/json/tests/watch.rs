//! Attributes that are noted on the way: the same values are read, whatever the order of the attributes, and what was noted is right.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Any;
use crate::codec::json::{self, DecodeFailed, ItemLocation, ItemSink, ItemSource, KnownKey, Watch};

/// Names of each length that keys are compared by, of which `pk` and the like are nested too.
const NAMES: [&str; 9] = [
    "pk",
    "sk",
    "entity_type",
    "p",
    "body",
    "a_name_of_19_bytes_",
    "a_name_of_twenty_20b",
    "a_name_of_twenty_20c",
    "a name that is longer than what is compared",
];
const WATCHED: [&str; 3] = ["entity_type", "sk", "pk"];

#[derive(Debug, PartialEq, Deserialize)]
struct Post {
    p: Option<String>,
    body: Option<BTreeMap<String, Any>>,
    #[serde(rename = "a_name_of_twenty_20b")]
    long: Option<String>,
}

/// It reads an attribute that is watched for.
#[derive(Debug, PartialEq, Deserialize)]
struct Keyed {
    pk: Option<String>,
    #[serde(alias = "entity_type")]
    kind: Option<String>,
}

/// Takes the values of a response, and what was noted of each item.
struct Seen<'w, 'a, T> {
    watch: Option<&'w Watch>,
    answer: &'a str,
    values: Vec<T>,
    noted: Vec<[Option<String>; 3]>,
}

impl<T: DeserializeOwned> ItemSink for Seen<'_, '_, T> {
    fn expect(&mut self, _: usize) {}

    fn take(&mut self, item: ItemSource<'_, '_>) -> Result<(), DecodeFailed> {
        if let Some(watch) = self.watch {
            watch.begin();
        }
        self.values.push(item.read().map_err(|_| DecodeFailed)?);
        if let Some(watch) = self.watch {
            let text = |n| watch.text::<b'S'>(n, self.answer).map(str::to_owned);
            self.noted.push([0, 1, 2].map(text));
        }
        Ok(())
    }
}

/// The values of a response, and what was noted of each item.
fn read<T: DeserializeOwned>(
    answer: &str,
    watch: Option<&Watch>,
) -> (Vec<T>, Vec<[Option<String>; 3]>) {
    let mut seen = Seen {
        watch,
        answer,
        values: Vec::new(),
        noted: Vec::new(),
    };
    let read = json::read(answer, ItemLocation::Many("Items"), watch, &mut seen);
    assert!(read.is_ok(), "{answer}");
    (seen.values, seen.noted)
}

/// The same values with and without a watch, and what is noted.
fn compare<T: DeserializeOwned + std::fmt::Debug + PartialEq>(
    answer: &str,
    expected: &[[Option<String>; 3]],
) {
    // Keys are learned from the first item if more of them are expected.
    for items in [0, 9] {
        let watch = Watch::new(WATCHED);
        watch.expect(items);
        let (values, noted) = read::<T>(answer, Some(&watch));
        assert_eq!(values, read::<T>(answer, None).0, "{answer}");
        assert_eq!(noted, expected, "{answer}");
    }
}

#[test]
fn a_known_text_is_the_whole_text_of_an_attribute() {
    // Of each length that texts are compared by, and too long for that.
    let texts = [
        "",
        "u",
        "user",
        "users",
        "user_settings",
        "user_settings_of_x",
        "user_settings_of_y",
    ];
    for (text, stored) in texts.iter().flat_map(|text| texts.map(|it| (text, it))) {
        for behind in ["}", "                        }"] {
            let answer = format!(r#"{{"entity_type":{{"S":"{stored}"}}{behind}"#);
            let watch = Watch::new(WATCHED);
            watch.see(0, 15);
            let is_found = watch.is_known(0, &KnownKey::text(text), &answer);
            let is_near = behind.len() > 1 && text.len() <= 16;
            assert_eq!(is_found, is_near && *text == stored, "{text} in {answer}");
            assert_eq!(watch.is(0, text, &answer), *text == stored);
            assert!(!watch.is_known(1, &KnownKey::text(text), &answer));
        }
    }
}

#[test]
fn what_is_noted_and_read_does_not_depend_on_the_order() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..2_000 {
        let (mut items, mut expected) = (Vec::new(), Vec::new());
        let mut names = NAMES.to_vec();
        for n in 0..random.usize(1..6) {
            // Mostly in the order of the item before.
            if random.u8(0..4) == 0 {
                random.shuffle(&mut names);
            }
            let (mut attributes, mut noted) = (Vec::new(), [None, None, None]);
            for name in &names {
                if random.u8(0..6) == 0 {
                    continue;
                }
                let value = format!("{n}{}", "x".repeat(random.usize(0..30)));
                let space = if random.u8(0..40) == 0 { " " } else { "" };
                let value = match (*name, random.u8(0..4)) {
                    ("body", _) => {
                        format!(r#"{{"M":{{"pk":{{"S":"{value}"}},"sk":{{"S":"n"}}}}}}"#)
                    }
                    (name, kind) => {
                        let at = WATCHED.iter().position(|watched| *watched == name);
                        // With an escape, or behind white space, it is no plain text.
                        let value = if kind == 0 {
                            format!("{value}\\n")
                        } else {
                            value
                        };
                        if let (Some(at), 1.., "") = (at, kind, space) {
                            noted[at] = Some(value.clone());
                        }
                        format!(r#"{{"S":"{value}"}}"#)
                    }
                };
                attributes.push(format!(r#""{name}":{space}{value}"#));
            }
            items.push(format!("{{{}}}", attributes.join(",")));
            expected.push(noted);
        }
        let answer = format!(r#"{{"Items":[{}],"Count":1}}"#, items.join(","));
        compare::<Post>(&answer, &expected);
        compare::<Keyed>(&answer, &expected);
        compare::<BTreeMap<String, Any>>(&answer, &expected);
    }
}

#[test]
fn an_attribute_that_cannot_be_passed_over_is_an_error() {
    let good = r#"{"pk":{"S":"a"},"p":{"S":"b"}}"#;
    let bad = r#"{"pk":{"S":1},"p":{"S":"b"}}"#;
    for items in [bad.to_owned(), format!("{good},{good},{bad}")] {
        let answer = format!(r#"{{"Items":[{items}]}}"#);
        let watch = Watch::new(WATCHED);
        let mut seen = Seen::<Post> {
            watch: Some(&watch),
            answer: &answer,
            values: Vec::new(),
            noted: Vec::new(),
        };
        let read = json::read(
            &answer,
            ItemLocation::Many("Items"),
            Some(&watch),
            &mut seen,
        );
        assert!(read.is_err());
    }
}
