//! Queries.

mod any;
mod partition;
mod render;
mod run;
mod spec;
mod unfinished;

pub use partition::InPartition;
pub use spec::{QuerySpec, collect, query, query_many, query_spec};
pub use unfinished::Unfinished;

use run::SentQuery;
use spec::Reach;

use crate::cursor::IntoCursor;
use crate::entity::Entity;
use crate::entity::projection::{CanYield, View};
use crate::error::Result;
use crate::expr::FilterOf;
use crate::read::attributes::Attributes;
use crate::read::{Consistency, Direction, Expired, Extent, Start};
use crate::read::{ItemStream, OnMisfit, OnUnreadable, Page, count_check, decoded};
use crate::request::Explain;
use crate::request::skip_unreadable::SkipUnreadable;
use crate::schema::{Consistent, HasIndex, Hydrated, Primary, Queryable, Secondary};
use crate::table::StoredIn;
use crate::table::{DynaTable, Table};
use crate::transport::limiter::ReadLimit;
use crate::transport::{ResponseFuture, finish};
pub use any::AnyQuery;
use std::marker::PhantomData;
use std::ops::Deref;
use std::time::SystemTime;

/// A query of one or more partitions of a table or an index.
///
/// Generated functions create it: `Message::query(..)` for the table, `Message::by_id(..)` for an index, `Message::query_many(..)` for
/// several partitions. Buckets of [`shard`](crate#templates) are not arguments: all of them are read. Several partitions are merged by
/// sort key, and by the order of the partitions where sort keys are equal. A partition that is given twice is read once:
///
/// ```
/// # use dyna_runtime::{DynaEntity, DynaTable};
/// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
/// # #[dyna(table(name = "payments", pk = "pk", sk = "sk"), pk = "USER#<user>#<month>", sk = "<day:02>#<id>")]
/// # struct Payment { user: String, month: String, day: u8, id: String }
/// # async fn run(db: &dyna_runtime::Table<Payment>) -> dyna_runtime::Result<()> {
/// // pk = "USER#<user>#<month>", sk = "<day:02>#<id>"
/// let months = ["2025-01", "2025-02", "2025-03"];
/// let page = Payment::query_many(months.map(|month| ("ann", month))).day_range(..=15).limit(50).send(db).await?;
/// # Ok(()) }
/// ```
///
/// About one response of each partition is held in memory.
///
/// Methods named after the fields of the sort key narrow it, in template order: `.sent_ms(t)` fixes a field, `.sent_ms_range(a..b)` ends
/// the sort key. They live on `S`, a small type for each entity, so that no field can be skipped and there is only one sort-key
/// condition. `K` is the table or index that is queried. `V` is the type of the items: the entity, or a [projection](Self::project).
///
#[doc = include_str!("../../guide/lost/read.md")]
#[must_use = "a request does nothing until it is sent: add `.send(&db).await?` or `.all(&db).await?`"]
pub struct Query<E, K, S, V = E> {
    steps: S,
    types: PhantomData<fn(E, K) -> V>,
}

/// A query of an entity's own key whose steps are [finished](Query::finish): the short name of a query that is stored or returned. Queries
/// of indexes and of collections are stored as [`AnyQuery`].
pub type EntityQuery<E, V = E> = Query<E, Primary<<E as Entity>::Table>, NoSteps, V>;

/// A query under construction: what a generated type of sort-key steps holds.
pub trait Steps {
    /// The steps that come next.
    fn new(spec: QuerySpec) -> Self;

    /// The query so far.
    fn spec(&self) -> &QuerySpec;

    /// The query so far.
    fn spec_mut(&mut self) -> &mut QuerySpec;

    /// The query so far.
    fn into_spec(self) -> QuerySpec;
}

/// Whether a field has no delimiter after it, so that the next field must be fixed with it.
#[derive(Debug)]
pub struct Ends<const OPEN: bool>;

/// The type after a field: a query `Q`, or steps `S` that are not a query yet.
#[doc(hidden)]
pub trait Next<Q, S> {
    /// The type after the field.
    type Step;

    /// Goes on with it.
    fn step(spec: QuerySpec) -> Self::Step;
}

impl<E, K, S: Steps, O> Next<Query<E, K, S>, O> for Ends<false> {
    type Step = Query<E, K, S>;

