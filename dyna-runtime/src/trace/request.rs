//! The summary of a request, for its span.

use crate::codec::Item;
use crate::codec::display::text;
use crate::schema::TableSchema;
use crate::transport::ItemBodies;
use aws_sdk_dynamodb::operation::batch_get_item::BatchGetItemInput;
use aws_sdk_dynamodb::operation::batch_write_item::BatchWriteItemInput;
use aws_sdk_dynamodb::operation::delete_item::DeleteItemInput;
use aws_sdk_dynamodb::operation::get_item::GetItemInput;
use aws_sdk_dynamodb::operation::put_item::PutItemInput;
use aws_sdk_dynamodb::operation::query::QueryInput;
use aws_sdk_dynamodb::operation::scan::ScanInput;
use aws_sdk_dynamodb::operation::transact_get_items::TransactGetItemsInput;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsInput;
use aws_sdk_dynamodb::operation::update_item::UpdateItemInput;
use aws_sdk_dynamodb::types::{TransactGetItem, TransactWriteItem, WriteRequest};
use aws_smithy_runtime_api::client::interceptors::context::Input;

/// The span fields of a request, without values unless they are enabled.
#[derive(Default)]
pub(super) struct RequestSummary<'i> {
    /// In the order of their names.
    pub(super) tables: Vec<&'i str>,
    pub(super) index: Option<&'i str>,
    pub(super) limit: Option<i64>,
    pub(super) consistent: Option<bool>,
    pub(super) forward: Option<bool>,
    pub(super) segment: Option<i64>,
    pub(super) total_segments: Option<i64>,
    /// How many operations it has, if it is made for several.
    pub(super) batch: Option<u64>,
    pub(super) keys: Vec<String>,
}

impl<'i> RequestSummary<'i> {
    /// The summary of a request, for its span. With `keys`, also the values of the keys of this table.
    pub(super) fn of(input: &'i Input, keys: Option<&TableSchema>) -> Self {
        let key = |item: Option<&Item>| keys.zip(item).map(|(schema, item)| key(schema, item));
        if let Some(get) = input.downcast_ref::<GetItemInput>() {
            let consistent = get.consistent_read;
            let about = Self::one(get.table_name.as_ref(), key(get.key.as_ref()));
            Self {
                consistent,
                ..about
            }
        } else if let Some(put) = input.downcast_ref::<PutItemInput>() {
            Self::one(put.table_name.as_ref(), key(put.item.as_ref()))
        } else if let Some(delete) = input.downcast_ref::<DeleteItemInput>() {
            Self::one(delete.table_name.as_ref(), key(delete.key.as_ref()))
        } else if let Some(update) = input.downcast_ref::<UpdateItemInput>() {
            Self::one(update.table_name.as_ref(), key(update.key.as_ref()))
        } else if let Some(query) = input.downcast_ref::<QueryInput>() {
            Self::query(query, keys.is_some())
        } else if let Some(scan) = input.downcast_ref::<ScanInput>() {
            Self {
                index: scan.index_name.as_deref(),
                limit: scan.limit.map(i64::from),
                consistent: scan.consistent_read,
                segment: scan.segment.map(i64::from),
                total_segments: scan.total_segments.map(i64::from),
                ..Self::one(scan.table_name.as_ref(), None)
            }
        } else {
            Self::several(input, keys)
        }
    }

    fn one(table: Option<&'i String>, key: Option<String>) -> Self {
        Self {
            tables: table.into_iter().map(String::as_str).collect(),
            keys: key.into_iter().collect(),
            ..Self::default()
        }
    }

    /// The keys of items that are put into the request later: their places are empty.
    pub(super) fn add_keys(&mut self, schema: &TableSchema, items: &ItemBodies) {
        let places = self.keys.iter_mut().filter(|key| key.is_empty());
        for (place, item) in places.zip(items.keys(schema)) {
            *place = key(schema, &item);
        }
    }

