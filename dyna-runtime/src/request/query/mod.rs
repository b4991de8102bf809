//! Reading the items of a partition, in key order.

mod ask;
mod draft;
mod partition;
mod run;

pub use draft::{Draft, collect, draft, query, query_many};
pub use partition::InPartition;

use run::Sent;

use crate::cursor::IntoCursor;
use crate::entity::Entity;
use crate::entity::projection::{CanYield, View};
use crate::error::Result;
use crate::expr::Condition;
use crate::read::what::What;
use crate::read::{Consistency, Direction, Expired, Extent, Start};
use crate::read::{ItemStream, Page, Unreadable, decoded};
use crate::request::Explain;
use crate::request::skip_unreadable::SkipUnreadable;
use crate::schema::{Consistent, HasIndex, Hydrated, Primary, Queryable, Secondary};
use crate::table::StoredIn;
use crate::table::{DynaTable, Table};
use crate::transport::{ResponseFuture, finish};
use std::marker::PhantomData;
use std::ops::Deref;
use std::time::SystemTime;

/// Reads the items of one partition: `Message::query(..)`, or through an index `Message::by_id(..)`.
///
/// Several partitions are read by `query_many`, which takes a list of what `query` takes; buckets that [`shard`](crate#templates) makes
/// are not given but all read. The items of all partitions come in the order of their sort keys, and where these are equal in the order
/// of the partitions. A partition that is given twice is read once, so a month may be given by any of its days:
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
/// Never more than about one answer of each partition is held.
///
/// The fields of the sort key follow as methods, in the order of the template: `.sent_ms(t)` fixes a field and offers
/// the next, `.sent_ms_range(a..b)` ends the sort key. They live on `S`, a small type per entity, so that a field
/// cannot be skipped and there is never more than one condition. `K` is what is queried: the table or an index. `V` is what it
/// yields: the entity, or a [projection](Self::project) of it.
#[must_use = "a request does nothing until it is sent: add `.send(&db).await?` or `.all(&db).await?`"]
pub struct Query<E, K, S, V = E> {
    steps: S,
    types: PhantomData<fn(E, K) -> V>,
}

/// A query of an entity's own key whose steps are [finished](Query::finish): the short name of a query that is stored or returned. Through
/// an index it is `Query<Order, Secondary<..>, NoSteps>`, with the type of the index that the table has as a constant.
pub type EntityQuery<E, V = E> = Query<E, Primary<<E as Entity>::Table>, NoSteps, V>;

/// A query under construction: what a generated type of sort-key steps holds.
pub trait Steps {
    /// The steps that come next.
    fn new(draft: Draft) -> Self;

    /// The query so far.
    fn draft(&self) -> &Draft;

    /// The query so far.
    fn draft_mut(&mut self) -> &mut Draft;

    /// The query so far.
    fn into_draft(self) -> Draft;
}

/// No further sort-key condition can be given.
#[derive(Debug)]
pub struct NoSteps(Draft);

impl Steps for NoSteps {
    fn new(draft: Draft) -> Self {
        Self(draft)
    }

    fn draft(&self) -> &Draft {
        &self.0
    }

    fn draft_mut(&mut self) -> &mut Draft {
        &mut self.0
    }

    fn into_draft(self) -> Draft {
        self.0
    }
}

impl<E, K, S: Steps, V> Query<E, K, S, V> {
    fn new(draft: Draft) -> Self {
        Self {
            steps: S::new(draft),
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
        Self::new(self.steps.draft().clone())
    }
}

impl<E, K, S: Steps, V> std::fmt::Debug for Query<E, K, S, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Query({})", self.steps.draft().own.name())
    }
}

impl<E: Entity, K: Queryable, S: Steps, V> Query<E, K, S, V> {
    /// Only the fields of the projection `P`. DynamoDB reads whole items, and bills them: a projection saves what is sent. Given after
    /// the fields of the sort key.
    pub fn project<P: View<E>>(&self) -> Query<E, K, NoSteps, P> {
        let mut draft = self.steps.draft().clone();
        draft.options.attributes.what = What::of::<E, P>();
        Query::new(draft)
    }

    /// Only items of which this is true; a second filter narrows the first.
    ///
    /// DynamoDB reads the others too, and bills them: a filter saves what is sent, not what is read. A [`limit`](Self::limit) counts
    /// the items that pass; without one, [`send`](Self::send) may return few items or none and still have a next page. The key
    /// attributes of what is queried cannot be filtered on: they are what the query itself is about.
    pub fn filter(mut self, condition: Condition<E>) -> Self {
        self.steps.draft_mut().filter(condition.into_expr());
        self
    }
}

