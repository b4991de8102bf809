//! One request of a batch, and what it leaves undone.

use crate::codec::Item;
use crate::entity::EntityMeta;
use crate::error::{Asked, Error, Result, of_service};
use crate::key::KeyId;
use crate::request::Explain;
use crate::transport::backoff::Backoff;
use crate::transport::{CapturedResponse, Form, NewItem, NewItems};
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

    /// The write as DynamoDB takes it, with the item or a place for it.
    fn request(&self, items: &mut NewItems) -> Result<WriteRequest> {
        let item = Some(items.add(self.meta, &self.item)?);
        let request = WriteRequest::builder();
        let request = if self.is_put {
            let put = PutRequest::builder().set_item(item);
            request.put_request(put.build().map_err(of_service)?)
        } else {
            let delete = DeleteRequest::builder().set_key(item);
            request.delete_request(delete.build().map_err(of_service)?)
        };
        Ok(request.build())
    }

    /// The key of the item.
    pub(super) fn key(&self) -> Option<KeyId> {
        self.item.key(self.meta.schema)
    }
}

/// Makes up to 25 writes; those that were never made.
pub(super) async fn write(
    client: &Client,
    mut form: Form,
    table: &str,
    mut entries: Vec<Entry>,
    retries: u32,
) -> Result<Vec<Entry>> {
    let asked = Asked {
        table,
        index: "",
        partition: &[],
    };
    let mut backoff = Backoff::tries(retries);
    loop {
        // What is written stays in the entries, because it may have to be sent again.
        let mut items = NewItems::new(form);
        let writes = entries.iter().map(|entry| entry.request(&mut items));
        let writes = writes.collect::<Result<_>>()?;
        let request = client.batch_write_item().request_items(table, writes);
        let kept = CapturedResponse::writing(items, Some(backoff.clock()));
        let sent = request.customize().interceptor(kept.hook()).send().await;
        match kept.sent(sent, asked) {
            Ok(output) => {
                let undone = output.unprocessed_items.into_iter().flatten();
                entries = left(entries, undone.flat_map(|(_, undone)| undone).collect());
            }
            Err(_) if kept.is_unfilled() => {
                form = Form::Maps;
                continue;
            }
            Err(error) => {
                let error = Error::from(error);
                // None of them were made.
                if !error.is_throttled() && !error.is_transaction_conflict() {
                    return Err(error);
                }
            }
        }
        if entries.is_empty() || !backoff.wait().await {
            return Ok(entries);
        }
    }
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
