//! What templates express besides fields and widths: numbers without padding, functions in a row, text beside fixed-width parts, prefixes,
//! other delimiters, native keys with a delimiter in them, every number type, and buckets of one's own.

mod delimiters;
mod fixed_width;
mod functions;
mod native_keys;
mod numbers;
mod plain_numbers;
mod shards;
mod upper;

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaTable, Table, codec::Item};

/// All items of a table, as they are stored.
async fn stored<T: DynaTable>(db: &Table<T>) -> Vec<Item> {
    let scan = db.client().scan().table_name(db.name().unwrap());
    let found = scan.consistent_read(true).send().await.unwrap();
    found.items.unwrap_or_default()
}

/// The text of an attribute; empty if there is none.
fn text<'i>(item: &'i Item, attribute: &str) -> &'i str {
    match item.get(attribute) {
        Some(AttributeValue::S(text) | AttributeValue::N(text)) => text,
        _ => "",
    }
}

/// The attributes of all items, sorted.
async fn keys<T: DynaTable, const N: usize>(
    db: &Table<T>,
    attributes: [&str; N],
) -> Vec<[String; N]> {
    let items = stored(db).await;
    let keys = items
        .iter()
        .map(|item| attributes.map(|attribute| text(item, attribute).to_owned()));
    let mut keys: Vec<_> = keys.collect();
    keys.sort();
    keys
}
