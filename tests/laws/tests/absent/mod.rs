//! Absent values: `None` is not stored, NULL and absent are read alike; and fields that were stored under another name.

mod aliases;
mod conditions;
mod expiry;
mod nulls;
mod read;
mod stored;

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaTable, Table, codec::Item};

/// The item with this key, as it is stored.
async fn raw<T: DynaTable>(db: &Table<T>, pk: &str) -> Item {
    let get = db.client().get_item().table_name(db.name().unwrap());
    let get = get.key("pk", s(pk)).consistent_read(true);
    get.send().await.unwrap().item.unwrap_or_default()
}

/// Stores an item as another program would.
async fn store<T: DynaTable>(
    db: &Table<T>,
    item: impl IntoIterator<Item = (&str, AttributeValue)>,
) {
    let item = item.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
    let put = db.client().put_item().table_name(db.name().unwrap());
    put.set_item(Some(item)).send().await.unwrap();
}

/// The names of an item's attributes, in order.
fn names(item: &Item) -> Vec<&str> {
    let mut names: Vec<&str> = item.keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn n(number: i64) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

fn null() -> AttributeValue {
    AttributeValue::Null(true)
}

fn map<'k>(entries: impl IntoIterator<Item = (&'k str, AttributeValue)>) -> AttributeValue {
    AttributeValue::M(
        entries
            .into_iter()
            .map(|(k, v)| (k.to_owned(), v))
            .collect(),
    )
}
