//! The types of fields that have a shape of their own, and what must be stored of each.

use super::plain::{Item, Plain, map, number, text};
use super::rng::Rng;
use dyna_runtime::DynaFields;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// More digits than an `f64` holds: `12345678901234567.89`.
pub(crate) const LONG: Decimal = Decimal::from_parts(0x7de9_8115, 0x1122_10f4, 0, false, 2);

/// What a flattened map holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Any {
    Text(String),
    Amount(#[serde(with = "dyna_runtime::serde::decimal")] Decimal),
}

impl Any {
    pub(crate) fn make(rng: &mut Rng) -> Self {
        match rng.below(2) {
            0 => Self::Text(rng.text()),
            _ => Self::Amount(rng.deep_decimal()),
        }
    }

    pub(crate) fn stored(&self) -> Plain {
        match self {
            Self::Text(one) => text(one),
            Self::Amount(amount) => number(amount),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Inner {
    pub(crate) left: String,
    pub(crate) right: Option<i64>,
    #[serde(with = "dyna_runtime::serde::decimal")]
    pub(crate) net_amount: Decimal,
}

impl Inner {
    pub(crate) fn make(rng: &mut Rng) -> Self {
        Self {
            left: rng.text(),
            right: rng.option(|_| i64::MAX),
            net_amount: rng.deep_decimal(),
        }
    }

    pub(crate) fn store(&self, item: &mut Item) {
        item.insert("left", text(&self.left));
        item.option("right", self.right.map(number));
        item.insert("netAmount", number(self.net_amount));
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(crate) enum Shape {
    Circle {
        #[serde(with = "dyna_runtime::serde::decimal")]
        radius: Decimal,
    },
    Square {
        side: i64,
        label: Option<String>,
    },
    Empty,
}

impl Shape {
    pub(crate) fn make(rng: &mut Rng) -> Self {
        match rng.below(3) {
            0 => Self::Circle {
                radius: rng.deep_decimal(),
            },
            1 => Self::Square {
                side: i64::MIN,
                label: rng.option(Rng::text),
            },
            _ => Self::Empty,
        }
    }

    pub(crate) fn stored(&self) -> Plain {
        match self {
            Self::Circle { radius } => map([
                ("type", Some(text("circle"))),
                ("radius", Some(number(radius))),
            ]),
            Self::Square { side, label } => map([
                ("type", Some(text("square"))),
                ("side", Some(number(side))),
                ("label", label.as_deref().map(text)),
            ]),
            Self::Empty => map([("type", Some(text("empty")))]),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Addr {
    pub(crate) city: String,
    pub(crate) zip_code: u32,
    pub(crate) line: Option<String>,
}

impl Addr {
    pub(crate) fn make(rng: &mut Rng) -> Self {
        Self {
            city: rng.word(),
            zip_code: *rng.pick(&[0, 8_000, 99_999]),
            line: rng.option(Rng::text),
        }
    }

    pub(crate) fn stored(&self) -> Plain {
        map([
            ("city", Some(text(&self.city))),
            ("zipCode", Some(number(self.zip_code))),
            ("line", self.line.as_deref().map(text)),
        ])
    }
}

/// Options inside of options.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Deep {
    pub(crate) a: Option<i64>,
    pub(crate) b: Option<Box<Deep>>,
}

impl Deep {
    pub(crate) fn make(rng: &mut Rng) -> Self {
        Self {
            a: rng.option(|_| 0),
            b: rng.option(|rng| {
                let a = rng.option(|_| -1);
                Box::new(Self { a, b: None })
            }),
        }
    }

    pub(crate) fn stored(&self) -> Plain {
        map([
            ("a", self.a.map(number)),
            ("b", self.b.as_deref().map(Self::stored)),
        ])
    }
}

/// The bucket of a text: its length.
pub(crate) fn bucket(text: &str) -> usize {
    text.len()
}

/// A set with at least one element: an update cannot set an empty one.
pub(crate) fn full<T: Ord + Clone>(set: &BTreeSet<T>, one: T) -> BTreeSet<T> {
    if set.is_empty() {
        BTreeSet::from([one])
    } else {
        set.clone()
    }
}

/// An encoding that the library does not know: bytes as text.
pub(crate) mod hex {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(crate) fn text(bytes: &[u8]) -> String {
        let digit = |half: u8| char::from_digit(half.into(), 16).unwrap();
        let digits = bytes
            .iter()
            .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
        digits.collect()
    }

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&text(bytes))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        let pairs = text.as_bytes().chunks(2);
        let bytes = pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok());
        let bytes: Option<_> = bytes.collect();
        bytes.ok_or_else(|| D::Error::custom("no hex digits"))
    }
}

#[test]
fn long_decimal_has_the_stated_digits() {
    assert_eq!(LONG.to_string(), "12345678901234567.89");
}

/// A function of templates: `None` leaves the item out of the index.
pub(crate) fn rank(level: &u32, class: &Option<String>) -> Option<String> {
    let class = class.as_deref()?;
    (*level > 0).then(|| format!("{level}-{class}"))
}
