//! Items by their keys, in chunks that DynamoDB takes: what batches of reads and `hydrate()` share.

use crate::codec::Item;
use crate::entity::EntityMeta;
use crate::error::{Error, MAX_ITEM, RequestContext, Result, service_error};
use crate::expr::Rendered;
use crate::key::KeyId;
use crate::read::Consistency;
use crate::read::expressions::ReadExpressions;
use crate::read::key_of;
use crate::schema::IndexSchema;
use crate::table::Handle;
use crate::transport::backoff::Backoff;
use crate::transport::concurrent;
use crate::transport::limiter::Limiter;
use crate::transport::{CapturedResponse, ItemBodies, ItemFormat, RawItem};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::KeysAndAttributes;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// Most keys that DynamoDB takes in one request.
const MAX_KEYS: usize = 100;
/// Bytes of items that fill a response: it has 16 MB, and the next item has up to 400 KB.
const FULL_RESPONSE: usize = 16 * 1024 * 1024 - MAX_ITEM;
/// How many requests are made at the same time.
const AT_ONCE: usize = 4;

/// Reads items of one table by their primary keys.
#[derive(Clone)]
pub(crate) struct Fetch {
    client: Client,
    format: ItemFormat,
    table: String,
    consistency: Consistency,
    expressions: ReadExpressions,
    limiter: Option<Limiter>,
}

/// The items of a batch read.
#[derive(Default)]
pub(crate) struct FetchOutput {
    pub(crate) items: Vec<RawItem>,
    /// Keys that were not read when the tries were used up.
    pub(crate) left: Vec<Item>,
    /// Why the last of them were not read, if DynamoDB throttled the request for them.
    throttled: Option<Error>,
}

impl Fetch {
    pub(crate) fn new(
        db: &Handle,
        table: &str,
        consistency: Consistency,
        projection: Option<Rendered>,
    ) -> Self {
        Self {
            client: db.client().clone(),
            format: db.format(),
            table: table.to_owned(),
            consistency,
            expressions: ReadExpressions::new(None, projection),
            limiter: None,
        }
    }

    /// With a limit on what it consumes per second, if there is one.
    pub(crate) fn limited(mut self, limiter: Option<&Limiter>) -> Self {
        self.limiter = limiter.cloned();
        self
    }

    /// Reads as many keys of a table as there are, no key twice; in no order.
    pub(crate) async fn all(&self, schema: &IndexSchema, keys: &[&KeyId]) -> Result<FetchOutput> {
        let chunks = keys.chunks(MAX_KEYS).map(|chunk| self.chunk(schema, chunk));
        let mut all = Ok(FetchOutput::default());
        concurrent::each(AT_ONCE, chunks, |chunk| match (&mut all, chunk) {
            (Ok(all), Ok(chunk)) => {
                all.items.extend(chunk.items);
                all.left.extend(chunk.left);
                all.throttled = all.throttled.take().or(chunk.throttled);
                ControlFlow::Continue(())
            }
            (Ok(_), Err(error)) => {
                all = Err(error);
                ControlFlow::Break(())
            }
            (Err(_), _) => ControlFlow::Break(()),
        })
        .await;
        all
    }

    /// The item of each of these entries of an index; none where the item is not there any more, or is in another place of the index by
    /// now.
    pub(crate) async fn in_order(
        &self,
        meta: &'static EntityMeta,
        keys: &[&'static IndexSchema],
        entries: &[RawItem],
    ) -> Result<Vec<Option<RawItem>>> {
        let table = &meta.schema.key;
        // An index may show an item twice for a moment: where it was, and where it is.
        let wanted = entries.iter().filter_map(|entry| entry.key(table));
        let wanted: Vec<KeyId> = wanted.collect();
        let mut seen = HashSet::new();
        let wanted: Vec<&KeyId> = wanted.iter().filter(|key| seen.insert(*key)).collect();
        let fetched = self.all(table, &wanted).await?;
        if !fetched.left.is_empty() {
            return Err(fetched.throttled.unwrap_or(Error::UnprocessedKeys {
                entity: meta.name,
                left: fetched.left.len(),
            }));
        }
        let items = fetched.items.into_iter();
        let found: HashMap<KeyId, RawItem> = items
            .filter_map(|item| Some((item.key(table)?, item)))
            .collect();
        let item = |entry: &RawItem| {
            let item = found.get(&entry.key(table)?)?;
            (key_of(keys, item) == key_of(keys, entry)).then(|| item.clone())
        };
        Ok(entries.iter().map(item).collect())
    }

    /// Reads up to 100 keys, and what DynamoDB leaves undone or throttles again after a while.
    async fn chunk(&self, schema: &IndexSchema, keys: &[&KeyId]) -> Result<FetchOutput> {
        let as_item = |key: &&KeyId| (*key).clone().into_item(schema);
        // What DynamoDB left, once it has read some.
        let mut left: Option<Vec<Item>> = None;
        let mut backoff = Backoff::default().limited(self.limiter.as_ref());
        let mut items = Vec::new();
        let asked = RequestContext {
            table: &self.table,
            index: "",
            partition: &[],
        };
        loop {
            let ReadExpressions {
                projection, names, ..
            } = self.expressions.clone();
            let wanted = match &left {
                Some(left) => left.clone(),
                None => keys.iter().map(as_item).collect(),
            };
            let wanted = KeysAndAttributes::builder()
                .set_keys(Some(wanted))
                .set_consistent_read(self.consistency.as_member())
                .set_projection_expression(projection)
                .set_expression_attribute_names(names)
                .build()
                .map_err(service_error)?;
            let request = self.client.batch_get_item();
            let request = request.request_items(&self.table, wanted);
            let kept =
                CapturedResponse::writing(ItemBodies::new(self.format), Some(backoff.observer()));
            let reserved = Limiter::acquire(self.limiter.as_ref()).await;
            let sent = request.customize().interceptor(kept.hook()).send().await;
            drop(reserved);
            let throttled = match kept.sent(sent, asked).map_err(Error::from) {
                Ok(output) => {
                    let (output, read) = kept.items(output, asked)?;
                    let before = items.len();
                    items.extend(read.into_iter().flatten());
                    let undone = output.unprocessed_keys.into_iter().flatten();
                    let undone: Vec<Item> = undone.flat_map(|(_, undone)| undone.keys).collect();
                    if !undone.is_empty() && !is_full(&items[before..]) {
                        self.limiter
                            .as_ref()
                            .inspect(|limiter| limiter.left_undone());
                    }
                    left = Some(undone);
                    None
                }
                // None of them were read.
                Err(error) if error.is_throttled() => Some(error),
                Err(error) => return Err(error),
            };
            let is_done = left.as_ref().is_some_and(Vec::is_empty);
            if is_done || !backoff.wait().await {
                let left = left.unwrap_or_else(|| keys.iter().map(as_item).collect());
                return Ok(FetchOutput {
                    items,
                    left,
                    throttled,
                });
            }
        }
    }
}

/// Whether keys were left because no more items fit into the response, rather than because DynamoDB throttled.
fn is_full(items: &[RawItem]) -> bool {
    items.iter().map(RawItem::most_bytes).sum::<usize>() >= FULL_RESPONSE
}
