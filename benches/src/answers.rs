//! What DynamoDB would say.

use aws_sdk_dynamodb::types::AttributeValue;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;

/// The SDK's form of an item.
pub type Item = HashMap<String, AttributeValue>;

/// The same value as another type with the same fields.
pub fn same<T: Serialize, U: for<'de> Deserialize<'de>>(value: T) -> U {
    let value = serde_json::to_value(value).expect("plain data");
    serde_json::from_value(value).expect("the same fields")
}

/// An item as `serde_dynamo` makes it, with keys and a tag.
pub fn item(value: &impl Serialize, (pk, sk): (String, String), tag: &str) -> Item {
    let mut item: Item = serde_dynamo::to_item(value).expect("plain data");
    item.insert("pk".to_owned(), AttributeValue::S(pk));
    item.insert("sk".to_owned(), AttributeValue::S(sk));
    item.insert("entity_type".to_owned(), AttributeValue::S(tag.to_owned()));
    item
}

/// The answer to a `GetItem`.
pub fn one(item: &Item) -> String {
    json!({ "Item": map(item) }).to_string()
}

/// The answer to a `Query` or a `Scan`: a page.
pub fn page(items: impl Iterator<Item = Item>) -> String {
    let items: Vec<Value> = items.map(|item| map(&item)).collect();
    json!({ "Count": items.len(), "Items": items, "ScannedCount": items.len() }).to_string()
}

/// DynamoDB's JSON of an item; attributes in the order of their names, which is not that of the fields.
pub fn map(item: &Item) -> Value {
    let entries = item
        .iter()
        .map(|(name, value)| (name.clone(), attribute(value)));
    Value::Object(entries.collect())
}

fn attribute(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::S(text) => json!({ "S": text }),
        AttributeValue::N(number) => json!({ "N": number }),
        AttributeValue::Bool(value) => json!({ "BOOL": value }),
        AttributeValue::Null(value) => json!({ "NULL": value }),
        AttributeValue::L(list) => json!({ "L": list.iter().map(attribute).collect::<Vec<_>>() }),
        AttributeValue::M(entries) => json!({ "M": map(entries) }),
        other => unreachable!("no fixture has a {other:?}"),
    }
}
