//! Requests with the SDK alone.

use crate::answers::Item;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};

fn text(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

/// The item with this key.
pub async fn get_item(client: &Client, (pk, sk): (String, String)) -> Option<Item> {
    let request = client.get_item().table_name("chat");
    let request = request.key("pk", text(pk)).key("sk", text(sk));
    request.send().await.expect("the answer is right").item
}

/// Stores an item.
pub async fn put_item(client: &Client, item: Item) {
    let request = client.put_item().table_name("chat").set_item(Some(item));
    request.send().await.expect("the answer is right");
}

/// Stores all items, of which DynamoDB leaves none undone.
pub async fn batch_write(client: &Client, items: impl Iterator<Item = Item>) {
    let write = |item| {
        let put = PutRequest::builder().set_item(Some(item)).build();
        WriteRequest::builder()
            .put_request(put.expect("it has an item"))
            .build()
    };
    let request = client.batch_write_item();
    let request = request.request_items("chat", items.map(write).collect());
    let output = request.send().await.expect("the answer is right");
    assert!(output.unprocessed_items.is_none_or(|left| left.is_empty()));
}

/// The items of a partition whose sort keys begin so.
pub async fn query_items<T>(client: &Client, pk: &str, sk: &str, read: fn(Item) -> T) -> Vec<T> {
    let request = client.query().table_name("chat");
    let request = request
        .key_condition_expression("pk = :pk AND begins_with(sk, :sk)")
        .expression_attribute_values(":pk", text(pk))
        .expression_attribute_values(":sk", text(sk));
    let output = request.send().await.expect("the answer is right");
    read_all(output.items, read)
}

/// All items.
pub async fn scan_items<T>(client: &Client, read: fn(Item) -> T) -> Vec<T> {
    let request = client.scan().table_name("chat");
    let output = request.send().await.expect("the answer is right");
    read_all(output.items, read)
}

fn read_all<T>(items: Option<Vec<Item>>, read: fn(Item) -> T) -> Vec<T> {
    items.unwrap_or_default().into_iter().map(read).collect()
}
