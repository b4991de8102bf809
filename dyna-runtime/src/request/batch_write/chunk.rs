//! One request of a batch, and what it leaves undone.

use crate::codec::Item;
use crate::entity::EntityMeta;
use crate::error::{Error, Result, of_service};
use crate::key::KeyId;
use crate::request::Explain;
use crate::request::backoff::Backoff;
use crate::request::wire::{NewItem, NewItems};
use crate::request::write::{Action, Write};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{DeleteRequest, PutRequest, WriteRequest};
use std::borrow::Cow;
use std::collections::HashSet;

/// A put or a delete, without a condition.
pub(super) struct Entry {
    pub(super) meta: &'static EntityMeta,
    pub(super) key: KeyId,
    /// What to put; without it, the item is deleted.
    pub(super) put: Option<NewItem>,
}

impl Entry {
    pub(super) fn new(write: Write) -> Result<Self> {
        let meta = write.meta;
        let table = meta.schema.type_name;
        let key = write.key().ok_or(Error::UnknownItem { table, key: None })?;
        let put = match write.action {
            Action::Put(item) => Some(item),
            _ => None,
        };
        Ok(Self { meta, key, put })
    }

    /// Refuses what DynamoDB would refuse.
    pub(super) fn check(&self) -> Result<()> {
        self.put
            .as_ref()
            .map_or(Ok(()), |item| item.check(self.meta))
    }

    /// The write as DynamoDB takes it. Cloned, because it may have to be sent again.
    fn request(&self, items: &mut NewItems) -> Result<WriteRequest> {
        let request = WriteRequest::builder();
        let request = match &self.put {
            Some(item) => {
                let item = item.clone().give(items);
                let put = PutRequest::builder().set_item(Some(item));
                request.put_request(put.build().map_err(of_service)?)
            }
            None => {
                let delete = DeleteRequest::builder().set_key(Some(self.key_item()));
                request.delete_request(delete.build().map_err(of_service)?)
            }
        };
        Ok(request.build())
    }

    /// What it asks.
    pub(super) fn explain(&self) -> Explain {
        let (operation, member, item) = match &self.put {
            Some(item) => ("PutItem", "Item", item.map()),
            None => ("DeleteItem", "Key", Cow::Owned(self.key_item())),
        };
        let mut explain = Explain::new(operation, self.meta.schema.name);
        explain.item(member, &item);
        explain
    }

    fn key_item(&self) -> Item {
        self.key.clone().into_item(&self.meta.schema.key)
    }
}

/// Makes up to 25 writes; those that were never made.
pub(super) async fn write(
    client: &Client,
    table: &str,
    mut entries: Vec<Entry>,
    retries: u32,
) -> Result<Vec<Entry>> {
    let mut backoff = Backoff::tries(retries);
    loop {
        let mut items = NewItems::default();
        let requests = entries.iter().map(|entry| entry.request(&mut items));
        let requests = requests.collect::<Result<_>>()?;
        let request = client.batch_write_item().request_items(table, requests);
        let request = request.customize().interceptor(items);
        let request = request.interceptor(backoff.clock());
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

/// The writes that DynamoDB says it has not made. If it names one that was not asked for, none is taken for made.
fn left(mut entries: Vec<Entry>, undone: Vec<WriteRequest>) -> Vec<Entry> {
    let Some(schema) = entries.first().map(|entry| &entry.meta.schema.key) else {
        return entries;
    };
    let item = |request: WriteRequest| -> Option<Item> {
        let put = request.put_request.map(|put| put.item);
        put.or_else(|| Some(request.delete_request?.key))
    };
    let named = undone.len();
    let keys = undone.into_iter().filter_map(item);
    let undone: HashSet<KeyId> = keys
        .filter_map(|item| KeyId::of_item(schema, &item))
        .collect();
    let is_undone = |entry: &Entry| undone.contains(&entry.key);
    if entries.iter().filter(|entry| is_undone(entry)).count() == named {
        entries.retain(is_undone);
    }
    entries
}
