//! Reading a whole table, or a whole index.

mod plan;

use crate::cursor::IntoCursor;
use crate::entity::collection::Own;
use crate::entity::projection::{CanYield, View};
use crate::entity::{Entity, EntityMeta};
use crate::expr::Condition;
use crate::read::what::What;
use crate::read::{Consistency, Expired, Extent, Start};
use crate::read::{ItemStream, Page, Unreadable, decoded};
use crate::request::{Explain, SkipUnreadable};
use crate::schema::{Consistent, HasIndex, Hydrated, Primary, Queryable, Secondary};
use crate::table::{DynaTable, HasEntity, Table};
use crate::transport::{Decode, ResponseFuture, finish};
use plan::{Plan, Segments, Sent};
use std::marker::PhantomData;

/// Reads every item of an entity, `Message::scan()`, or of a whole table, `Discord::scan()`.
///
/// DynamoDB looks at every item of the table and bills it, also those that are not returned. `K` is what is looked at: the table, or
/// an [index](Self::index). `V` is what it yields: `E`, or a [projection](Self::project) of it.
#[must_use = "a request does nothing until it is sent: add `.send(&db).await?` or `.all(&db).await?`"]
pub struct Scan<E, K, V = E> {
    plan: Plan,
    pub(super) decode: Decode<V>,
    types: PhantomData<fn() -> (E, K)>,
}

impl<E: Entity> Scan<E, Primary<E::Table>> {
    /// Every item of an entity.
    #[doc(hidden)]
    pub fn entity() -> Self {
        Self::new(Plan::new(E::META, Own::One(E::META)), <E as View<E>>::read)
    }
}

impl<E: DynaTable> Scan<E, Primary<E::Schema>> {
    /// Every item of a table.
    #[doc(hidden)]
    pub fn table() -> Self {
        // A table lists at least one entity.
        let meta = E::ENTITIES.first().copied().unwrap_or(&EntityMeta::BROKEN);
        Self::new(Plan::new(meta, Own::Table(E::ENTITIES)), E::read)
    }
}

impl<E: DynaTable, K, V> Scan<E, K, V> {
    /// Leaves out the items of no entity of the table, such as those of a newer program or of other software; a page says how many it
    /// [left out](Page::skipped). Without it they are the variant `#[dyna(unknown)]` of the table, if it has one, and otherwise
    /// [errors](crate::Error::UnknownItem).
    pub fn skip_unknown(mut self) -> Self {
        self.plan.skip_unknown = true;
        self
    }
}

impl<E, T, V> Scan<E, Primary<T>, V> {
    /// Looks at the items of an index alone: those that are in it. The table has a constant for each of its indexes.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(
    /// #     table(name = "orders", pk = "pk", index(open, pk = "gsi1pk")),
    /// #     pk = "ORDER#<id>",
    /// #     open(as = by_courier, pk = "COURIER#<courier>"),
    /// # )]
    /// # struct Order { id: String, courier: Option<String> }
    /// let scan = Order::scan().index(Order::OPEN);
    /// assert_eq!(scan.explain().get("IndexName"), Some("open"));
    /// ```
    pub fn index<N>(mut self, _: Secondary<T, N>) -> Scan<E, Secondary<T, N>, V>
    where
        T: HasIndex<N>,
    {
        self.plan.index = T::INDEX;
        Scan::new(self.plan, self.decode)
    }
}

impl<E, T: HasIndex<N>, N, V> Scan<E, Secondary<T, N>, V> {
    /// Reads the keys through the index, and by them the whole items from the table. An item that is gone from the table and still
    /// in the index is left out.
    pub fn hydrate(mut self) -> Scan<E, Hydrated<Secondary<T, N>>, V> {
        self.plan.options.attributes.hydrate = true;
        Scan::new(self.plan, self.decode)
    }
}

impl<E: Entity, K, V> Scan<E, K, V> {
    /// Only the fields of the projection `P`. DynamoDB reads whole items, and bills them: a projection saves what is sent.
    pub fn project<P: View<E>>(mut self) -> Scan<E, K, P> {
        self.plan.options.attributes.what = What::of::<E, P>();
        Scan::new(self.plan, P::read)
    }
}

impl<E, K, V> Scan<E, K, V> {
    fn new(plan: Plan, decode: Decode<V>) -> Self {
        Self {
            plan,
            decode,
            types: PhantomData,
        }
    }

    /// Only the items that meet the condition.
    pub fn filter(mut self, condition: Condition<E>) -> Self {
        let options = &mut self.plan.options;
        let filter = std::mem::take(&mut options.filter);
        options.filter = filter.and(condition.into_expr());
        self
    }

    /// At most this many items, however many requests that takes. What [`skip_unreadable`](Self::skip_unreadable) puts aside does not count; in a
    /// [`stream`](Self::stream), the errors of items do.
    pub fn limit(mut self, items: usize) -> Self {
        self.plan.options.limit = Some(items);
        self
    }

    /// At most this many items are looked at per request: DynamoDB's `SizeLimit`.
    pub fn page_size(mut self, items: u32) -> Self {
        self.plan.options.set_page_size(items);
        self
    }

