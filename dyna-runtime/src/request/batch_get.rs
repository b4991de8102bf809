//! Reading many items by their keys.

use crate::entity::owner::claim::Claim;
use crate::entity::projection::View;
use crate::entity::{Entity, EntityMeta, Key};
use crate::error::{Error, Result};
use crate::key::{KeyError, KeyId};
use crate::read::attributes::Attributes;
use crate::read::expiry::is_expired;
use crate::read::fetch::Fetch;
use crate::read::{Consistency, Expired};
use crate::table::{DynaTable, Handle, HasEntity, Table};
use crate::transport::limiter::{Limiter, ReadLimit};
use crate::transport::{RawItem, ResponseFuture, finish};
use std::collections::{HashMap, HashSet};
use std::future::IntoFuture;
use std::marker::PhantomData;

/// Reads many items by their primary keys: [`Table::batch_get`].
///
#[doc = include_str!("../guide/lost/read.md")]
#[must_use = "a request does nothing until it is awaited: add `.await?`"]
pub struct BatchGet<'t, T, E: Entity, V = E> {
    db: &'t Table<T>,
    keys: Vec<Key<E>>,
    consistency: Consistency,
    expired: Expired,
    skip_unreadable: bool,
    limiter: Option<Limiter>,
    yields: PhantomData<fn() -> V>,
}

/// The output of a batch of reads.
#[derive(Debug)]
#[non_exhaustive]
pub struct BatchGetOutput<E: Entity, V = E> {
    /// An item, or `None`, for each key, in the order of the keys. An item whose tag is another entity's is `None`.
    pub items: Vec<Option<V>>,
    /// The errors of items that cannot be decoded, after [`skip_unreadable`](BatchGet::skip_unreadable); these items are `None`.
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
            limiter: None,
            yields: PhantomData,
        }
    }
}

impl<'t, T: DynaTable, E: Entity, V: View<E>> BatchGet<'t, T, E, V> {
    /// Reads consistently: sees every write that succeeded before, for twice the read capacity.
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

    /// Consumes at most so much read capacity per second: see [`rcu`](crate::rcu).
    pub fn at_most(mut self, limit: ReadLimit) -> Self {
        self.limiter = Some(limit.0);
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
            limiter: self.limiter,
            yields: PhantomData,
        }
    }
}

/// Decodes the items that were found.
fn read<E: Entity, V: View<E>>(found: FoundItems) -> Result<BatchGetOutput<E, V>> {
    let mut batch = BatchGetOutput {
        items: Vec::with_capacity(found.items.len()),
        unreadable: Vec::new(),
        unprocessed: Vec::with_capacity(found.unprocessed.len()),
    };
    for item in found.items {
        let item = match item {
            Some(item) => match item.decode(V::read) {
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

/// The keys to read.
struct KeysToRead {
    meta: &'static EntityMeta,
    what: Attributes,
    /// The keys, or what is wrong with the first that is none.
    keys: Result<Vec<KeyId>, Box<KeyError>>,
    /// Whether some were given as they are stored, and may be keys of other entities.
    has_raw_keys: bool,
    consistency: Consistency,
    expired: Expired,
    skip_unreadable: bool,
    limiter: Option<Limiter>,
}

/// The items that were found.
struct FoundItems {
    /// An item, or none, for each key.
    items: Vec<Option<RawItem>>,
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

fn found(db: &Handle, asked: KeysToRead) -> ResponseFuture<'_, FoundItems> {
    Box::pin(find(db, asked))
}

async fn find(db: &Handle, asked: KeysToRead) -> Result<FoundItems> {
    let (meta, ids) = (asked.meta, asked.keys?);
    asked.what.check(db)?;
    let table = &meta.schema.key;
    let mut wanted: Vec<&KeyId> = Vec::new();
    let mut found: HashMap<&KeyId, Option<RawItem>> = HashMap::new();
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
    let fetch = fetch.limited(asked.limiter.as_ref());
    let fetched = fetch.all(table, &wanted).await?;
    let now = db.now();
    let is_wanted =
        |item: &RawItem| asked.expired == Expired::Returned || !is_expired(meta, item, now);
    let items = fetched.items.into_iter().filter(is_wanted);
    for item in items.filter_map(|item| item.at_key_of(meta)) {
        let Some(id) = item.key(table) else { continue };
        let claim = if asked.has_raw_keys {
            Claim::of(meta, db.entities(), &id)
        } else {
            Claim::Own
        };
        if let Some(place) = found.get_mut(&id)
            && item.is_claimed(meta, claim)
        {
            *place = Some(item.check_keys(db.checks_keys()));
        }
    }
    let left = fetched.left.iter();
    let left: HashSet<KeyId> = left.filter_map(|key| KeyId::of_item(table, key)).collect();
    let items = ids.iter().map(|id| found.get(id).cloned().flatten());
    Ok(FoundItems {
        items: items.collect(),
        unprocessed: ids.iter().filter(|id| left.contains(id)).cloned().collect(),
        skip_unreadable: asked.skip_unreadable,
    })
}

impl<'t, T: DynaTable, E: Entity, V: View<E>> IntoFuture for BatchGet<'t, T, E, V> {
    type Output = Result<BatchGetOutput<E, V>>;
    type IntoFuture = ResponseFuture<'t, BatchGetOutput<E, V>>;

    fn into_future(self) -> Self::IntoFuture {
        let asked = KeysToRead {
            meta: E::META,
            what: Attributes::of::<E, V>(),
            has_raw_keys: self.keys.iter().any(|key| key.claim() != Claim::Own),
            keys: keys(self.keys),
            consistency: self.consistency,
            expired: self.expired,
            skip_unreadable: self.skip_unreadable,
            limiter: self.limiter,
        };
        finish(found(self.db.handle(), asked), read::<E, V>)
    }
}

impl<T, E: Entity, V> std::fmt::Debug for BatchGet<'_, T, E, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BatchGet({} × {})", E::META.name, self.keys.len())
    }
}
