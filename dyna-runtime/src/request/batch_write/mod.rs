//! Writing many items, each for itself.

mod chunk;

use crate::entity::{AnyEntity, BatchDeletable, BatchWritable, Entity, EntityMeta, Key, read};
use crate::error::MAX_ITEM;
use crate::error::{BatchProgress, Error, Result};
use crate::key::{KeyError, KeyId};
use crate::request::Explain;
use crate::table::{DynaTable, Handle, HasEntity, Table};
use crate::transport::backoff::Backoff;
use crate::transport::concurrent;
use crate::transport::limiter::{Limiter, WriteLimit};
use crate::transport::{ResponseFuture, finish};
use crate::write::encode;
use chunk::{Entry, FailedChunk};
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::time::SystemTime;

/// Most writes that DynamoDB takes in one request.
const MAX_WRITES: usize = 25;
// A request may have 16 MB: no 25 items have as much.
const _: () = assert!(MAX_WRITES * MAX_ITEM < 16 * 1024 * 1024);

/// Requests under way at a time, unless told otherwise.
const CONCURRENCY: usize = 4;

/// Puts and deletes of any number, each for itself and without a condition: [`Table::batch_write`].
///
/// ```
/// # use dyna_runtime::{DynaEntity, DynaTable};
/// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
/// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
/// # struct User { id: u32 }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> dyna_runtime::Result<()> {
/// # let db = User::embedded().await?;
/// let users: Vec<User> = (1..=60).map(|id| User { id }).collect();
/// let left = db.batch_write().put_all(&users).delete(User::key(0)).send().await?;
/// assert!(left.is_empty()); // otherwise `left.send().await?` tries again
/// # Ok(()) }
/// ```
///
/// The writes are sent 25 at a time, in no particular order, and what DynamoDB leaves undone again after a while. No two of them may
/// be on one item: that is an error before anything is sent. They are not made together: for that, see [`Table::transact`].
///
/// What `send` returns may have been written by an attempt that got no response.
///
#[doc = include_str!("../../guide/lost/batch_write.md")]
#[must_use = "a batch does nothing until it is sent, and what `send` returns has not been written"]
pub struct BatchWrite<'t, T> {
    spec: BatchSpec<'t>,
    table: PhantomData<fn() -> T>,
}

/// A batch under construction.
struct BatchSpec<'t> {
    db: &'t Handle,
    entries: Vec<Entry>,
    /// The error of the first write that cannot be sent.
    error: Option<Error>,
    concurrency: usize,
    retries: u32,
    limiter: Option<Limiter>,
}

/// An argument of [`BatchWrite::put`]: a reference to an entity.
#[diagnostic::on_unimplemented(
    message = "a batch cannot put `{Self}`",
    label = "expected `&entity`",
    note = "DynamoDB checks no conditions in a batch: what has one is sent alone, or in a transaction"
)]
pub trait IntoBatchPut {
    /// The entity.
    type Entity: Entity;

    /// The entity itself.
    #[doc(hidden)]
    fn entity(&self) -> &Self::Entity;
}

impl<E: Entity> IntoBatchPut for &E {
    type Entity = E;

    fn entity(&self) -> &E {
        self
    }
}

impl<T: DynaTable> Table<T> {
    /// Begins a batch of puts and deletes, of any number.
    pub fn batch_write(&self) -> BatchWrite<'_, T> {
        BatchWrite::of(BatchSpec {
            db: self.handle(),
            entries: Vec::new(),
            error: None,
            concurrency: CONCURRENCY,
            retries: Backoff::TRIES,
            limiter: None,
        })
    }
}

impl<'t, T: DynaTable> BatchWrite<'t, T> {
    /// Writes an entity. **An item with the same key is replaced as a whole.**
    pub fn put<P: IntoBatchPut>(self, entity: P) -> Self
    where
        P::Entity: BatchWritable,
        T: HasEntity<P::Entity>,
    {
        self.put_all([entity.entity()])
    }