    fn step(spec: QuerySpec) -> Query<E, K, S> {
        Query::new(spec)
    }
}

impl<Q, O: Steps> Next<Q, O> for Ends<true> {
    type Step = Unfinished<O>;

    fn step(spec: QuerySpec) -> Unfinished<O> {
        Unfinished::new(spec)
    }
}

/// No further sort-key condition can be given.
#[derive(Debug)]
pub struct NoSteps(QuerySpec);

impl Steps for NoSteps {
    fn new(spec: QuerySpec) -> Self {
        Self(spec)
    }

    fn spec(&self) -> &QuerySpec {
        &self.0
    }

    fn spec_mut(&mut self) -> &mut QuerySpec {
        &mut self.0
    }

    fn into_spec(self) -> QuerySpec {
        self.0
    }
}

impl<E, K, S: Steps, V> Query<E, K, S, V> {
    fn new(spec: QuerySpec) -> Self {
        Self {
            steps: S::new(spec),
            types: PhantomData,
        }
    }
}

impl<E, K, S, V> Deref for Query<E, K, S, V> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.steps
    }
}

impl<E, K, S: Steps, V> Clone for Query<E, K, S, V> {
    fn clone(&self) -> Self {
        Self::new(self.steps.spec().clone())
    }
}

impl<E, K, S: Steps, V> std::fmt::Debug for Query<E, K, S, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Query({})", self.steps.spec().owner.name())
    }
}

impl<E: Entity, K: Queryable, S: Steps, V> Query<E, K, S, V> {
    /// Returns only the fields of the projection `P`. DynamoDB still reads and bills whole items; less is sent. Call it after the methods
    /// of the sort key.
    pub fn project<P: View<E>>(self) -> Query<E, K, NoSteps, P> {
        let mut spec = self.steps.into_spec();
        spec.options.attributes.what = Attributes::of::<E, P>();
        Query::new(spec)
    }
}

impl<E, K: Queryable, S: Steps, V> Query<E, K, S, V> {
    /// Keeps only items that match the condition. Several filters are combined with AND.
    ///
    /// Filters run after the read: DynamoDB reads and bills the other items too. A [`limit`](Self::limit) counts matching items; without a
    /// limit, a page can be empty and still have a next page. Key attributes of the queried table or index cannot be filtered. For a
    /// collection, [`for_all`](crate::DynaCollection::for_all) makes a filter of a condition on a field that all members have.
    pub fn filter(mut self, condition: impl FilterOf<E>) -> Self {
        let condition = condition.into_condition();
        self.steps.spec_mut().filter(condition.into_expr());
        self
    }

    /// Leaves out expired items. DynamoDB deletes them some time after they expire, and returns them until then.
    pub fn skip_expired(mut self) -> Self {
        self.steps.spec_mut().options.expired = Expired::LeftOut;
        self
    }

    /// Returns items in descending order of their sort keys.
    pub fn descending(mut self) -> Self {
        self.steps.spec_mut().direction = Direction::Descending;
        self
    }

    /// Returns at most this many items, with as many requests as that takes. A limit of zero sends no request. Items that
    /// [`skip_unreadable`] skips do not count; in a [`stream`](Self::stream), errors of items do.
    ///
    /// [`skip_unreadable`]: Self::skip_unreadable
    pub fn limit(mut self, items: usize) -> Self {
        self.steps.spec_mut().options.limit = Some(items);
        self
    }

    /// Lets each request read at most this many items: the parameter `Limit` of DynamoDB.
    pub fn page_size(mut self, items: u32) -> Self {
        self.steps.spec_mut().options.set_page_size(items);
        self
    }

    /// Starts after a cursor, such as [`Page::next`]. The cursor must come from the same query: the same table, index, partitions,
    /// direction and range.
    ///
    /// `None` changes nothing. The last call of `after` and [`before`](Self::before) counts.
    pub fn after(mut self, cursor: impl IntoCursor) -> Self {
        if let Some(cursor) = cursor.into_cursor() {
            self.steps.spec_mut().options.start = Start::After(cursor);
        }
        self
    }

