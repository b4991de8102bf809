//! Items as DynamoDB's JSON, in the order of their keys, so that a file of them can be compared line by line.

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use aws_smithy_types::base64;
use dyna_runtime::codec::Item;
use serde_json::{Map, Value, json};
use std::error::Error;

/// A file with items, one in each line.
pub fn to_json(items: &[Item]) -> String {
    let lines = items.iter().map(|item| object(item).to_string());
    format!("[\n{}\n]\n", lines.collect::<Vec<_>>().join(",\n"))
}

/// The items of a file.
pub fn from_json(text: &str) -> Result<Vec<Item>, Box<dyn Error>> {
    let items: Vec<Map<String, Value>> = serde_json::from_str(text)?;
    items.into_iter().map(item).collect()
}

fn object(item: &Item) -> Value {
    // A map of `serde_json` is sorted.
    let entries = item.iter();
    Value::Object(entries.map(|(k, v)| (k.clone(), value(v))).collect())
}

fn value(attribute: &AttributeValue) -> Value {
    let bytes = |blob: &Blob| json!(base64::encode(blob.as_ref()));
    let sorted = |mut texts: Vec<String>| {
        texts.sort_unstable();
        texts
    };
    match attribute {
        AttributeValue::S(text) => json!({ "S": text }),
        AttributeValue::N(number) => json!({ "N": number }),
        AttributeValue::B(blob) => json!({ "B": bytes(blob) }),
        AttributeValue::Bool(value) => json!({ "BOOL": value }),
        AttributeValue::Null(value) => json!({ "NULL": value }),
        AttributeValue::L(list) => json!({ "L": list.iter().map(value).collect::<Vec<_>>() }),
        AttributeValue::M(map) => json!({ "M": object(map) }),
        AttributeValue::Ss(set) => json!({ "SS": sorted(set.clone()) }),
        AttributeValue::Ns(set) => json!({ "NS": sorted(set.clone()) }),
        AttributeValue::Bs(set) => {
            json!({ "BS": sorted(set.iter().map(base64::encode).collect()) })
        }
        _ => json!({}),
    }
}

fn item(entries: Map<String, Value>) -> Result<Item, Box<dyn Error>> {
    let entries = entries.into_iter();
    entries.map(|(k, v)| Ok((k, attribute(v)?))).collect()
}

fn attribute(value: Value) -> Result<AttributeValue, Box<dyn Error>> {
    let bytes = |text: String| base64::decode(text).map(Blob::new);
    let Value::Object(object) = value else {
        return Err("an attribute is an object".into());
    };
    let (kind, value) = object.into_iter().next().ok_or("an empty attribute")?;
    Ok(match kind.as_str() {
        "S" => AttributeValue::S(serde_json::from_value(value)?),
        "N" => AttributeValue::N(serde_json::from_value(value)?),
        "B" => AttributeValue::B(bytes(serde_json::from_value(value)?)?),
        "BOOL" => AttributeValue::Bool(serde_json::from_value(value)?),
        "NULL" => AttributeValue::Null(serde_json::from_value(value)?),
        "SS" => AttributeValue::Ss(serde_json::from_value(value)?),
        "NS" => AttributeValue::Ns(serde_json::from_value(value)?),
        "BS" => {
            let set: Vec<String> = serde_json::from_value(value)?;
            AttributeValue::Bs(set.into_iter().map(bytes).collect::<Result<_, _>>()?)
        }
        "L" => {
            let list: Vec<Value> = serde_json::from_value(value)?;
            AttributeValue::L(list.into_iter().map(attribute).collect::<Result<_, _>>()?)
        }
        "M" => AttributeValue::M(item(serde_json::from_value(value)?)?),
        kind => return Err(format!("no attribute is a {kind}").into()),
    })
}