    /// Writes entities, as [`put`](Self::put) does each.
    pub fn put_all<'e, E: Entity + BatchWritable>(
        mut self,
        entities: impl IntoIterator<Item = &'e E>,
    ) -> Self
    where
        T: HasEntity<E>,
    {
        let now = self.spec.db.now();
        // As many as are sent together are written together.
        let mut some: Vec<&dyn AnyEntity> = Vec::new();
        for entity in entities {
            some.push(entity);
            if some.len() == MAX_WRITES {
                self.spec.put_all(E::META, &mut some, now);
            }
        }
        self.spec.put_all(E::META, &mut some, now);
        self
    }

    /// Deletes the item with this key. A missing item is not an error.
    pub fn delete<E: Entity + BatchDeletable>(mut self, key: Key<E>) -> Self
    where
        T: HasEntity<E>,
    {
        self.spec.delete(E::META, key.into_own_id());
        self
    }

    /// Deletes the items with these keys.
    pub fn delete_all<E: Entity + BatchDeletable>(
        self,
        keys: impl IntoIterator<Item = Key<E>>,
    ) -> Self
    where
        T: HasEntity<E>,
    {
        keys.into_iter().fold(self, Self::delete)
    }

    /// The number of requests in flight: 4 if this is not called.
    pub fn concurrency(mut self, requests: usize) -> Self {
        self.spec.concurrency = requests;
        self
    }

    /// Consumes at most so much write capacity per second: see [`wcu`](crate::wcu).
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable, wcu};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
    /// # struct User { id: u32 }
    /// # async fn run(db: &dyna_runtime::Table<User>, users: &[User]) -> dyna_runtime::Result<()> {
    /// let left = db.batch_write().put_all(users).at_most(wcu(20).adaptive()).send().await?;
    /// # Ok(()) }
    /// ```
    pub fn at_most(mut self, limit: WriteLimit) -> Self {
        self.spec.limiter = Some(limit.0);
        self
    }

    /// How often each request is made again for what it left undone: 10 times if this is not called, with waits of up to about
    /// 20 seconds in all.
    pub fn retries(mut self, retries: u32) -> Self {
        self.spec.retries = retries;
        self
    }

    /// Makes the writes. What comes back is a batch of those that DynamoDB had not made when the tries were used up, and can be sent
    /// again.
    ///
    /// If some writes were made, or may have been, before DynamoDB refused one, the error is [`Error::PartlyWritten`], for which
    /// [`is_outcome_unknown`](Error::is_outcome_unknown) is true: it says how many were made, how many were not, and of how many it is not
    /// known. Since they have no conditions, all of them can be sent again.
    pub fn send(self) -> ResponseFuture<'t, Self> {
        finish(self.spec.send(), |left| Ok(Self::of(left)))
    }

    /// The requests, without sending them: each write under its number. They are sent 25 at a time.
    pub fn explain(&self) -> Explain {
        self.spec.explain()
    }
}

impl<'t> BatchSpec<'t> {
    /// Writes entities of one type, and leaves none of them.
    fn put_all(
        &mut self,
        meta: &'static EntityMeta,
        entities: &mut Vec<&dyn AnyEntity>,
        now: SystemTime,
    ) {
        if self.error.is_none() {
            let (items, error) = encode::write_all(entities, now);
            let entries = items.into_iter().map(|item| Entry::put(meta, item));
            self.entries.extend(entries);
            self.error = error;
        }
        entities.clear();
    }

    fn delete(&mut self, meta: &'static EntityMeta, key: Result<KeyId, Box<KeyError>>) {
        if self.error.is_none() {
            let key = key.map(|key| key.into_item(&meta.schema.key));
            let entry = key.map_err(Error::from);
            match entry.and_then(|key| Entry::delete(meta, &key)) {
                Ok(entry) => self.entries.push(entry),
                Err(error) => self.error = Some(error),
            }
        }
    }

