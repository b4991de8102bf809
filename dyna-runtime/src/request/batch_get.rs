//! Reading many items by their keys.

use super::backoff::Backoff;
use super::decode;
use crate::codec::Item;
use crate::entity::DynaEntity;
use crate::error::{Result, of_service};
use crate::key::{Key, KeyId};
use crate::table::{DynaTable, Lists, Table};
use aws_sdk_dynamodb::types::KeysAndAttributes;
use std::collections::HashMap;
use std::future::{Future, IntoFuture};
use std::pin::Pin;

/// Most keys that DynamoDB takes in one request.
const MAX_KEYS: usize = 100;

/// Reads many items by their primary keys: [`Table::batch_get`].
#[must_use = "a request does nothing until it is awaited"]
pub struct BatchGet<'t, T, E: DynaEntity> {
    db: &'t Table<T>,
    keys: Vec<Key<E>>,
    consistent: bool,
}

/// What a batch of reads found.
#[derive(Debug)]
pub struct Batch<E: DynaEntity> {
    /// An item, or `None`, for each key, in the order of the keys.
    pub items: Vec<Option<E>>,
    /// Keys that DynamoDB had not read when the tries were used up; their items are `None`.
    pub unprocessed: Vec<Key<E>>,
}

impl<T: DynaTable> Table<T> {
    /// Reads many items by their primary keys, however many: 100 per request, each key once, and what DynamoDB leaves
    /// undone again after a while.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
    /// # struct User { id: String }
    /// # async fn run(db: &dyna_runtime::Table<User>) -> dyna_runtime::Result<()> {
    /// let batch = db.batch_get([User::key("ann"), User::key("bob")]).consistent().await?;
    /// assert_eq!(batch.items.len(), 2);
    /// # Ok(()) }
    /// ```
    pub fn batch_get<E: DynaEntity>(
        &self,
        keys: impl IntoIterator<Item = Key<E>>,
    ) -> BatchGet<'_, T, E>
    where
        T: Lists<E>,
    {
        BatchGet {
            db: self,
            keys: keys.into_iter().collect(),
            consistent: false,
        }
    }
}

impl<T: DynaTable, E: DynaEntity> BatchGet<'_, T, E> {
    /// Sees every write that was answered before, for twice the read capacity.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    async fn run(self) -> Result<Batch<E>> {
        let table = self.db.name()?;
        let ids = self
            .keys
            .iter()
            .map(Key::id)
            .collect::<Result<Vec<_>, _>>()?;
        let mut wanted: Vec<&KeyId> = Vec::new();
        let mut found: HashMap<&KeyId, Option<Item>> = HashMap::new();
        for id in &ids {
            if found.insert(id, None).is_none() {
                wanted.push(id);
            }
        }
        let mut left: Vec<Item> = Vec::new();
        for chunk in wanted.chunks(MAX_KEYS) {
            let keys = chunk
                .iter()
                .map(|id| (*id).clone().into_item(&E::META.schema.key))
                .collect();
            let (items, undone) = self.chunk(table, keys).await?;
            left.extend(undone);
            for item in items {
                if let Some(place) =
                    KeyId::of_item(&E::META.schema.key, &item).and_then(|id| found.get_mut(&id))
                {
                    *place = Some(item);
                }
            }
        }
        let left: Vec<KeyId> = left
            .iter()
            .filter_map(|key| KeyId::of_item(&E::META.schema.key, key))
            .collect();
        let unprocessed = self
            .keys
            .iter()
            .zip(&ids)
            .filter(|(_, id)| left.contains(id));
        let unprocessed = unprocessed.map(|(key, _)| key.clone()).collect();
        let items = ids
            .iter()
            .map(|id| found.get(id).cloned().flatten().map(decode).transpose());
        Ok(Batch {
            items: items.collect::<Result<_>>()?,
            unprocessed,
        })
    }

    /// Reads up to 100 keys; the items, and the keys that were never read.
    async fn chunk(&self, table: &str, mut keys: Vec<Item>) -> Result<(Vec<Item>, Vec<Item>)> {
        let mut backoff = Backoff::default();
        let mut items = Vec::new();
        loop {
            let wanted = KeysAndAttributes::builder()
                .set_keys(Some(keys))
                .set_consistent_read(self.consistent.then_some(true))
                .build()
                .map_err(of_service)?;
            let request = self
                .db
                .client()
                .batch_get_item()
                .request_items(table, wanted);
            let output = request.send().await.map_err(of_service)?;
            items.extend(
                output
                    .responses
                    .into_iter()
                    .flatten()
                    .flat_map(|(_, items)| items),
            );
            let undone = output.unprocessed_keys.into_iter().flatten();
            keys = undone.flat_map(|(_, undone)| undone.keys).collect();
            if keys.is_empty() || !backoff.wait(self.db.client()).await {
                return Ok((items, keys));
            }
        }
    }
}

impl<'t, T: DynaTable, E: DynaEntity + Send> IntoFuture for BatchGet<'t, T, E> {
    type Output = Result<Batch<E>>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 't>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

impl<T, E: DynaEntity> std::fmt::Debug for BatchGet<'_, T, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BatchGet({} × {})", E::META.name, self.keys.len())
    }
}
