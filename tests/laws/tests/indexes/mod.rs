//! Index keys that are more than their fields side by side, and keys that other software writes too.

mod functions;
mod key_only;
mod local;
mod optional;
mod unique;
mod when;

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaTable, Table};
use std::collections::HashMap;

type Item = HashMap<String, AttributeValue>;

/// All items as they are stored, in the order of their keys.
async fn stored<T: DynaTable>(db: &Table<T>) -> Vec<Item> {
    let scan = db.client().scan().table_name(db.name().unwrap());
    let mut items = scan.send().await.unwrap().items.unwrap();
    let key = |item: &Item| {
        ["pk", "sk"].map(|name| item.get(name).and_then(|key| key.as_s().ok().cloned()))
    };
    items.sort_by_key(key);
    items
}

/// Stores an item as it is.
async fn store<T: DynaTable>(db: &Table<T>, item: Item) {
    let put = db.client().put_item().table_name(db.name().unwrap());
    put.set_item(Some(item)).send().await.unwrap();
}

/// An item of text.
fn item<const N: usize>(attributes: [(&str, &str); N]) -> Item {
    let text = |(name, value): (&str, &str)| (name.to_owned(), AttributeValue::S(value.to_owned()));
    attributes.map(text).into()
}

/// An attribute that is text.
fn text<'i>(item: &'i Item, name: &str) -> Option<&'i str> {
    item.get(name).map(|value| value.as_s().unwrap().as_str())
}