    /// Makes the writes, and leaves those that were never made.
    fn send(mut self) -> ResponseFuture<'t, Self> {
        Box::pin(async move {
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            check(&self.entries)?;
            let (client, format, table) = (self.db.client(), self.db.format(), self.db.name()?);
            let mut entries = std::mem::take(&mut self.entries).into_iter();
            let mut progress = BatchProgress::of(entries.len());
            let chunks = std::iter::from_fn(|| {
                let chunk: Vec<Entry> = entries.by_ref().take(MAX_WRITES).collect();
                let limiter = self.limiter.as_ref();
                (!chunk.is_empty())
                    .then(|| chunk::write(client, format, table, chunk, self.retries, limiter))
            });
            let mut failed = None;
            concurrent::each(self.concurrency, chunks, |left| match left {
                Ok(left) => {
                    progress.leave(left.entries.len(), left.may_be_made);
                    self.entries.extend(left.entries);
                    ControlFlow::Continue(())
                }
                Err(FailedChunk { error, left }) => {
                    progress.leave(left, error.is_outcome_unknown());
                    failed = failed.take().or(Some(error));
                    ControlFlow::Break(())
                }
            })
            .await;
            progress.leave(entries.len(), false);
            match failed {
                Some(error) => Err(progress.into_error(error)),
                None => Ok(self),
            }
        })
    }

    fn explain(&self) -> Explain {
        let mut explain = Explain::new("BatchWriteItem", self.db.schema().name);
        for (number, entry) in self.entries.iter().enumerate() {
            explain.nested(&number.to_string(), &entry.explain());
        }
        let error = self.error.as_ref().map(ToString::to_string);
        if let Some(error) = error.or_else(|| Some(check(&self.entries).err()?.to_string())) {
            explain.parameter("Error", error);
        }
        explain
    }
}

impl<'t, T> BatchWrite<'t, T> {
    fn of(spec: BatchSpec<'t>) -> Self {
        Self {
            spec,
            table: PhantomData,
        }
    }

    /// How many writes there are.
    pub fn len(&self) -> usize {
        self.spec.entries.len()
    }

    /// Whether there is nothing to write: of what `send` returns, that all is written.
    pub fn is_empty(&self) -> bool {
        self.spec.entries.is_empty()
    }

    /// The entities of `E` that are to be put.
    pub fn puts<E: Entity>(&self) -> impl Iterator<Item = Result<E>> {
        let puts = self.entries_of::<E>().filter(|entry| entry.is_put);
        puts.map(|entry| entry.item.raw(entry.meta.name)?.decode(read))
    }

    /// The keys of `E` that are to be deleted.
    pub fn deletes<E: Entity>(&self) -> impl Iterator<Item = Key<E>> {
        let deletes = self.entries_of::<E>().filter(|entry| !entry.is_put);
        deletes.filter_map(|entry| entry.key().map(Key::from_id))
    }

    fn entries_of<E: Entity>(&self) -> impl Iterator<Item = &Entry> {
        let own = |entry: &&Entry| entry.meta.id() == E::META.id();
        self.spec.entries.iter().filter(own)
    }
}

/// Refuses what DynamoDB would refuse.
fn check(entries: &[Entry]) -> Result<()> {
    let repeated = repeated(entries)?;
    for (second, entry) in entries.iter().enumerate() {
        entry.item.check(entry.meta)?;
        if let Some((first, _)) = repeated.filter(|repeated| repeated.1 == second) {
            return Err(Error::DuplicateTarget {
                entity: entry.meta.name,
                first,
                second,
                unique: None,
            });
        }
    }
    Ok(())
}

/// The first entry whose item an earlier one has, behind that one.
fn repeated(entries: &[Entry]) -> Result<Option<(usize, usize)>> {
    // Items are often in the order of their keys.
    let keys = entries.iter().map(|entry| entry.item.key_text());
    if keys.is_sorted_by(|first, second| first.is_some() && first < second) {
        return Ok(None);
    }
    let keys = entries.iter().zip(0..).map(|(entry, n)| {
        let key = entry.item.key_text().ok_or(Error::Internal {
            entity: entry.meta.name,
            what: "the key of an item is not where it was written",
        })?;
        Ok((key, n))
    });
    let mut keys: Vec<(&str, usize)> = keys.collect::<Result<_>>()?;
    keys.sort_unstable();
    let pairs = keys.iter().zip(keys.iter().skip(1));
    let same = pairs.filter(|(first, second)| first.0 == second.0);
    let same = same.map(|(first, second)| (first.1, second.1));
    Ok(same.min_by_key(|(_, second)| *second))
}

/// Without the items, which may be personal data.
impl<T> std::fmt::Debug for BatchWrite<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BatchWrite({} writes)", self.spec.entries.len())
    }
}