    /// Reads that many parts of the table at the same time, in [`all`](Self::all) and [`stream`](Self::stream).
    pub fn segments(mut self, segments: u16) -> Self {
        self.plan.segments = Segments::All(segments.max(1));
        self
    }

    /// Reads one part of the table alone, counted from 0, so that several programs can share the work. Its pages have cursors of
    /// their own.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
    /// # struct User { id: String }
    /// # async fn run(db: &dyna_runtime::Table<User>, worker: u32) -> dyna_runtime::Result<()> {
    /// let users = User::scan().segment(worker, 8).all(db).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// A segment that does not exist, `segment >= of`, is an error, and so are more segments than the 1,000,000 of DynamoDB.
    pub fn segment(mut self, segment: u32, of: u32) -> Self {
        self.plan.segments = Segments::One(segment, of);
        self
    }

    /// Asks for up to that many answers of each segment before they are wanted, in [`all`](Self::all) and
    /// [`stream`](Self::stream): while the items of one are decoded and used, the next is on its way.
    pub fn prefetch(mut self, answers: usize) -> Self {
        self.plan.options.prefetch = answers;
        self
    }

    /// Has DynamoDB say what the requests consume: [`Page::consumed_capacity`]. What [`hydrate`](Scan::hydrate) reads from the table is not
    /// part of it.
    pub fn return_consumed_capacity(mut self) -> Self {
        self.plan.options.return_consumed_capacity = true;
        self
    }

    /// Puts aside the items that cannot be read, instead of failing: misfits, items that do not decode and, of a whole table, items of no
    /// entity. They are errors in [`Page::skipped`], with their keys. Given last. A [`stream`](Self::stream) yields such errors in any
    /// case, and goes on.
    pub fn skip_unreadable(self) -> SkipUnreadable<Self> {
        SkipUnreadable(self)
    }

    /// Sees every write that was answered before, for twice the read capacity. Not on a global secondary index.
    pub fn consistent(mut self) -> Self
    where
        K: Queryable<Reads: Consistent>,
    {
        self.plan.options.consistency = Consistency::Strong;
        self
    }

    /// Leaves out the items that have expired: DynamoDB deletes them some time later, and returns them until then.
    pub fn skip_expired(mut self) -> Self {
        self.plan.options.expired = Expired::LeftOut;
        self
    }

    /// Goes on where a page ended. What comes after that is read as one segment, since the page was. Without a cursor nothing changes.
    pub fn after(mut self, cursor: impl IntoCursor) -> Self {
        if let Some(cursor) = cursor.into_cursor() {
            self.plan.options.start = Start::After(cursor);
        }
        self
    }

    /// Reads one page: up to [`limit`](Self::limit) items, or as many as DynamoDB gives in one answer (1 MB).
    pub fn send<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, Page<V>>
    where
        K: Queryable<Yields: CanYield<V, K>>,
        V: Send + 'static,
    {
        self.page(db, Unreadable::Fail)
    }

    pub(super) fn page<T: HasEntity<E>>(
        self,
        db: &Table<T>,
        unreadable: Unreadable,
    ) -> ResponseFuture<'_, Page<V>>
    where
        V: Send + 'static,
    {
        self.read(db, Extent::Page, unreadable)
    }

    /// Reads all items, with as many requests as it takes.
    pub fn all<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, Vec<V>>
    where
        K: Queryable<Yields: CanYield<V, K>>,
        V: Send + 'static,
    {
        finish(self.whole(db, Unreadable::Fail), Page::into_items)
    }

    pub(super) fn whole<T: HasEntity<E>>(
        self,
        db: &Table<T>,
        unreadable: Unreadable,
    ) -> ResponseFuture<'_, Page<V>>
    where
        V: Send + 'static,
    {
        self.read(db, Extent::All, unreadable)
    }

    fn read<T: HasEntity<E>>(
        self,
        db: &Table<T>,
        extent: Extent,
        unreadable: Unreadable,
    ) -> ResponseFuture<'_, Page<V>>
    where
        V: Send + 'static,
    {
        let plan = self.plan;
        let sent = Sent {
            plan,
            extent,
            unreadable,
        };
        decoded(db.handle(), Box::new(sent), self.decode)
    }

    /// The items one by one, as they come: one request of each segment at a time, when its items are wanted.
    pub fn stream<T: HasEntity<E>>(self, db: &Table<T>) -> ItemStream<V>
    where
        K: Queryable<Yields: CanYield<V, K>>,
    {
        ItemStream::new(self.plan.all(db.handle()), self.decode)
    }

    /// How many items there are, up to [`limit`](Self::limit). DynamoDB looks at every item of the table all the same, and returns the
    /// keys of those that may count. Of a whole table, items of no entity count too, unless they are
    /// [left out](Scan::skip_unknown).
    pub fn count<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, usize> {
        self.counted(db, Unreadable::Fail)
    }

    pub(super) fn counted<T: HasEntity<E>>(
        self,
        db: &Table<T>,
        unreadable: Unreadable,
    ) -> ResponseFuture<'_, usize> {
        self.plan.count(db.handle(), unreadable)
    }

    /// What it asks.
    pub fn explain(&self) -> Explain {
        self.plan.explain()
    }
}

impl<E, K, V> std::fmt::Debug for Scan<E, K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Scan({})", self.plan.name())
    }
}