    /// Ends before a cursor, such as [`Page::prev`]; with a [`limit`](Self::limit), returns the nearest items before it. The order of the
    /// items is that of the query.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "notes", pk = "pk", sk = "sk"), pk = "USER#<user>", sk = "<n:04>")]
    /// # struct Note { user: String, n: u16 }
    /// # async fn run(db: &dyna_runtime::Table<Note>) -> dyna_runtime::Result<()> {
    /// let notes = Note::query("ann").limit(10);
    /// let first = notes.clone().send(db).await?;
    /// let second = notes.clone().after(first.next).send(db).await?;
    /// let first_again = notes.before(second.prev).send(db).await?;
    /// assert_eq!(first_again.items, first.items);
    /// # Ok(()) }
    /// ```
    ///
    /// Any cursor of the query will do: `before(page.next)` is what comes before the last item of the page. Of a query over
    /// several partitions, `prev` is for `before` alone, and `next` for `after`.
    pub fn before(mut self, cursor: impl IntoCursor) -> Self {
        if let Some(cursor) = cursor.into_cursor() {
            self.steps.spec_mut().options.start = Start::Before(cursor);
        }
        self
    }

    /// Requests up to this many pages ahead, in [`all`](Self::all) and [`stream`](Self::stream), while earlier items are decoded and used.
    /// Each partition has one request at a time.
    pub fn prefetch(mut self, answers: usize) -> Self {
        self.steps.spec_mut().options.prefetch = answers;
        self
    }

    /// Reads up to this many partitions at the same time. The default is 8.
    pub fn concurrency(mut self, requests: usize) -> Self {
        self.steps.spec_mut().concurrency = requests.max(1);
        self
    }

    /// Reads partitions one after another, in the given order, instead of merging them by sort key.
    ///
    /// Where the partitions themselves have an order, such as months, this is the same order with fewer requests: a partition is read only
    /// when those before it are exhausted. With [`descending`](Self::descending), give the last month first.
    pub fn sequential(mut self) -> Self {
        self.steps.spec_mut().sequential = true;
        self
    }

    /// Consumes at most so much read capacity per second, all requests of it together, with those of [`hydrate`](Query::hydrate): see
    /// [`rcu`](crate::rcu).
    pub fn at_most(mut self, limit: ReadLimit) -> Self {
        self.steps.spec_mut().options.limiter = Some(limit.0);
        self
    }

    /// Returns the consumed capacity in [`Page::consumed_capacity`], without the reads of [`hydrate`](Query::hydrate).
    pub fn return_consumed_capacity(mut self) -> Self {
        self.steps.spec_mut().options.return_consumed_capacity = true;
        self
    }

    /// Skips items that cannot be read instead of failing: misfits, and items that do not decode. [`Page::skipped`] holds their errors,
    /// with their keys. Call it last. A [`stream`](Self::stream) always yields such errors and goes on.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "notes", pk = "pk", sk = "sk"), pk = "USER#<user>", sk = "<n:04>")]
    /// # struct Note { user: String, n: u16 }
    /// # async fn run(db: &dyna_runtime::Table<Note>) -> dyna_runtime::Result<()> {
    /// let notes = Note::query("ann").skip_unreadable().all(db).await?;
    /// for error in &notes.skipped.unreadable {
    ///     eprintln!("{error}");
    /// }
    /// # Ok(()) }
    /// ```
    pub fn skip_unreadable(self) -> SkipUnreadable<Self> {
        SkipUnreadable(self)
    }

