//! Attributes as the model writes them: by hand, without the library's codec, and comparable.

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use serde_bytes::ByteBuf;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Display;

/// An attribute. Equal numbers are equal, and sets have no order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Plain {
    Null,
    Bool(bool),
    S(String),
    N(String),
    B(Vec<u8>),
    L(Vec<Plain>),
    M(BTreeMap<String, Plain>),
    Ss(BTreeSet<String>),
    Ns(BTreeSet<String>),
    Bs(BTreeSet<Vec<u8>>),
}

/// An item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Item(pub(crate) BTreeMap<String, Plain>);

impl Item {
    pub(crate) fn insert(&mut self, name: &str, value: Plain) {
        self.0.insert(name.to_owned(), value);
    }

    /// `None` is not stored.
    pub(crate) fn option(&mut self, name: &str, value: Option<Plain>) {
        self.0.extend(value.map(|value| (name.to_owned(), value)));
    }

    pub(crate) fn text(&self, name: &str) -> String {
        match self.0.get(name) {
            Some(Plain::S(text)) => text.clone(),
            other => panic!("{name} is {other:?}"),
        }
    }

    pub(crate) fn of_raw(raw: HashMap<String, AttributeValue>) -> Self {
        let entries = raw
            .into_iter()
            .map(|(name, value)| (name, Plain::of(value)));
        Self(entries.collect())
    }

    pub(crate) fn into_raw(self) -> HashMap<String, AttributeValue> {
        let entries = self.0.into_iter();
        entries.map(|(name, value)| (name, value.raw())).collect()
    }

    /// The item without NULL in the place of an absent field, and whether there was one.
    pub(crate) fn without_nulls(self) -> (Self, bool) {
        match Plain::M(self.0.clone()).without_nulls() {
            Plain::M(entries) => {
                let dropped = entries != self.0;
                (Self(entries), dropped)
            }
            _ => (self, false),
        }
    }
}

impl Plain {
    fn of(value: AttributeValue) -> Self {
        match value {
            AttributeValue::Null(_) => Self::Null,
            AttributeValue::Bool(value) => Self::Bool(value),
            AttributeValue::S(text) => Self::S(text),
            AttributeValue::N(number) => Self::N(normal(&number)),
            AttributeValue::B(bytes) => Self::B(bytes.into_inner()),
            AttributeValue::L(list) => Self::L(list.into_iter().map(Self::of).collect()),
            AttributeValue::M(map) => {
                Self::M(map.into_iter().map(|(k, v)| (k, Self::of(v))).collect())
            }
            AttributeValue::Ss(set) => Self::Ss(set.into_iter().collect()),
            AttributeValue::Ns(set) => Self::Ns(set.iter().map(|one| normal(one)).collect()),
            AttributeValue::Bs(set) => Self::Bs(set.into_iter().map(Blob::into_inner).collect()),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn raw(self) -> AttributeValue {
        match self {
            Self::Null => AttributeValue::Null(true),
            Self::Bool(value) => AttributeValue::Bool(value),
            Self::S(text) => AttributeValue::S(text),
            Self::N(number) => AttributeValue::N(number),
            Self::B(bytes) => AttributeValue::B(Blob::new(bytes)),
            Self::L(list) => AttributeValue::L(list.into_iter().map(Self::raw).collect()),
            Self::M(map) => AttributeValue::M(map.into_iter().map(|(k, v)| (k, v.raw())).collect()),
            Self::Ss(set) => AttributeValue::Ss(set.into_iter().collect()),
            Self::Ns(set) => AttributeValue::Ns(set.into_iter().collect()),
            Self::Bs(set) => AttributeValue::Bs(set.into_iter().map(Blob::new).collect()),
        }
    }

    fn without_nulls(self) -> Self {
        match self {
            Self::M(map) => {
                let entries = map.into_iter().filter(|(_, value)| *value != Self::Null);
                Self::M(entries.map(|(k, v)| (k, v.without_nulls())).collect())
            }
            Self::L(list) => Self::L(list.into_iter().map(Self::without_nulls).collect()),
            other => other,
        }
    }
}

/// A number as it is written when no digit is needless: `12E-1`.
pub(crate) fn normal(number: &str) -> String {
    let (sign, digits) = match number.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", number.trim_start_matches('+')),
    };
    let (digits, power) = match digits.split_once(['e', 'E']) {
        Some((digits, power)) => (digits, power.parse::<i64>().unwrap()),
        None => (digits, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    let power = power - i64::try_from(fraction.len()).unwrap();
    let short = all.trim_end_matches('0');
    let power = power + i64::try_from(all.len() - short.len()).unwrap();
    match short.trim_start_matches('0') {
        "" => "0".to_owned(),
        short => format!("{sign}{short}E{power}"),
    }
}

pub(crate) fn text(text: &str) -> Plain {
    Plain::S(text.to_owned())
}

pub(crate) fn number(number: impl Display) -> Plain {
    Plain::N(normal(&number.to_string()))
}

pub(crate) fn bytes(bytes: &[u8]) -> Plain {
    Plain::B(bytes.to_vec())
}

pub(crate) fn list(elements: impl Iterator<Item = Plain>) -> Plain {
    Plain::L(elements.collect())
}

pub(crate) fn map<const N: usize>(entries: [(&str, Option<Plain>); N]) -> Plain {
    let entries = entries.into_iter();
    let entries = entries.filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Plain::M(entries.collect())
}

/// A set of text; an empty one is not stored.
pub(crate) fn strings(set: &BTreeSet<String>) -> Option<Plain> {
    (!set.is_empty()).then(|| Plain::Ss(set.clone()))
}

pub(crate) fn numbers(set: &BTreeSet<i64>) -> Option<Plain> {
    let numbers = set.iter().map(|one| normal(&one.to_string()));
    (!set.is_empty()).then(|| Plain::Ns(numbers.collect()))
}

pub(crate) fn binaries(set: &BTreeSet<ByteBuf>) -> Option<Plain> {
    let binaries = set.iter().map(|one| one.to_vec());
    (!set.is_empty()).then(|| Plain::Bs(binaries.collect()))
}