impl<E, K: Queryable, S: Steps, V> Query<E, K, S, V> {
    /// Leaves out the items that have expired: DynamoDB deletes them some time later, and returns them until then.
    pub fn skip_expired(mut self) -> Self {
        self.steps.draft_mut().options.expired = Expired::LeftOut;
        self
    }

    /// From the last sort key to the first.
    pub fn descending(mut self) -> Self {
        self.steps.draft_mut().direction = Direction::Descending;
        self
    }

    /// At most this many items, however many requests that takes. A limit of zero reads nothing. What [`skip_unreadable`] puts aside does
    /// not count; in a [`stream`](Self::stream), the errors of items do.
    ///
    /// [`skip_unreadable`]: Self::skip_unreadable
    pub fn limit(mut self, items: usize) -> Self {
        self.steps.draft_mut().options.limit = Some(items);
        self
    }

    /// At most this many items are looked at per request: DynamoDB's `SizeLimit`.
    pub fn page_size(mut self, items: u32) -> Self {
        self.steps.draft_mut().options.set_page_size(items);
        self
    }

    /// What comes after the item of a cursor, such as the [`next`](Page::next) of a page. The cursor must come from the same query:
    /// the same table, index, partition, direction and range.
    ///
    /// Without a cursor nothing changes, and of several cursors the last one counts, also of [`before`](Self::before).
    pub fn after(mut self, cursor: impl IntoCursor) -> Self {
        if let Some(cursor) = cursor.into_cursor() {
            self.steps.draft_mut().options.start = Start::After(cursor);
        }
        self
    }

