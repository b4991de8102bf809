//! Entities in the embedded engine, from end to end: what is stored, what is found, and what never becomes a request.

mod broken;
mod cursors;
mod foreign;
mod names;
mod refused;
mod several_attributes;
mod stored;

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaTable, Table};
use std::collections::HashMap;

type Item = HashMap<String, AttributeValue>;

/// An engine with one table.
async fn engine<T: DynaTable>() -> (Embedded, Table<T>) {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::embedded_in(&engine).await.unwrap();
    (engine, db)
}

/// All items of a table or an index as they are stored.
async fn scan<T: DynaTable>(db: &Table<T>, index: Option<&str>) -> Vec<Item> {
    let request = db.client().scan().table_name(db.name().unwrap());
    let output = request
        .set_index_name(index.map(str::to_owned))
        .send()
        .await
        .unwrap();
    output.items.unwrap_or_default()
}

/// The only item of a table, as it is stored.
async fn only<T: DynaTable>(db: &Table<T>) -> Item {
    let mut items = scan(db, None).await;
    assert_eq!(items.len(), 1);
    items.remove(0)
}

/// Writes an item as it is.
async fn raw<T: DynaTable>(db: &Table<T>, attributes: &[(&str, AttributeValue)]) {
    let mut request = db.client().put_item().table_name(db.name().unwrap());
    for (name, value) in attributes {
        request = request.item(*name, value.clone());
    }
    request.send().await.unwrap();
}

fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn n(number: &str) -> AttributeValue {
    AttributeValue::N(number.to_owned())
}

/// The names of an item's attributes, sorted.
fn names(item: &Item) -> Vec<&str> {
    let mut names: Vec<_> = item.keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}
