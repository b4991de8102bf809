//! Reading the items of a partition, in key order.

mod ask;
mod draft;
mod run;

pub use draft::{Draft, query};

use super::{Explain, Items, decode};
use crate::cursor::Cursor;
use crate::entity::DynaEntity;
use crate::error::{Error, Result};
use crate::expr::Condition;
use crate::schema::{Consistent, KeySpace, YieldsWhole};
use crate::table::{Lists, Table};
use std::marker::PhantomData;
use std::ops::Deref;

/// Reads the items of one partition: `Message::query(..)`, or through an index `Message::by_id(..)`.
///
/// The fields of the sort key follow as methods, in the order of the template: `.sent_ms(t)` fixes a field and offers
/// the next, `.sent_ms_range(a..b)` ends the sort key. They live on `S`, a small type per entity, so that a field
/// cannot be skipped and there is never more than one condition. `K` is what is queried: the table or an index.
#[must_use = "a request does nothing until it is sent"]
pub struct Query<E, K, S> {
    steps: S,
    types: PhantomData<fn() -> (E, K)>,
}

/// A query under construction: what a generated type of sort-key steps holds.
pub trait Steps {
    /// The query so far.
    fn draft(&self) -> &Draft;

    /// The query so far.
    fn draft_mut(&mut self) -> &mut Draft;
}

/// No further sort-key condition can be given.
#[derive(Debug, Clone)]
pub struct Done(#[doc(hidden)] pub Draft);

impl Steps for Done {
    fn draft(&self) -> &Draft {
        &self.0
    }

    fn draft_mut(&mut self) -> &mut Draft {
        &mut self.0
    }
}

impl<E, K> Query<E, K, Done> {
    fn done(draft: Draft) -> Self {
        Self::new(Done(draft))
    }
}

impl<E, K, S> Query<E, K, S> {
    fn new(steps: S) -> Self {
        Self {
            steps,
            types: PhantomData,
        }
    }
}

impl<E, K, S> Deref for Query<E, K, S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.steps
    }
}

impl<E, K, S: Clone> Clone for Query<E, K, S> {
    fn clone(&self) -> Self {
        Self::new(self.steps.clone())
    }
}

impl<E: DynaEntity, K, S> std::fmt::Debug for Query<E, K, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Query({})", E::META.name)
    }
}

impl<E: DynaEntity, K: KeySpace, S: Steps> Query<E, K, S> {
    /// Only items of which this is true; a second filter narrows the first.
    ///
    /// DynamoDB reads the others too, and bills them: a filter saves what is sent, not what is read. A [`limit`](Self::limit) counts
    /// the items that pass; without one, [`send`](Self::send) may return few items or none and still have a next page. The key
    /// attributes of what is queried cannot be filtered on: they are what the query itself is about.
    pub fn filter(mut self, condition: Condition<E>) -> Self {
        self.steps.draft_mut().filter(condition.into_expr());
        self
    }

    /// From the last sort key to the first.
    pub fn newest_first(mut self) -> Self {
        self.steps.draft_mut().backward = true;
        self
    }

    /// At most this many items, however many requests that takes. A limit of zero reads nothing.
    pub fn limit(mut self, items: usize) -> Self {
        self.steps.draft_mut().limit = Some(items);
        self
    }

    /// At most this many items are looked at per request: DynamoDB's `Limit`.
    pub fn page_size(mut self, items: u32) -> Self {
        self.steps.draft_mut().page_size = Some(i32::try_from(items.max(1)).unwrap_or(i32::MAX));
        self
    }

    /// Goes on where a page ended. The cursor must come from the same query: the same table, index, partition and direction.
    pub fn after(mut self, cursor: impl Into<Option<Cursor>>) -> Self {
        self.steps.draft_mut().after = cursor.into();
        self
    }

    /// Sees every write that was answered before, for twice the read capacity. Not on a global secondary index.
    pub fn consistent(mut self) -> Self
    where
        K::Reads: Consistent,
    {
        self.steps.draft_mut().consistent = true;
        self
    }

    /// Reads one page: up to [`limit`](Self::limit) items, or as many as DynamoDB gives in one answer (1 MB).
    pub async fn send<T: Lists<E>>(self, db: &Table<T>) -> Result<Page<E>>
    where
        K::Yields: YieldsWhole,
    {
        let one_answer = self.steps.draft().limit.is_none();
        let (items, next) = run::run(db, self.steps.draft(), T::FOREIGN, one_answer).await?;
        let items = items.into_iter().map(decode).collect::<Result<_>>()?;
        Ok(Page { items, next })
    }

    /// Reads all items, up to [`limit`](Self::limit), with as many requests as it takes.
    pub async fn all<T: Lists<E>>(self, db: &Table<T>) -> Result<Vec<E>>
    where
        K::Yields: YieldsWhole,
    {
        let (items, _) = run::run(db, self.steps.draft(), T::FOREIGN, false).await?;
        items.into_iter().map(decode).collect()
    }

    /// The items one by one, as they come: one request at a time, when its items are wanted.
    pub fn stream<T: Lists<E>>(self, db: &Table<T>) -> Items<E>
    where
        K::Yields: YieldsWhole,
    {
        let reader = run::reader(db, self.steps.draft(), T::FOREIGN);
        Items::new(reader.map(|reader| reader.into_iter().collect()), decode)
    }

    /// How many items there are, up to [`limit`](Self::limit). DynamoDB reads them all the same.
    pub async fn count<T: Lists<E>>(self, db: &Table<T>) -> Result<usize> {
        run::count(db, self.steps.draft(), T::FOREIGN).await
    }

    /// The first item, if there is one.
    pub async fn first<T: Lists<E>>(self, db: &Table<T>) -> Result<Option<E>>
    where
        K::Yields: YieldsWhole,
    {
        Ok(self.at_most(1).all(db).await?.pop())
    }

    /// The only item, if there is one. It is an error if there are two.
    pub async fn one<T: Lists<E>>(self, db: &Table<T>) -> Result<Option<E>>
    where
        K::Yields: YieldsWhole,
    {
        let mut items = self.at_most(2).all(db).await?;
        match items.len() {
            0 | 1 => Ok(items.pop()),
            _ => Err(Error::MoreThanOne {
                entity: E::META.name,
            }),
        }
    }

    /// No more than a limit that is already set.
    fn at_most(self, items: usize) -> Self {
        let limit = self
            .steps
            .draft()
            .limit
            .map_or(items, |limit| limit.min(items));
        self.limit(limit)
    }

    /// What it asks. Not shown: the condition on the tag that it has where other entities' items are in reach, which only the
    /// handle of the table knows.
    pub fn explain(&self) -> Explain {
        self.steps.draft().explain()
    }
}

/// A page of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<E> {
    /// The items, in key order.
    pub items: Vec<E>,
    /// Where to go on, if there is more: give it to [`Query::after`].
    pub next: Option<Cursor>,
}
