//! A type for every shape that serde knows, and strategies for their values.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use proptest::collection::{btree_map, hash_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::codec) struct Scalars {
    small: (i8, i16, i32, i64),
    large: (u8, u16, u32, u64),
    size: usize,
    single: f32,
    double: f64,
    flag: bool,
    letter: char,
    text: String,
    nothing: (),
    bytes: ByteBuf,
    maybe: Option<i64>,
    #[allow(clippy::option_option, reason = "the shape under test")]
    twice: Option<Option<bool>>,
}

pub(in crate::codec) fn scalars() -> impl Strategy<Value = Scalars> {
    let floats = (finite_f32(), finite_f64());
    let text = (any::<char>(), any::<String>(), vec(any::<u8>(), 0..9));
    let options = (any::<Option<i64>>(), any::<Option<bool>>());
    (
        any::<(i8, i16, i32, i64)>(),
        any::<(u8, u16, u32, u64, usize, bool)>(),
        floats,
        text,
        options,
    )
        .prop_map(
            |(
                small,
                (a, b, c, d, size, flag),
                (single, double),
                (letter, text, bytes),
                (maybe, inner),
            )| Scalars {
                small,
                large: (a, b, c, d),
                size,
                single,
                double,
                flag,
                letter,
                text,
                nothing: (),
                bytes: ByteBuf::from(bytes),
                maybe,
                // `Some(None)` is NULL as well, and would come back as `None`.
                twice: inner.map(Some),
            },
        )
}

fn finite_f32() -> impl Strategy<Value = f32> {
    use prop::num::f32::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO
}

