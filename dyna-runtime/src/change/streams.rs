//! Records of the SDK for streams, which has attributes of its own.

use crate::change::{Event, Record, RemovalCause};
use crate::codec::Item;
use crate::error::{Error, Result};
use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_dynamodbstreams::types as sdk;
use std::collections::HashMap;
use std::time::SystemTime;

impl TryFrom<sdk::Record> for Record {
    type Error = Error;

    fn try_from(record: sdk::Record) -> Result<Self> {
        let event = record.event_name.as_ref();
        let event = event.and_then(|event| Event::from_name(event.as_str()));
        let event =
            event.ok_or_else(|| unreadable("an event that is not INSERT, MODIFY or REMOVE"))?;
        let change = record.dynamodb.ok_or_else(|| unreadable("no `dynamodb`"))?;
        let image = |image: Option<HashMap<_, _>>| image.map(item).transpose();
        Ok(Self {
            new: image(change.new_image)?,
            old: image(change.old_image)?,
            sequence: change.sequence_number,
            time: change
                .approximate_creation_date_time
                .and_then(|time| SystemTime::try_from(time).ok()),
            cause: record
                .user_identity
                .as_ref()
                .map_or(RemovalCause::Deleted, cause),
            ..Self::new(event, item(change.keys.unwrap_or_default())?)
        })
    }
}

fn cause(identity: &sdk::Identity) -> RemovalCause {
    match (identity.r#type(), identity.principal_id()) {
        // DynamoDB names both. The embedded engine spells their names in a way that the SDK does not read, and has no identity but that
        // of its own TTL.
        (None, None) => RemovalCause::Expired,
        (kind, principal) => RemovalCause::from_identity(kind.zip(principal)),
    }
}

fn item(item: HashMap<String, sdk::AttributeValue>) -> Result<Item> {
    let attributes = item.into_iter();
    let attributes = attributes.map(|(name, value)| Ok((name, attribute(value)?)));
    attributes.collect()
}

fn attribute(value: sdk::AttributeValue) -> Result<AttributeValue> {
    Ok(match value {
        sdk::AttributeValue::B(bytes) => AttributeValue::B(bytes),
        sdk::AttributeValue::Bool(is) => AttributeValue::Bool(is),
        sdk::AttributeValue::Bs(set) => AttributeValue::Bs(set),
        sdk::AttributeValue::L(list) => {
            let list: Result<_> = list.into_iter().map(attribute).collect();
            AttributeValue::L(list?)
        }
        sdk::AttributeValue::M(map) => AttributeValue::M(item(map)?),
        sdk::AttributeValue::N(number) => AttributeValue::N(number),
        sdk::AttributeValue::Ns(set) => AttributeValue::Ns(set),
        sdk::AttributeValue::Null(is) => AttributeValue::Null(is),
        sdk::AttributeValue::S(text) => AttributeValue::S(text),
        sdk::AttributeValue::Ss(set) => AttributeValue::Ss(set),
        _ => {
            return Err(unreadable(
                "an attribute of a type that this version of the SDK does not know",
            ));
        }
    })
}

fn unreadable(what: &str) -> Error {
    Error::Record {
        source_name: "the record of the stream",
        problem: format!("it has {what}"),
    }
}
