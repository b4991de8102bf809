//! One request of a batch, and what it leaves undone.

use crate::codec::Item;
use crate::entity::EntityMeta;
use crate::error::{Result, of_service};
use crate::key::KeyId;
use crate::request::Explain;
use crate::request::backoff::Backoff;
use crate::request::wire::{NewItem, NewItems};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{DeleteRequest, PutRequest, WriteRequest};
use std::collections::HashSet;

/// A put or a delete, without a condition.
pub(super) struct Entry {
    pub(super) meta: &'static EntityMeta,
    /// What to put, or the key of what to delete.
    pub(super) item: NewItem,
    pub(super) is_put: bool,
}

impl Entry {
    pub(super) fn put(meta: &'static EntityMeta, item: NewItem) -> Self {
        Self {
            meta,
            item,
            is_put: true,
        }
    }

    pub(super) fn delete(meta: &'static EntityMeta, key: &Item) -> Result<Self> {
        Ok(Self {
            meta,
            item: NewItem::of_item(meta, key)?,
            is_put: false,
        })
    }

    /// What it asks.
    pub(super) fn explain(&self) -> Explain {
        let (operation, member) = if self.is_put {
            ("PutItem", "Item")
        } else {
            ("DeleteItem", "Key")
        };
        let mut explain = Explain::new(operation, self.meta.schema.name);
        explain.item(member, &self.item.map());
        explain
    }

    /// The key of the item.
    pub(super) fn key(&self) -> Option<KeyId> {
        self.item.key(self.meta.schema)
    }
}

/// Makes up to 25 writes; those that were never made.
pub(super) async fn write(
    client: &Client,
    table: &str,
    mut entries: Vec<Entry>,
    retries: u32,
) -> Result<Vec<Entry>> {
    let (put, delete) = places()?;
    let mut backoff = Backoff::tries(retries);
    loop {
        // What is written stays in the entries, because it may have to be sent again.
        let items = entries.iter().map(|entry| entry.item.clone()).collect();
        let items = NewItems::new(items, Some(backoff.clock()));
        let place = |entry: &Entry| if entry.is_put { &put } else { &delete };
        let places = entries.iter().map(place).cloned().collect();
        let request = client.batch_write_item().request_items(table, places);
        let request = request.customize().interceptor(items);
        match request.send().await.map_err(of_service) {
            Ok(output) => {
                let undone = output.unprocessed_items.into_iter().flatten();
                entries = left(entries, undone.flat_map(|(_, undone)| undone).collect());
            }
            // None of them were made.
            Err(error) if error.is_throttled() => {}
            Err(error) => return Err(error),
        }
        if entries.is_empty() || !backoff.wait().await {
            return Ok(entries);
        }
    }
}

/// A put and a delete as DynamoDB takes them, without an item and a key yet.
fn places() -> Result<(WriteRequest, WriteRequest)> {
    let put = PutRequest::builder().set_item(Some(Item::new()));
    let put = WriteRequest::builder().put_request(put.build().map_err(of_service)?);
    let delete = DeleteRequest::builder().set_key(Some(Item::new()));
    let delete = WriteRequest::builder().delete_request(delete.build().map_err(of_service)?);
    Ok((put.build(), delete.build()))
}

/// The writes that DynamoDB says it has not made. If it names one that was not asked for, none is taken for made.
fn left(mut entries: Vec<Entry>, undone: Vec<WriteRequest>) -> Vec<Entry> {
    let Some(schema) = entries.first().map(|entry| &entry.meta.schema.key) else {
        return entries;
    };
    if undone.is_empty() {
        return Vec::new();
    }
    let item = |request: WriteRequest| -> Option<Item> {
        let put = request.put_request.map(|put| put.item);
        put.or_else(|| Some(request.delete_request?.key))
    };
    let named = undone.len();
    let keys = undone.into_iter().filter_map(item);
    let undone: HashSet<KeyId> = keys
        .filter_map(|item| KeyId::of_item(schema, &item))
        .collect();
    let is_undone = |entry: &Entry| entry.key().is_some_and(|key| undone.contains(&key));
    if entries.iter().filter(|entry| is_undone(entry)).count() == named {
        entries.retain(is_undone);
    }
    entries
}
