//! Attribute values as people write them.

use aws_sdk_dynamodb::types::AttributeValue;

/// A value as people write it, and before a set the name of its type.
pub(crate) fn text(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => format!("{text:?}"),
        AttributeValue::N(number) => number.clone(),
        AttributeValue::Bool(value) => value.to_string(),
        AttributeValue::Null(_) => "null".to_owned(),
        AttributeValue::B(bytes) => format!("{} bytes", bytes.as_ref().len()),
        AttributeValue::L(list) => {
            format!("[{}]", list.iter().map(text).collect::<Vec<_>>().join(", "))
        }
        AttributeValue::M(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(name, _)| *name);
            let entries: Vec<_> = entries
                .iter()
                .map(|(name, value)| format!("{name}: {}", text(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        AttributeValue::Ss(set) => format!("SS {set:?}"),
        AttributeValue::Ns(set) => format!("NS [{}]", set.join(", ")),
        AttributeValue::Bs(set) => format!("BS of {} binaries", set.len()),
        _ => "(unknown)".to_owned(),
    }
}
