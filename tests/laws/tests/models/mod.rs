//! Data models as they are published, in Rust: each test is an access pattern of such a design, on the engine, and the stored keys are the
//! ones that the design stores.

mod code_hosting;
mod daily_deals;
mod online_shop;

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaTable, Table};

/// The attributes of all items as text, sorted; what an item lacks is `-`.
async fn keys<T: DynaTable, const N: usize>(db: &Table<T>, names: [&str; N]) -> Vec<[String; N]> {
    let scan = db.client().scan().table_name(db.name().unwrap());
    let items = scan.send().await.unwrap().items.unwrap_or_default();
    let text = |value: Option<&AttributeValue>| match value {
        Some(AttributeValue::S(text) | AttributeValue::N(text)) => text.clone(),
        _ => "-".to_owned(),
    };
    let mut keys: Vec<_> = items
        .iter()
        .map(|item| names.map(|name| text(item.get(name))))
        .collect();
    keys.sort();
    keys
}