    /// Ends the sort key. All such queries of an entity have one type, [`EntityQuery`], so that they can be stored and returned, and the
    /// branches of a condition can narrow them differently:
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable, EntityQuery};
    /// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "chat", pk = "pk", sk = "sk"), pk = "CHANNEL#<channel>", sk = "MSG#<sent_ms:013>")]
    /// # struct Message { channel: String, sent_ms: u64 }
    /// fn messages(channel: &str, since: Option<u64>) -> EntityQuery<Message> {
    ///     let query = Message::query(channel).descending();
    ///     match since {
    ///         Some(since) => query.sent_ms_range(since..),
    ///         None => query.finish(),
    ///     }
    /// }
    /// ```
    pub fn finish(self) -> Query<E, K, NoSteps, V> {
        Query::new(self.steps.into_spec())
    }

    /// Ends the sort key, and leaves out of the type which key is queried. All such queries of an entity or a collection have one type,
    /// [`AnyQuery`], whether they read the table or an index. Call it after `consistent`, `project` and `hydrate`, which need to know.
    ///
    /// ```
    /// # use dyna_runtime::{AnyQuery, DynaEntity, DynaTable};
    /// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(
    /// #     table(name = "orders", pk = "pk", sk = "sk", index(gsi1, pk = "gsi1pk", sk = "gsi1sk")),
    /// #     pk = "USER#<user>", sk = "ORDER#<at:013>", gsi1(as = by_state, pk = "STATE#<state>", sk = "<at:013>"),
    /// # )]
    /// # struct Order { user: String, at: u64, state: String }
    /// struct Inbox {
    ///     orders: AnyQuery<Order>,
    /// }
    ///
    /// fn inbox(user: Option<&str>) -> Inbox {
    ///     let orders = match user {
    ///         Some(user) => Order::query(user).descending().into_any(),
    ///         None => Order::by_state("open").at_range(1_735_000_000_000..).into_any(),
    ///     };
    ///     Inbox { orders: orders.limit(20) }
    /// }
    /// # assert_eq!(inbox(None).orders.explain().get("IndexName"), Some("gsi1"));
    /// ```
    pub fn into_any(self) -> AnyQuery<E, V>
    where
        K::Coverage: CanYield<V, K>,
    {
        Query::new(self.steps.into_spec())
    }

    /// Reads consistently: sees every write that succeeded before, for twice the read capacity. Not on a global secondary index.
    pub fn consistent(mut self) -> Self
    where
        K::Consistency: Consistent,
    {
        self.steps.spec_mut().options.consistency = Consistency::Strong;
        self
    }

    /// Fetches one page: up to [`limit`](Self::limit) items, or one response (at most 1 MB) if there is no limit. With several partitions:
    /// the items whose order is certain after one response from each.
    pub fn send<T: DynaTable>(self, db: &Table<T>) -> ResponseFuture<'_, Page<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
        K::Coverage: CanYield<V, K>,
    {
        self.page(db, OnUnreadable::Fail)
    }

    pub(super) fn page<T: DynaTable>(
        self,
        db: &Table<T>,
        unreadable: OnUnreadable,
    ) -> ResponseFuture<'_, Page<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
    {
        self.read(db, Extent::Page, unreadable)
    }

    fn read<T: DynaTable>(
        self,
        db: &Table<T>,
        extent: Extent,
        unreadable: OnUnreadable,
    ) -> ResponseFuture<'_, Page<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
    {
        let sent = SentQuery {
            spec: self.steps.into_spec(),
            overlap: E::OVERLAP,
            extent,
            unreadable,
        };
        decoded(db.handle(), Box::new(sent), V::read)
    }

    /// Fetches all items, up to [`limit`](Self::limit), with as many requests as that takes.
    pub fn all<T: DynaTable>(self, db: &Table<T>) -> ResponseFuture<'_, Vec<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
        K::Coverage: CanYield<V, K>,
    {
        finish(self.whole(db, OnUnreadable::Fail), Page::into_items)
    }

    pub(super) fn whole<T: DynaTable>(
        self,
        db: &Table<T>,
        unreadable: OnUnreadable,
    ) -> ResponseFuture<'_, Page<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
    {
        self.read(db, Extent::All, unreadable)
    }

    /// Streams the items. Each partition has one request at a time, which is sent when its items are needed. With
    /// [`before`](Self::before), all items are read, backwards, before the first one is yielded.
    pub fn stream<T: DynaTable>(self, db: &Table<T>) -> ItemStream<V>
    where
        E: StoredIn<T>,
        V: View<E>,
        K::Coverage: CanYield<V, K>,
    {
        let spec = self.steps.spec();
        ItemStream::new(run::all(db.handle(), spec, E::OVERLAP), V::read)
    }

    /// Counts the items, up to [`limit`](Self::limit). DynamoDB still reads and bills them, and returns their keys, which tell the entity
    /// of each. With [`Table::check_keys`] the items are read as a whole and checked, through [`hydrate`](Query::hydrate) if the index does
    /// not hold them.
    pub fn count<T: DynaTable>(self, db: &Table<T>) -> ResponseFuture<'_, usize>
    where
        E: StoredIn<T>,
        V: View<E>,
    {
        self.counted(db, OnMisfit::Fail)
    }

    pub(super) fn counted<T: DynaTable>(
        self,
        db: &Table<T>,
        misfits: OnMisfit,
    ) -> ResponseFuture<'_, usize>
    where
        E: StoredIn<T>,
        V: View<E>,
    {
        let spec = self.steps.into_spec();
        run::count(db.handle(), spec, E::OVERLAP, count_check(V::read), misfits)
    }

    /// Fetches the first item, if there is one.
    pub fn first<T: DynaTable>(self, db: &Table<T>) -> ResponseFuture<'_, Option<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
        K::Coverage: CanYield<V, K>,
    {
        let page = self.no_more_than(1).whole(db, OnUnreadable::Fail);
        finish(page, Page::into_item)
    }

    /// Fetches the only item, if there is one. Fails with [`Error::MoreThanOne`](crate::Error::MoreThanOne) if there are two.
    pub fn one<T: DynaTable>(self, db: &Table<T>) -> ResponseFuture<'_, Option<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
        K::Coverage: CanYield<V, K>,
    {
        let page = self
            .no_more_than(2)
            .read(db, Extent::One, OnUnreadable::Fail);
        finish(page, Page::into_item)
    }

    /// No more than a limit that is already set.
    fn no_more_than(self, items: usize) -> Self {
        let limit = self.steps.spec().options.limit;
        let limit = limit.map_or(items, |limit| limit.min(items));
        self.limit(limit)
    }

    /// The request, without sending it. Whether it can reach items of other entities is known to the handle of the table alone:
    /// [`explain_on`](Self::explain_on) shows the condition on the tag that leaves them out.
    pub fn explain(&self) -> Explain {
        let spec = self.steps.spec();
        spec.explain(spec.meta.schema.name, Reach::Own, SystemTime::now())
    }

    /// The request to this table, exactly as it would be sent.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(DynaTable)]
    /// # #[dyna(name = "shop-{stage}", pk = "pk", sk = "sk", tag = "type")]
    /// # enum Shop { Order(Order), Line(Line) }
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity)]
    /// # #[dyna(table = Shop, pk = "USER#<user>", sk = "ORDER#<order>")]
    /// # struct Order { user: String, order: String }
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity)]
    /// # #[dyna(table = Shop, pk = "USER#<user>", sk = "ORDER#<order>#<n:03>")]
    /// # struct Line { user: String, order: String, n: u16 }
    /// # fn run(db: dyna_runtime::Table<Shop>) -> dyna_runtime::Result<()> {
    /// // Between two orders lie the lines of the first.
    /// let asked = Order::query("ann").explain_on(&db)?;
    /// assert_eq!(asked.get("FilterExpression"), Some("(#type = :e OR #type = :null OR attribute_not_exists(#type))"));
    /// # Ok(()) }
    /// ```
    pub fn explain_on<T: DynaTable>(&self, db: &Table<T>) -> Result<Explain>
    where
        E: StoredIn<T>,
    {
        let spec = self.steps.spec();
        let reach = spec.reach(E::OVERLAP, db.handle().entities());
        Ok(spec.explain(db.name()?, reach, db.handle().now()))
    }
}

impl<E, T: HasIndex<N>, N, S: Steps, V> Query<E, Secondary<T, N>, S, V> {
    /// Reads keys from the index and then the whole items from the table, in the order of the index. Call it after the methods of the sort
    /// key.
    ///
    /// An item that is deleted from the table but still in the index is left out.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(
    /// #     table(name = "orders", pk = "pk", index(gsi1, pk = "gsi1pk", projection = "keys_only")),
    /// #     pk = "ORDER#<id>",
    /// #     gsi1(as = by_state, pk = "STATE#<state>"),
    /// # )]
    /// # struct Order { id: String, state: String, total: u64 }
    /// # async fn run(db: &dyna_runtime::Table<Order>) -> dyna_runtime::Result<()> {
    /// // `by_state` holds nothing but keys.
    /// let open: Vec<Order> = Order::by_state("open").hydrate().all(&db).await?;
    /// # Ok(()) }
    /// ```
    pub fn hydrate(self) -> Query<E, Hydrated<Secondary<T, N>>, NoSteps, V> {
        let mut spec = self.steps.into_spec();
        spec.options.attributes.hydrate = true;
        Query::new(spec)
    }
}
