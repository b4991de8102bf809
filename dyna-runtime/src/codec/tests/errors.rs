//! Messages that name the place and the problem, and none of the contents.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::net::Ipv4Addr;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::codec::{DecodeError, Item, Rules, from_value, to_value, write_item};

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only read through Debug")]
struct Message {
    reactions: Vec<Reaction>,
    by_user: HashMap<String, Reaction>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Reaction {
    count: u8,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only read through Debug")]
struct Strict {
    known: u8,
}

#[derive(Debug, Deserialize)]
enum Shape {
    #[serde(rename = "circle")]
    Circle,
    Square(#[allow(dead_code, reason = "only read through Debug")] Vec<u8>),
}

fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn n(digits: &str) -> AttributeValue {
    AttributeValue::N(digits.to_owned())
}

fn m<const N: usize>(entries: [(&str, AttributeValue); N]) -> AttributeValue {
    AttributeValue::M(entries.map(|(key, value)| (key.to_owned(), value)).into())
}

fn l<const N: usize>(elements: [AttributeValue; N]) -> AttributeValue {
    AttributeValue::L(elements.into())
}

#[track_caller]
fn refused<T: DeserializeOwned + Debug>(attribute: AttributeValue) -> DecodeError {
    from_value::<T>(attribute).unwrap_err()
}

#[track_caller]
fn assert_refused<T: DeserializeOwned + Debug>(attribute: AttributeValue, message: &str) {
    assert_eq!(refused::<T>(attribute).to_string(), message);
}

fn reaction(count: AttributeValue) -> AttributeValue {
    m([("count", count)])
}

#[test]
fn path_leads_to_the_attribute() {
    let reactions = l([reaction(n("1")), reaction(n("2")), reaction(s("three"))]);
    let error = refused::<Message>(m([("reactions", reactions), ("by_user", m([]))]));
    assert_eq!(
        error.to_string(),
        "reactions[2].count: expected number, found string"
    );
    assert_eq!(error.path(), "reactions[2].count");
    assert_eq!(error.problem(), "expected number, found string");
    assert_eq!(
        format!("{error:?}"),
        r#"DecodeError { path: "reactions[2].count", problem: "expected number, found string" }"#
    );
}

#[test]
fn keys_of_maps_are_not_named() {
    let by_user = m([("ann@example.org", reaction(AttributeValue::Null(true)))]);
    assert_refused::<Message>(
        m([("reactions", l([])), ("by_user", by_user)]),
        "by_user.*.count: expected number, found null",
    );
    assert_refused::<BTreeMap<u32, u8>>(
        m([("secret", n("1"))]),
        "expected u32 as the key of a map, found another string",
    );
}

#[test]
fn numbers_out_of_range_say_so() {
    assert_refused::<u8>(n("300"), "expected u8, found a number out of range");
    assert_refused::<u8>(n("-1"), "expected u8, found a number out of range");
    assert_refused::<i64>(n("1.5"), "expected i64, found a number with a fraction");
    assert_refused::<f64>(n("secret"), "expected f64, found a malformed number");
}

#[test]
fn missing_attribute_is_named_at_its_parent() {
    assert_refused::<Vec<Reaction>>(l([m([])]), "[0]: missing attribute `count`");
    assert_refused::<Reaction>(m([]), "missing attribute `count`");
}

#[test]
fn variants_are_listed_and_the_found_one_is_not() {
    let expected = "unknown variant, expected one of `circle`, `Square`";
    assert_refused::<Shape>(s("secret"), expected);
    assert_refused::<Shape>(m([("secret", n("1"))]), expected);
    assert_refused::<Shape>(m([]), "expected a map of one entry");
    assert_refused::<Shape>(n("1"), "expected string or map, found number");
    assert_refused::<Shape>(
        m([("Square", l([n("1"), n("256")]))]),
        "Square[1]: expected u8, found a number out of range",
    );
}

#[test]
fn unknown_attribute_is_not_named() {
    assert_refused::<Strict>(
        m([("secret", n("1"))]),
        "unknown attribute, expected `known`",
    );
}

#[test]
fn kinds_are_named() {
    assert_refused::<String>(
        AttributeValue::Ss(vec!["secret".to_owned()]),
        "expected string, found string set",
    );
    assert_refused::<bool>(s("secret"), "expected boolean, found string");
    assert_refused::<char>(s("secret"), "expected a character, found another string");
    assert_refused::<()>(s("secret"), "expected null, found string");
    assert_refused::<Vec<u8>>(s("secret"), "expected list, found string");
    assert_refused::<Reaction>(s("secret"), "expected map, found string");
    assert_refused::<serde_bytes::ByteBuf>(s("secret"), "expected binary, found string");
    assert_refused::<(u8, u8)>(l([n("1")]), "expected a tuple of size 2, found length 1");
}

#[test]
fn no_contents_in_messages() {
    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only read through Debug")]
    enum Untagged {
        Number(u8),
        Flag(bool),
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only read through Debug")]
    struct Flat {
        #[serde(flatten)]
        reaction: Reaction,
    }

    #[derive(Debug, Deserialize)]
    #[serde(tag = "type")]
    #[allow(dead_code, reason = "only read through Debug")]
    enum Internal {
        One { count: u8 },
    }

    const SECRETS: [&str; 3] = ["51966", "s3cret", "-9223372036854775808000"];
    for secret in SECRETS {
        for attribute in [s(secret), n(secret)] {
            let errors = [
                refused::<u8>(attribute.clone()),
                refused::<bool>(attribute.clone()),
                refused::<Shape>(attribute.clone()),
                refused::<Untagged>(attribute.clone()),
                refused::<Ipv4Addr>(attribute.clone()),
                refused::<std::num::NonZeroU8>(attribute.clone()),
                refused::<Flat>(reaction(attribute.clone())),
                refused::<Internal>(m([("type", attribute.clone()), ("count", n("1"))])),
                refused::<Internal>(m([("type", s("One")), ("count", attribute.clone())])),
                refused::<HashMap<String, u8>>(m([(secret, attribute.clone())])),
                refused::<BTreeMap<u8, u8>>(m([(secret, attribute.clone())])),
                refused::<Strict>(m([(secret, attribute)])),
            ];
            for error in errors {
                let shown = format!("{error} {error:?}");
                assert!(!shown.contains(secret), "{shown}");
            }
        }
    }
}

#[test]
fn messages_of_types_are_told_when_asked() {
    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only read through Debug")]
    enum Loose {
        Flag(bool),
    }

    #[derive(Debug, Deserialize, Serialize)]
    #[serde(try_from = "u8")]
    struct Even(#[serde(serialize_with = "refuse")] u8);

    impl TryFrom<u8> for Even {
        type Error = String;

        fn try_from(odd: u8) -> Result<Self, Self::Error> {
            Err(format!("{odd} must be even"))
        }
    }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
    fn refuse<S: serde::Serializer>(odd: &u8, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom(format!("{odd} must be even")))
    }

    let error = refused::<Vec<Even>>(l([n("51")]));
    assert_eq!(error.reveal(), "[0]: 51 must be even");
    assert_eq!(error.path(), "[0]");
    let shown = format!("{error} {error:?} {}", error.problem());
    assert!(!shown.contains("51"), "{shown}");
    assert!(shown.contains("DecodeError::reveal"), "{shown}");

    let error = to_value(&[Even(51)]).unwrap_err();
    assert_eq!(error.reveal(), "[0]: 51 must be even");
    let shown = format!("{error} {error:?} {}", error.problem());
    assert!(!shown.contains("51"), "{shown}");
    assert!(shown.contains("EncodeError::reveal"), "{shown}");

    // What Dyna says itself has no contents, and what serde makes of the names of types has none.
    let error = refused::<u8>(n("300"));
    assert_eq!(error.reveal(), error.to_string());
    let year = crate::key::KeyErrorKind::YearOutOfRange.to_string();
    let error = <crate::codec::EncodeError as serde::ser::Error>::custom(&year);
    assert_eq!(error.to_string(), year);
    assert_refused::<Loose>(
        n("51"),
        "data did not match any variant of untagged enum Loose",
    );
}

#[test]
fn what_is_no_number_is_malformed() {
    for text in ["NaN", "inf", "-infinity", "", "1e"] {
        assert_refused::<u8>(n(text), "expected u8, found a malformed number");
        assert_refused::<f64>(n(text), "expected f64, found a malformed number");
        assert_refused::<serde_json::Value>(n(text), "expected number, found a malformed number");
    }
    assert_refused::<f64>(n("1E999"), "expected f64, found a number out of range");
    assert_refused::<f32>(n("1E99"), "expected f32, found a number out of range");
    assert_refused::<i64>(n("1E999"), "expected i64, found a number out of range");
    assert_refused::<u8>(n("1E-7"), "expected u8, found a number with a fraction");
}

#[test]
fn what_cannot_be_written_is_located() {
    #[derive(Serialize)]
    enum Reading {
        Pair(u8, f64),
        Named { value: f32 },
        One(f64),
    }

    #[derive(Serialize)]
    struct Log {
        readings: Vec<Reading>,
    }

    let written = |reading| {
        let log = Log {
            readings: vec![Reading::One(0.5), reading],
        };
        let value = to_value(&log).unwrap_err();
        let item = write_item(&log, &mut Item::new(), Rules::default()).unwrap_err();
        assert_eq!(value.to_string(), item.to_string());
        value.path()
    };
    assert_eq!(written(Reading::Pair(1, f64::NAN)), "readings[1].Pair[1]");
    assert_eq!(
        written(Reading::Named {
            value: f32::INFINITY
        }),
        "readings[1].Named.value"
    );
    assert_eq!(written(Reading::One(f64::NEG_INFINITY)), "readings[1].One");

    let by_name = BTreeMap::from([("secret", f64::NAN)]);
    assert_eq!(
        to_value(&by_name).unwrap_err().to_string(),
        "*: expected a finite number, found NaN or infinity"
    );
}

#[test]
fn keys_that_are_no_text_are_errors() {
    for error in [
        to_value(&BTreeMap::from([((1, 2), 3)])).unwrap_err(),
        to_value(&BTreeMap::from([(vec![1], 3)])).unwrap_err(),
        to_value(&BTreeMap::from([(Some(1), 3)])).unwrap_err(),
        to_value(&BTreeMap::from([((), 3)])).unwrap_err(),
        to_value(&BTreeMap::from([(BTreeMap::from([(1, 2)]), 3)])).unwrap_err(),
    ] {
        assert!(error.problem().contains("as the key of a map"), "{error}");
    }
}

#[test]
fn only_structs_and_maps_are_items() {
    let written = |error: Result<(), crate::codec::EncodeError>| error.unwrap_err().to_string();
    let item = &mut Item::new();
    assert_eq!(
        written(write_item("secret", item, Rules::default())),
        "expected a struct or a map, found string"
    );
    assert_eq!(
        written(write_item(&[1, 2], item, Rules::default())),
        "expected a struct or a map, found list"
    );
    assert_eq!(
        written(write_item(&None::<Reaction>, item, Rules::default())),
        "expected a struct or a map, found null"
    );
    write_item(&Some(Reaction { count: 1 }), item, Rules::default()).unwrap();
    assert_eq!(item.len(), 1);
}

#[test]
fn errors_are_as_small_as_a_pointer() {
    assert_eq!(size_of::<DecodeError>(), size_of::<usize>());
}
