//! Reading many items by their keys.

use crate::entity::Entity;
use crate::entity::Key;
use crate::entity::projection::View;
use crate::error::{Error, Result};
use crate::key::KeyId;
use crate::read::expiry::is_expired;
use crate::read::fetch::Fetch;
use crate::read::what::What;
use crate::table::{DynaTable, HasEntity, Table};
use crate::transport::Raw;
use crate::transport::ResponseFuture;
use std::collections::{HashMap, HashSet};
use std::future::IntoFuture;
use std::marker::PhantomData;

/// Reads many items by their primary keys: [`Table::batch_get`].
#[must_use = "a request does nothing until it is awaited: add `.await?`"]
pub struct BatchGet<'t, T, E: Entity, V = E> {
    db: &'t Table<T>,
    keys: Vec<Key<E>>,
    consistent: bool,
    live: bool,
    skip_unreadable: bool,
    yields: PhantomData<fn() -> V>,
}

/// What a batch of reads found.
#[derive(Debug)]
#[non_exhaustive]
pub struct BatchGetOutput<E: Entity, V = E> {
    /// An item, or `None`, for each key, in the order of the keys. An item whose tag is another entity's is `None`.
    pub items: Vec<Option<V>>,
    /// What cannot be read, after [`skip_unreadable`](BatchGet::skip_unreadable); these items are `None`.
    pub unreadable: Vec<Error>,
    /// Keys that DynamoDB had not read when the tries were used up; their items are `None`.
    pub unprocessed: Vec<Key<E>>,
}

impl<T: DynaTable> Table<T> {
    /// Reads many items by their primary keys, however many: 100 per request and four requests at a time, each key once, and what
    /// DynamoDB leaves undone or throttles again after a while.
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
    pub fn batch_get<E: Entity>(&self, keys: impl IntoIterator<Item = Key<E>>) -> BatchGet<'_, T, E>
    where
        T: HasEntity<E>,
    {
        BatchGet {
            db: self,
            keys: keys.into_iter().collect(),
            consistent: false,
            live: false,
            skip_unreadable: false,
            yields: PhantomData,
        }
    }
}

impl<'t, T: DynaTable, E: Entity, V: View<E>> BatchGet<'t, T, E, V> {
    /// Sees every write that was answered before, for twice the read capacity.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// Leaves out items that have expired, and that DynamoDB has not deleted yet: they are `None`.
    pub fn skip_expired(mut self) -> Self {
        self.live = true;
        self
    }

    /// Puts aside the items that cannot be read, instead of failing: they are errors in [`Batch::unreadable`], with their keys.
    pub fn skip_unreadable(mut self) -> Self {
        self.skip_unreadable = true;
        self
    }

    /// Reads only the fields of the projection `P`, and of each item its key.
    pub fn project<P: View<E>>(self) -> BatchGet<'t, T, E, P> {
        BatchGet {
            db: self.db,
            keys: self.keys,
            consistent: self.consistent,
            live: self.live,
            skip_unreadable: self.skip_unreadable,
            yields: PhantomData,
        }
    }

    async fn run(self) -> Result<BatchGetOutput<E, V>> {
        let table = &E::META.schema.key;
        let ids = self
            .keys
            .iter()
            .map(Key::id)
            .collect::<Result<Vec<_>, _>>()?;
        let mut wanted: Vec<&KeyId> = Vec::new();
        let mut found: HashMap<&KeyId, Option<Raw>> = HashMap::new();
        for id in &ids {
            if found.insert(id, None).is_none() {
                wanted.push(id);
            }
        }
        let mut projection = What::of::<E, V>().render(E::META, table, true);
        if let (true, Some(ttl), Some(projection)) =
            (self.live, &E::META.schema.ttl, &mut projection)
        {
            projection.also(ttl.into());
        }
        let fetch = Fetch::new(self.db, self.db.name()?, self.consistent, projection);
        let fetched = fetch.all(table, &wanted).await?;
        let now = self.db.now();
        let is_wanted = |item: &Raw| {
            item.look(|item| E::META.is_tag_of(item))
                && (!self.live || !is_expired(E::META, item, now))
        };
        for item in fetched.items.into_iter().filter(is_wanted) {
            if let Some(place) = item.key(table).and_then(|id| found.get_mut(&id)) {
                *place = Some(item.check_keys(self.db.checks_keys()));
            }
        }
        let left = fetched.left.iter();
        let left: HashSet<KeyId> = left.filter_map(|key| KeyId::of_item(table, key)).collect();
        let unprocessed = self
            .keys
            .iter()
            .zip(&ids)
            .filter(|(_, id)| left.contains(id));
        let unprocessed = unprocessed.map(|(key, _)| key.clone()).collect();
        let (mut items, mut unreadable) = (Vec::with_capacity(ids.len()), Vec::new());
        for id in &ids {
            let item = found.get(id).cloned().flatten();
            match item.map(|item| item.read(V::read)).transpose() {
                Ok(item) => items.push(item),
                Err(error) if self.skip_unreadable => {
                    items.push(None);
                    unreadable.push(error);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(BatchGetOutput {
            items,
            unreadable,
            unprocessed,
        })
    }
}

impl<'t, T: DynaTable, E: Entity, V: View<E>> IntoFuture for BatchGet<'t, T, E, V> {
    type Output = Result<BatchGetOutput<E, V>>;
    type IntoFuture = ResponseFuture<'t, BatchGetOutput<E, V>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

impl<T, E: Entity, V> std::fmt::Debug for BatchGet<'_, T, E, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BatchGet({} × {})", E::META.name, self.keys.len())
    }
}