    fn query(query: &'i QueryInput, keys: bool) -> Self {
        let values = query.expression_attribute_values.iter().flatten();
        // The values of the key condition; those of the filter are called otherwise.
        let mut bounds: Vec<_> = values.filter(|(name, _)| keys && is_bound(name)).collect();
        bounds.sort_unstable_by_key(|(name, _)| *name);
        let bounds: Vec<_> = bounds
            .into_iter()
            .map(|(name, value)| format!("{name}={}", text(value)))
            .collect();
        let key = (!bounds.is_empty()).then(|| bounds.join(", "));
        Self {
            index: query.index_name.as_deref(),
            limit: query.limit.map(i64::from),
            consistent: query.consistent_read,
            forward: query.scan_index_forward,
            ..Self::one(query.table_name.as_ref(), key)
        }
    }

    /// A request for several items: each with its table and its key.
    fn several(input: &'i Input, keys: Option<&TableSchema>) -> Self {
        let mut found: Vec<(&'i str, Option<&'i Item>)> = Vec::new();
        if let Some(batch) = input.downcast_ref::<BatchGetItemInput>() {
            for (table, wanted) in batch.request_items.iter().flatten() {
                found.extend(wanted.keys.iter().map(|key| (table.as_str(), Some(key))));
            }
        } else if let Some(batch) = input.downcast_ref::<BatchWriteItemInput>() {
            for (table, writes) in batch.request_items.iter().flatten() {
                found.extend(writes.iter().map(|write| (table.as_str(), written(write))));
            }
        } else if let Some(transaction) = input.downcast_ref::<TransactGetItemsInput>() {
            let gets = transaction.transact_items.iter().flatten();
            let gets = gets.filter_map(|TransactGetItem { get, .. }| get.as_ref());
            found.extend(gets.map(|get| (get.table_name.as_str(), Some(&get.key))));
        } else if let Some(transaction) = input.downcast_ref::<TransactWriteItemsInput>() {
            found.extend(
                transaction
                    .transact_items
                    .iter()
                    .flatten()
                    .filter_map(operation),
            );
        } else {
            return Self::default();
        }
        let mut tables: Vec<&str> = found.iter().map(|(table, _)| *table).collect();
        tables.sort_unstable();
        tables.dedup();
        let items = found.iter().filter_map(|(_, item)| keys.zip(*item));
        Self {
            tables,
            batch: u64::try_from(found.len()).ok(),
            keys: items.map(|(schema, item)| key(schema, item)).collect(),
            ..Self::default()
        }
    }
}

fn is_bound(name: &str) -> bool {
    matches!(
        name,
        ":p" | ":p1" | ":p2" | ":p3" | ":k0" | ":k1" | ":k2" | ":k3" | ":s" | ":t"
    )
}

/// The key of an item, with its values.
fn key(schema: &TableSchema, item: &Item) -> String {
    let attributes = schema.key.attributes().filter_map(|attribute| {
        let value = item.get(attribute.name)?;
        Some(format!("{}={}", attribute.name, text(value)))
    });
    attributes.collect::<Vec<_>>().join(", ")
}

fn written(write: &WriteRequest) -> Option<&Item> {
    let put = write.put_request.as_ref().map(|put| &put.item);
    put.or_else(|| write.delete_request.as_ref().map(|delete| &delete.key))
}

fn operation(operation: &TransactWriteItem) -> Option<(&str, Option<&Item>)> {
    let TransactWriteItem {
        condition_check,
        put,
        delete,
        update,
        ..
    } = operation;
    let check = condition_check.as_ref();
    let check = check.map(|check| (check.table_name.as_str(), Some(&check.key)));
    let put = put
        .as_ref()
        .map(|put| (put.table_name.as_str(), Some(&put.item)));
    let delete = delete.as_ref();
    let delete = delete.map(|delete| (delete.table_name.as_str(), Some(&delete.key)));
    let update = update.as_ref();
    let update = update.map(|update| (update.table_name.as_str(), Some(&update.key)));
    check.or(put).or(delete).or(update)
}
