//! The wire path against the SDK's own parser and writer: equal results, or the SDK decides.

mod random;
mod responses;
mod strings;
mod watch;
mod writes;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::LazyLock;

use aws_sdk_dynamodb::config::RuntimePlugin;
use aws_sdk_dynamodb::operation::query::{Query, QueryOutput};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::ser_de::{DeserializeResponse, SharedResponseDeserializer};
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::config_bag::{ConfigBag, FrozenLayer};
use serde::de::{self, Deserialize, DeserializeOwned, Deserializer, Visitor};

use super::{DecodeFailed, ItemLocation, ItemSink, ItemSource, ResponseRest};
use crate::codec::{DecodeError, Item};

/// What the SDK's own parser makes of a response to a query.
fn sdk(answer: &[u8]) -> Option<QueryOutput> {
    static CONFIG: LazyLock<FrozenLayer> = LazyLock::new(|| Query::new().config().unwrap());
    let parser = CONFIG.load::<SharedResponseDeserializer>().unwrap();
    let body = SdkBody::from(answer.to_vec());
    let response = HttpResponse::new(200.try_into().unwrap(), body);
    let output = parser.deserialize_nonstreaming_with_config(&response, &ConfigBag::base());
    Some(output.ok()?.downcast::<QueryOutput>().unwrap())
}

/// Reads each item of a response.
fn items(
    answer: &str,
    place: ItemLocation,
    mut each: impl FnMut(Option<ItemSource<'_, '_>>) -> Result<(), DecodeError>,
) -> Result<String, DecodeError> {
    let split = super::split(answer, place, None)?;
    for item in split.items {
        match item {
            Some(item) => ItemSource::with_json(&answer[item], |item| each(Some(item)))?,
            None => each(None)?,
        }
    }
    Ok(json(split.rest))
}

/// What a response says beside its items, as JSON.
fn json(rest: ResponseRest) -> String {
    let count = rest.count.map(|count| format!(r#""Count":{count}"#));
    let scanned = rest
        .scanned
        .map(|count| format!(r#""ScannedCount":{count}"#));
    let members = (!rest.members.is_empty()).then_some(rest.members);
    let all: Vec<String> = [count, scanned, members].into_iter().flatten().collect();
    format!("{{{}}}", all.join(","))
}

/// What the wire path makes of it: the items, and the rest of the response.
fn wire<T: DeserializeOwned + Debug + PartialEq>(
    answer: &[u8],
) -> Result<(Vec<T>, String), DecodeError> {
    let text = std::str::from_utf8(answer).map_err(|_| DecodeError::new("UTF-8"))?;
    let mut found = Vec::new();
    let rest = items(text, ItemLocation::Many("Items"), |item| {
        found.extend(item.map(ItemSource::read).transpose()?);
        Ok(())
    });
    // In one pass it is the same, or the same fails.
    let mut in_one_pass = Taken::<T>(Vec::new());
    let read = super::read(text, ItemLocation::Many("Items"), None, &mut in_one_pass);
    assert_eq!(rest.is_ok(), read.is_ok(), "{text}");
    let rest = rest?;
    assert_eq!(in_one_pass.0, found);
    assert_eq!(read.ok().map(|(rest, _)| json(rest)), Some(rest.clone()));
    Ok((found, rest))
}

struct Taken<T>(Vec<T>);

impl<T: DeserializeOwned> ItemSink for Taken<T> {
    fn expect(&mut self, count: usize) {
        self.0.reserve(count);
    }

    fn take(&mut self, item: ItemSource<'_, '_>) -> Result<(), DecodeFailed> {
        let item = item.read().map_err(|_| DecodeFailed)?;
        self.0.push(item);
        Ok(())
    }
}

/// One item, as if it were the only one of a response.
fn with_item<R>(item: &str, read: impl FnOnce(ItemSource<'_, '_>) -> R) -> R {
    let mut read = Some(read);
    let mut out = None;
    let answer = format!(r#"{{"Item":{item}}}"#);
    // Where reading the item fails, so does the response.
    let _ = items(&answer, ItemLocation::One("Item"), |item| {
        out = item.map(|item| read.take().unwrap()(item));
        Ok(())
    });
    out.unwrap()
}

/// Whatever an attribute holds, as serde sees it.
#[derive(Debug, PartialEq)]
enum Any {
    Null,
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    List(Vec<Any>),
    Map(BTreeMap<String, Any>),
    /// A set, or a number that no type of serde holds.
    Wrapped(Box<Any>),
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Anything;

        impl<'de> Visitor<'de> for Anything {
            type Value = Any;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("anything")
            }

            fn visit_unit<E>(self) -> Result<Any, E> {
                Ok(Any::Null)
            }

            fn visit_bool<E>(self, value: bool) -> Result<Any, E> {
                Ok(Any::Bool(value))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Any, E> {
                Ok(Any::Signed(value))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Any, E> {
                Ok(Any::Unsigned(value))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Any, E> {
                Ok(Any::Float(value))
            }

            fn visit_str<E>(self, value: &str) -> Result<Any, E> {
                Ok(Any::Text(value.to_owned()))
            }

            fn visit_byte_buf<E>(self, value: Vec<u8>) -> Result<Any, E> {
                Ok(Any::Bytes(value))
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Any, D::Error> {
                Any::deserialize(inner).map(|any| Any::Wrapped(Box::new(any)))
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<Any, A::Error> {
                let mut out = Vec::new();
                while let Some(element) = list.next_element()? {
                    out.push(element);
                }
                Ok(Any::List(out))
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Any, A::Error> {
                let mut out = BTreeMap::new();
                while let Some((key, value)) = map.next_entry()? {
                    out.insert(key, value);
                }
                Ok(Any::Map(out))
            }
        }

        deserializer.deserialize_any(Anything)
    }
}

/// The items of a response as the SDK's path reads them.
fn decoded<T: DeserializeOwned>(items: &[Item]) -> Result<Vec<T>, DecodeError> {
    items.iter().cloned().map(crate::codec::from_item).collect()
}