    /// What comes before the item of a cursor, such as the [`prev`](Page::prev) of a page; with a [`limit`](Self::limit), the
    /// nearest items before it. They come in the order of the query all the same.
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
            self.steps.draft_mut().options.start = Start::Before(cursor);
        }
        self
    }

    /// Asks for up to that many answers before they are wanted, in [`all`](Self::all) and [`stream`](Self::stream): while the
    /// items of one are decoded and used, the next is on its way. Of each partition, one request at a time.
    pub fn prefetch(mut self, answers: usize) -> Self {
        self.steps.draft_mut().options.prefetch = answers;
        self
    }

    /// Reads that many partitions at the same time, if the query is over several: 8 unless told otherwise.
    pub fn concurrency(mut self, requests: usize) -> Self {
        self.steps.draft_mut().concurrency = requests.max(1);
        self
    }

    /// Reads several partitions one after the other, in the order that they are given in, instead of merging them by their sort keys.
    ///
    /// Where the partitions themselves have an order, such as months, this is the same order with fewer requests: a partition
    /// is only read when the ones before it are used up. With [`descending`](Self::descending), give the last month first.
    pub fn sequential(mut self) -> Self {
        self.steps.draft_mut().sequential = true;
        self
    }

    /// Has DynamoDB say what the requests consume: [`Page::consumed_capacity`]. What [`hydrate`](Query::hydrate) reads from the table is
    /// not part of it.
    pub fn return_consumed_capacity(mut self) -> Self {
        self.steps.draft_mut().options.return_consumed_capacity = true;
        self
    }

    /// Puts aside the items that cannot be read, instead of failing: misfits, and items that do not decode. They are errors in
    /// [`Page::skipped`], with their keys. Given last. A [`stream`](Self::stream) yields such errors in any case, and goes on.
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

    /// Ends the sort key as it is: no step can follow. All such queries of an entity have one type, [`EntityQuery`], so that they can be
    /// stored and returned, and a step can be left to a condition:
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
        Query::new(self.steps.into_draft())
    }

    /// Sees every write that was answered before, for twice the read capacity. Not on a global secondary index.
    pub fn consistent(mut self) -> Self
    where
        K::Reads: Consistent,
    {
        self.steps.draft_mut().options.consistency = Consistency::Strong;
        self
    }

    /// Reads one page: up to [`limit`](Self::limit) items, or as many as DynamoDB gives in one answer (1 MB). Of several partitions,
    /// what one answer of each allows to tell the order of.
    pub fn send<T: DynaTable>(self, db: &Table<T>) -> ResponseFuture<'_, Page<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
        K::Yields: CanYield<V, K>,
    {
        self.page(db, Unreadable::Fail)
    }

    pub(super) fn page<T: DynaTable>(
        self,
        db: &Table<T>,
        unreadable: Unreadable,
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
        unreadable: Unreadable,
    ) -> ResponseFuture<'_, Page<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
    {
        let sent = Sent {
            draft: self.steps.into_draft(),
            foreign: E::FOREIGN,
            extent,
            unreadable,
        };
        decoded(db.handle(), Box::new(sent), V::read)
    }

    /// Reads all items, up to [`limit`](Self::limit), with as many requests as it takes.
    pub fn all<T: DynaTable>(self, db: &Table<T>) -> ResponseFuture<'_, Vec<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
        K::Yields: CanYield<V, K>,
    {
        finish(self.whole(db, Unreadable::Fail), Page::into_items)
    }

    pub(super) fn whole<T: DynaTable>(
        self,
        db: &Table<T>,
        unreadable: Unreadable,
    ) -> ResponseFuture<'_, Page<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
    {
        self.read(db, Extent::All, unreadable)
    }

    /// The items one by one, as they come: one request of each partition at a time, when its items are wanted. What is
    /// [before](Self::before) a cursor is read backwards, so there all of it is read before the first item comes.
    pub fn stream<T: DynaTable>(self, db: &Table<T>) -> ItemStream<V>
    where
        E: StoredIn<T>,
        V: View<E>,
        K::Yields: CanYield<V, K>,
    {
        let draft = self.steps.draft();
        ItemStream::new(run::all(db.handle(), draft, E::FOREIGN), V::read)
    }

    /// How many items there are, up to [`limit`](Self::limit). DynamoDB reads them all the same, and returns their keys, which tell whose
    /// they are.
    pub fn count<T: DynaTable>(self, db: &Table<T>) -> ResponseFuture<'_, usize>
    where
        E: StoredIn<T>,
    {
        self.counted(db, Unreadable::Fail)
    }

    pub(super) fn counted<T: DynaTable>(
        self,
        db: &Table<T>,
        unreadable: Unreadable,
    ) -> ResponseFuture<'_, usize>
    where
        E: StoredIn<T>,
    {
        let draft = self.steps.into_draft();
        run::count(db.handle(), draft, E::FOREIGN, unreadable)
    }

    /// The first item, if there is one.
    pub fn first<T: DynaTable>(self, db: &Table<T>) -> ResponseFuture<'_, Option<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
        K::Yields: CanYield<V, K>,
    {
        let page = self.at_most(1).whole(db, Unreadable::Fail);
        finish(page, Page::into_item)
    }

    /// The only item, if there is one. It is an error if there are two.
    pub fn one<T: DynaTable>(self, db: &Table<T>) -> ResponseFuture<'_, Option<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
        K::Yields: CanYield<V, K>,
    {
        let page = self.at_most(2).read(db, Extent::One, Unreadable::Fail);
        finish(page, Page::into_item)
    }

    /// No more than a limit that is already set.
    fn at_most(self, items: usize) -> Self {
        let limit = self.steps.draft().options.limit;
        let limit = limit.map_or(items, |limit| limit.min(items));
        self.limit(limit)
    }

    /// What it asks. Which other entities' items are in reach, only the handle of the table knows: [`explain_on`](Self::explain_on)
    /// shows the condition on the tag that leaves them out.
    pub fn explain(&self) -> Explain {
        let draft = self.steps.draft();
        draft.explain(draft.meta.schema.name, false, SystemTime::now())
    }

    /// What it asks of this table, to the letter.
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
        let draft = self.steps.draft();
        let meets_others = draft.meets(E::FOREIGN);
        Ok(draft.explain(db.name()?, meets_others, db.handle().now()))
    }
}

impl<E, T: HasIndex<N>, N, S: Steps, V> Query<E, Secondary<T, N>, S, V> {
    /// Reads the keys through the index, and by them the whole items from the table, in the order of the index. Given after the fields
    /// of the sort key.
    ///
    /// An item that is gone from the table and still in the index is left out.
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
    pub fn hydrate(&self) -> Query<E, Hydrated<Secondary<T, N>>, NoSteps, V> {
        let mut draft = self.steps.draft().clone();
        draft.options.attributes.hydrate = true;
        Query::new(draft)
    }
}
