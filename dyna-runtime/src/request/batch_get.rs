//! Reading many items by their keys.

use crate::entity::projection::View;
use crate::entity::{Entity, EntityMeta, Key};
use crate::error::{Error, Result};
use crate::key::{KeyError, KeyId};
use crate::read::expiry::is_expired;
use crate::read::fetch::Fetch;
use crate::read::what::What;
use crate::read::{Consistency, Expired};
use crate::table::{DynaTable, Handle, HasEntity, Table};
use crate::transport::{Raw, ResponseFuture, finish};
use std::collections::{HashMap, HashSet};
use std::future::IntoFuture;
use std::marker::PhantomData;

/// Reads many items by their primary keys: [`Table::batch_get`].
#[must_use = "a request does nothing until it is awaited: add `.await?`"]
pub struct BatchGet<'t, T, E: Entity, V = E> {
    db: &'t Table<T>,
    keys: Vec<Key<E>>,
    consistency: Consistency,
    expired: Expired,
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
            consistency: Consistency::Eventual,
            expired: Expired::Returned,
            skip_unreadable: false,
            yields: PhantomData,
        }
    }
}

impl<'t, T: DynaTable, E: Entity, V: View<E>> BatchGet<'t, T, E, V> {
    /// Sees every write that was answered before, for twice the read capacity.
    pub fn consistent(mut self) -> Self {
        self.consistency = Consistency::Strong;
        self
    }

    /// Leaves out items that have expired, and that DynamoDB has not deleted yet: they are `None`.
    pub fn skip_expired(mut self) -> Self {
        self.expired = Expired::LeftOut;
        self
    }

    /// Puts aside the items that cannot be read, instead of failing: they are errors in [`BatchGetOutput::unreadable`], with their keys.
    pub fn skip_unreadable(mut self) -> Self {
        self.skip_unreadable = true;
        self
    }

    /// Reads only the fields of the projection `P`, and of each item its key.
    pub fn project<P: View<E>>(self) -> BatchGet<'t, T, E, P> {
        BatchGet {
            db: self.db,
            keys: self.keys,
            consistency: self.consistency,
            expired: self.expired,
            skip_unreadable: self.skip_unreadable,
            yields: PhantomData,
        }
    }
}

/// What was found, as the entities and keys that it is.
fn read<E: Entity, V: View<E>>(found: Found) -> Result<BatchGetOutput<E, V>> {
    let mut batch = BatchGetOutput {
        items: Vec::with_capacity(found.items.len()),
        unreadable: Vec::new(),
        unprocessed: Vec::with_capacity(found.unprocessed.len()),
    };
    for item in found.items {
        let item = match item {
            Some(item) => match item.read(V::read) {
                Ok(item) => Some(item),
                Err(error) if found.skip_unreadable => {
                    batch.unreadable.push(error);
                    None
                }
                Err(error) => return Err(error),
            },
            None => None,
        };
        batch.items.push(item);
    }
    for key in found.unprocessed {
        batch.unprocessed.push(Key::from_id(key));
    }
    Ok(batch)
}

/// What is read.
struct Asked {
    meta: &'static EntityMeta,
    what: What,
    /// The keys, or what is wrong with the first that is none.
    keys: Result<Vec<KeyId>, Box<KeyError>>,
    consistency: Consistency,
    expired: Expired,
    skip_unreadable: bool,
}

/// What was found.
struct Found {
    /// An item, or none, for each key.
    items: Vec<Option<Raw>>,
    unprocessed: Vec<KeyId>,
    skip_unreadable: bool,
}

fn keys<E: Entity>(keys: Vec<Key<E>>) -> Result<Vec<KeyId>, Box<KeyError>> {
    let mut ids = Vec::with_capacity(keys.len());
    for key in keys {
        ids.push(key.into_id()?);
    }
    Ok(ids)
}

fn found(db: &Handle, asked: Asked) -> ResponseFuture<'_, Found> {
    Box::pin(find(db, asked))
}

async fn find(db: &Handle, asked: Asked) -> Result<Found> {
    let (meta, ids) = (asked.meta, asked.keys?);
    let table = &meta.schema.key;
    let mut wanted: Vec<&KeyId> = Vec::new();
    let mut found: HashMap<&KeyId, Option<Raw>> = HashMap::new();
    for id in &ids {
        if found.insert(id, None).is_none() {
            wanted.push(id);
        }
    }
    let mut projection = asked.what.render(meta, table, true);
    if let (Expired::LeftOut, Some(ttl), Some(projection)) =
        (asked.expired, &meta.schema.ttl, &mut projection)
    {
        projection.also(ttl.into());
    }
    let fetch = Fetch::new(db, db.name()?, asked.consistency, projection);
    let fetched = fetch.all(table, &wanted).await?;
    let now = db.now();
    let is_wanted = |item: &Raw| {
        item.is_tagged_as(meta)
            && (asked.expired == Expired::Returned || !is_expired(meta, item, now))
    };
    for item in fetched.items.into_iter().filter(is_wanted) {
        if let Some(place) = item.key(table).and_then(|id| found.get_mut(&id)) {
            *place = Some(item.check_keys(db.checks_keys()));
        }
    }
    let left = fetched.left.iter();
    let left: HashSet<KeyId> = left.filter_map(|key| KeyId::of_item(table, key)).collect();
    let items = ids.iter().map(|id| found.get(id).cloned().flatten());
    Ok(Found {
        items: items.collect(),
        unprocessed: ids.iter().filter(|id| left.contains(id)).cloned().collect(),
        skip_unreadable: asked.skip_unreadable,
    })
}

impl<'t, T: DynaTable, E: Entity, V: View<E>> IntoFuture for BatchGet<'t, T, E, V> {
    type Output = Result<BatchGetOutput<E, V>>;
    type IntoFuture = ResponseFuture<'t, BatchGetOutput<E, V>>;

    fn into_future(self) -> Self::IntoFuture {
        let asked = Asked {
            meta: E::META,
            what: What::of::<E, V>(),
            keys: keys(self.keys),
            consistency: self.consistency,
            expired: self.expired,
            skip_unreadable: self.skip_unreadable,
        };
        finish(found(self.db.handle(), asked), read::<E, V>)
    }
}

impl<T, E: Entity, V> std::fmt::Debug for BatchGet<'_, T, E, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BatchGet({} × {})", E::META.name, self.keys.len())
    }
}