pub(super) fn finite_f64() -> impl Strategy<Value = f64> {
    use prop::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    // What DynamoDB does not store is brought nearer.
    let storable = |float: f64| match float.abs() {
        0.0 => float,
        small if small < 1e-130 => float * 1e200,
        large if large >= 1e126 => float / 1e200,
        _ => float,
    };
    prop_oneof![
        (POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO)
            .prop_map(storable)
            .prop_map(storable),
        any::<i32>().prop_map(f64::from)
    ]
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Unit;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Id(u32);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Pair(String, f64);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Colour {
    DeepRed,
    Green,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum External {
    Unit,
    Newtype(Id),
    Tuple(u8, String),
    Struct { id: Id, note: Option<String> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub(super) enum Internal {
    Unit,
    Newtype(Point),
    Struct { count: i64, ratio: f64 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
pub(super) enum Adjacent {
    Unit,
    Newtype(Vec<String>),
    Tuple(u8, bool),
    Struct { point: Point },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Untagged {
    Flag(bool),
    Unsigned(u64),
    Signed(i64),
    Text(String),
    // Before `Point`, which can be read from a list as well.
    List(Vec<i32>),
    Point(Point),
    Nothing(()),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Point {
    x: i32,
    #[serde(rename = "why")]
    y: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::codec) struct Nested {
    unit: Unit,
    id: Id,
    pair: Pair,
    points: Vec<Point>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    enums: Vec<(External, Internal, Adjacent, Untagged)>,
    by_name: HashMap<String, Point>,
    by_number: BTreeMap<i32, Option<String>>,
    by_id: BTreeMap<Id, u8>,
    by_colour: BTreeMap<Colour, u8>,
    by_letter: BTreeMap<char, u8>,
    by_flag: BTreeMap<bool, u8>,
    by_huge: BTreeMap<u128, u8>,
    array: [i16; 3],
    #[serde(skip)]
    scratch: u8,
    #[serde(default)]
    boxed: Option<Box<Point>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::codec) struct Flat {
    id: Id,
    #[serde(flatten)]
    point: Point,
    #[serde(flatten)]
    kind: Internal,
    #[serde(flatten)]
    pub(super) variant: Option<Adjacent>,
    nested: Wrapped,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Wrapped {
    colour: Colour,
    #[serde(flatten)]
    rest: HashMap<String, Untagged>,
}

pub(super) fn point() -> impl Strategy<Value = Point> {
    (any::<i32>(), finite_f64()).prop_map(|(x, y)| Point { x, y })
}

fn id() -> impl Strategy<Value = Id> {
    any::<u32>().prop_map(Id)
}

fn colour() -> impl Strategy<Value = Colour> {
    prop_oneof![Just(Colour::DeepRed), Just(Colour::Green)]
}

pub(super) fn external() -> impl Strategy<Value = External> {
    prop_oneof![
        Just(External::Unit),
        id().prop_map(External::Newtype),
        any::<(u8, String)>().prop_map(|(a, b)| External::Tuple(a, b)),
        (id(), any::<Option<String>>()).prop_map(|(id, note)| External::Struct { id, note }),
    ]
}

pub(super) fn internal() -> impl Strategy<Value = Internal> {
    prop_oneof![
        Just(Internal::Unit),
        point().prop_map(Internal::Newtype),
        (any::<i64>(), finite_f64()).prop_map(|(count, ratio)| Internal::Struct { count, ratio }),
    ]
}

pub(super) fn adjacent() -> impl Strategy<Value = Adjacent> {
    prop_oneof![
        Just(Adjacent::Unit),
        vec(any::<String>(), 0..3).prop_map(Adjacent::Newtype),
        any::<(u8, bool)>().prop_map(|(a, b)| Adjacent::Tuple(a, b)),
        point().prop_map(|point| Adjacent::Struct { point }),
    ]
}

pub(super) fn untagged() -> impl Strategy<Value = Untagged> {
    prop_oneof![
        any::<bool>().prop_map(Untagged::Flag),
        any::<u64>().prop_map(Untagged::Unsigned),
        (i64::MIN..0).prop_map(Untagged::Signed),
        any::<String>().prop_map(Untagged::Text),
        point().prop_map(Untagged::Point),
        vec(any::<i32>(), 0..3).prop_map(Untagged::List),
        Just(Untagged::Nothing(())),
    ]
}

pub(in crate::codec) fn nested() -> impl Strategy<Value = Nested> {
    let enums = vec((external(), internal(), adjacent(), untagged()), 0..3);
    let simple = (
        id(),
        any::<String>(),
        finite_f64(),
        vec(point(), 0..3),
        enums,
    );
    let maps = (
        hash_map(".+", point(), 0..3),
        btree_map(any::<i32>(), any::<Option<String>>(), 0..3),
        btree_map(id(), any::<u8>(), 0..3),
        btree_map(colour(), any::<u8>(), 0..3),
        btree_map(any::<char>(), any::<u8>(), 0..3),
        btree_map(any::<bool>(), any::<u8>(), 0..3),
        btree_map(any::<u128>(), any::<u8>(), 0..3),
    );
    (simple, maps, any::<[i16; 3]>(), option::of(point())).prop_map(
        |((id, text, number, points, enums), maps, array, boxed)| Nested {
            unit: Unit,
            id,
            pair: Pair(text, number),
            points,
            enums,
            by_name: maps.0,
            by_number: maps.1,
            by_id: maps.2,
            by_colour: maps.3,
            by_letter: maps.4,
            by_flag: maps.5,
            by_huge: maps.6,
            array,
            scratch: 0,
            boxed: boxed.map(Box::new),
        },
    )
}

pub(in crate::codec) fn flat() -> impl Strategy<Value = Flat> {
    let names = "[a-z]{3}";
    let nested = (colour(), hash_map(names, untagged(), 0..4))
        .prop_map(|(colour, rest)| Wrapped { colour, rest });
    (id(), point(), internal(), option::of(adjacent()), nested)
        // Both have fields named `x` and `why`, and the last one written would count.
        .prop_filter("no name twice", |(_, _, kind, ..)| {
            !matches!(kind, Internal::Newtype(_))
        })
        .prop_map(|(id, point, kind, variant, nested)| Flat {
            id,
            point,
            kind,
            variant,
            nested,
        })
}

/// Any attribute, with contents that types often ask for.
pub(super) fn attribute() -> impl Strategy<Value = AttributeValue> {
    let name = prop_oneof![
        "[a-c]",
        Just("Unit".to_owned()),
        Just("x".to_owned()),
        Just("why".to_owned()),
        any::<i8>().prop_map(|n| n.to_string())
    ];
    let number = prop_oneof![
        any::<i8>().prop_map(|n| n.to_string()),
        any::<i128>().prop_map(|n| n.to_string()),
        finite_f64().prop_map(|n| n.to_string()),
        Just("-0".to_owned()),
        Just("1E+3".to_owned()),
    ];
    // Never UTF-8: `serde_dynamo` reads the elements of a binary set, but not those of a list, as strings.
    let blob = vec(any::<u8>(), 0..4).prop_map(|rest| Blob::new([vec![0xff], rest].concat()));
    let leaf = prop_oneof![
        name.clone().prop_map(AttributeValue::S),
        number.clone().prop_map(AttributeValue::N),
        vec(any::<u8>(), 0..4).prop_map(|bytes| AttributeValue::B(Blob::new(bytes))),
        any::<bool>().prop_map(AttributeValue::Bool),
        Just(AttributeValue::Null(true)),
        vec(name.clone(), 1..3).prop_map(AttributeValue::Ss),
        vec(number, 1..3).prop_map(AttributeValue::Ns),
        vec(blob, 1..3).prop_map(AttributeValue::Bs),
    ];
    leaf.prop_recursive(3, 24, 4, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(AttributeValue::L),
            hash_map(name.clone(), inner, 0..4).prop_map(AttributeValue::M),
        ]
    })
}
