//! One request of a batch, and what it leaves undone.

use crate::codec::Item;
use crate::entity::EntityMeta;
use crate::error::{Error, RequestContext, Result, service_error};
use crate::key::KeyId;
use crate::request::Explain;
use crate::transport::backoff::Backoff;
use crate::transport::limiter::Limiter;
use crate::transport::{CapturedResponse, ItemBodies, ItemBody, ItemFormat};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{DeleteRequest, PutRequest, WriteRequest};
use std::collections::HashSet;

/// A put or a delete, without a condition.
pub(super) struct Entry {
    pub(super) meta: &'static EntityMeta,
    /// The item to put, or the key to delete.
    pub(super) item: ItemBody,
    pub(super) is_put: bool,
}

impl Entry {
    pub(super) fn put(meta: &'static EntityMeta, item: ItemBody) -> Self {
        Self {
            meta,
            item,
            is_put: true,
        }
    }

    pub(super) fn delete(meta: &'static EntityMeta, key: &Item) -> Result<Self> {
        Ok(Self {
            meta,
            item: ItemBody::of_item(meta, key)?,
            is_put: false,
        })
    }

    /// The write as DynamoDB receives it.
    pub(super) fn explain(&self) -> Explain {
        let (operation, member) = if self.is_put {
            ("PutItem", "Item")
        } else {
            ("DeleteItem", "Key")
        };
        let mut explain = Explain::new(operation, self.meta.schema.name);
        explain.item_or_error(member, self.item.map(self.meta.name).as_ref());
        explain
    }

    /// The write as DynamoDB takes it, with the item or a place for it.
    fn request(&self, items: &mut ItemBodies) -> Result<WriteRequest> {
        let item = Some(items.add(self.meta.name, &self.item)?);
        let request = WriteRequest::builder();
        let request = if self.is_put {
            let put = PutRequest::builder().set_item(item);
            request.put_request(put.build().map_err(service_error)?)
        } else {
            let delete = DeleteRequest::builder().set_key(item);
            request.delete_request(delete.build().map_err(service_error)?)
        };
        Ok(request.build())
    }

    /// The key of the item.
    pub(super) fn key(&self) -> Option<KeyId> {
        self.item.key(self.meta.schema)
    }
}

/// What is left of some writes.
pub(super) struct Unmade {
    pub(super) entries: Vec<Entry>,
    /// Whether an attempt got no response, which may have made them.
    pub(super) may_be_made: bool,
}

/// Some writes that failed: how many of them were not made, as far as is known.
pub(super) struct FailedChunk {
    pub(super) error: Error,
    pub(super) left: usize,
}

/// Makes up to 25 writes, and tells what is left of them.
pub(super) async fn write(
    client: &Client,
    mut format: ItemFormat,
    table: &str,
    mut entries: Vec<Entry>,
    retries: u32,
    limiter: Option<&Limiter>,
) -> Result<Unmade, FailedChunk> {
    let asked = RequestContext {
        table,
        index: "",
        partition: &[],
    };
    let mut backoff = Backoff::tries(retries).limited(limiter);
    loop {
        // What is written stays in the entries, because it may have to be sent again.
        let mut items = ItemBodies::new(format);
        let writes = entries.iter().map(|entry| entry.request(&mut items));
        let failed = |error| FailedChunk {
            error,
            left: entries.len(),
        };
        let writes = writes.collect::<Result<_>>().map_err(failed)?;
        let request = client.batch_write_item().request_items(table, writes);
        let kept = CapturedResponse::writing(items, Some(backoff.observer()));
        let reserved = Limiter::acquire(limiter).await;
        let sent = request.customize().interceptor(kept.hook()).send().await;
        drop(reserved);
        match kept.sent(sent, asked) {
            Ok(output) => {
                let undone = output.unprocessed_items.into_iter().flatten();
                entries = left(entries, undone.flat_map(|(_, undone)| undone).collect());
            }
            Err(_) if kept.is_unfilled() => {
                format = ItemFormat::Maps;
                continue;
            }
            Err(error) => {
                let error = Error::from(error);
                // Without a condition it is harmless to make them again, if they were made at all.
                if !error.is_worth_repeating() {
                    return Err(failed(error));
                }
            }
        }
        if let (false, Some(limiter)) = (entries.is_empty(), limiter) {
            limiter.left_undone();
        }
        if entries.is_empty() || !backoff.wait().await {
            let may_be_made = backoff.observer().attempts.may_be_applied();
            return Ok(Unmade {
                entries,
                may_be_made,
            });
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
