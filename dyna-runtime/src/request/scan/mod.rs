//! Reading a whole table, or a whole index.

mod spec;

use crate::cursor::IntoCursor;
use crate::entity::Entity;
use crate::entity::collection::Owner;
use crate::entity::projection::{CanYield, View};
use crate::expr::Condition;
use crate::read::attributes::Attributes;
use crate::read::{Consistency, Expired, Extent, Start};
use crate::read::{ItemStream, OnMisfit, OnUnreadable, Page, count_check, decoded};
use crate::request::{Explain, SkipUnreadable};
use crate::schema::{Consistent, HasIndex, Hydrated, Primary, Queryable, Secondary};
use crate::table::{DynaTable, HasEntity, Table};
use crate::transport::limiter::ReadLimit;
use crate::transport::{Decode, ResponseFuture, finish};
use spec::{ScanSpec, Segments, SentScan};
use std::marker::PhantomData;

/// A scan for the items of an entity, `Message::scan()`, or of a whole table, `Discord::scan()`.
///
/// DynamoDB reads and bills every item of the table, also those that are not returned. `K` is the table or [index](Self::index) that is
/// scanned. `V` is the type of the items: `E`, or a [projection](Self::project).
///
#[doc = include_str!("../../guide/lost/read.md")]
#[must_use = "a request does nothing until it is sent: add `.send(&db).await?` or `.all(&db).await?`"]
pub struct Scan<E, K, V = E> {
    spec: ScanSpec,
    pub(super) decode: Decode<V>,
    types: PhantomData<fn() -> (E, K)>,
}

impl<E: Entity> Scan<E, Primary<E::Table>> {
    /// Scans the table for items of this entity.
    #[doc(hidden)]
    pub fn entity() -> Self {
        Self::new(
            ScanSpec::new(E::META, Owner::One(E::META)),
            <E as View<E>>::read,
        )
    }
}

impl<E: DynaTable> Scan<E, Primary<E::Schema>> {
    /// Scans the table for items of all its entities.
    #[doc(hidden)]
    pub fn table() -> Self {
        // A table lists at least one entity: without one, this does not compile.
        let meta = const { E::ENTITIES[0] };
        Self::new(ScanSpec::new(meta, Owner::Table(E::ENTITIES)), E::read)
    }
}

impl<E: DynaTable, K, V> Scan<E, K, V> {
    /// Leaves out items that match no entity of the table, such as those of a newer program; [`Page::skipped`] counts them. Otherwise they
    /// become the variant `#[dyna(unknown)]` of the table, if it has one, or [errors](crate::Error::UnknownItem).
    pub fn skip_unknown(mut self) -> Self {
        self.spec.skip_unknown = true;
        self
    }
}

impl<E, T, V> Scan<E, Primary<T>, V> {
    /// Scans an index instead of the table. The table has a constant for each of its indexes.
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
        self.spec.index = T::INDEX;
        Scan::new(self.spec, self.decode)
    }
}

impl<E, T: HasIndex<N>, N, V> Scan<E, Secondary<T, N>, V> {
    /// Reads keys from the index and then the whole items from the table. An item that is deleted from the table but still in the index is
    /// left out.
    pub fn hydrate(mut self) -> Scan<E, Hydrated<Secondary<T, N>>, V> {
        self.spec.options.attributes.hydrate = true;
        Scan::new(self.spec, self.decode)
    }
}

impl<E: Entity, K, V> Scan<E, K, V> {
    /// Returns only the fields of the projection `P`. DynamoDB still reads and bills whole items; less is sent.
    pub fn project<P: View<E>>(mut self) -> Scan<E, K, P> {
        self.spec.options.attributes.what = Attributes::of::<E, P>();
        Scan::new(self.spec, P::read)
    }
}

impl<E, K, V> Scan<E, K, V> {
    fn new(spec: ScanSpec, decode: Decode<V>) -> Self {
        Self {
            spec,
            decode,
            types: PhantomData,
        }
    }

    /// Keeps only items that match the condition. Several filters are combined with AND; DynamoDB reads and bills the other items too.
    pub fn filter(mut self, condition: Condition<E>) -> Self {
        let options = &mut self.spec.options;
        let filter = std::mem::take(&mut options.filter);
        options.filter = filter.and(condition.into_expr());
        self
    }

    /// Returns at most this many items, with as many requests as that takes. Items that [`skip_unreadable`](Self::skip_unreadable) skips do
    /// not count; in a [`stream`](Self::stream), errors of items do.
    pub fn limit(mut self, items: usize) -> Self {
        self.spec.options.limit = Some(items);
        self
    }

    /// Lets each request read at most this many items: the parameter `Limit` of DynamoDB.
    pub fn page_size(mut self, items: u32) -> Self {
        self.spec.options.set_page_size(items);
        self
    }

    /// Scans the table in this many parallel segments, in [`all`](Self::all) and [`stream`](Self::stream).
    pub fn segments(mut self, segments: u16) -> Self {
        self.spec.segments = Segments::All(segments.max(1));
        self
    }

    /// Scans one segment of the table, counted from 0, so that several programs can share the work. Its pages have cursors of their own.
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
        self.spec.segments = Segments::One(segment, of);
        self
    }

    /// Requests up to this many pages of each segment ahead, in [`all`](Self::all) and [`stream`](Self::stream), while earlier items are
    /// decoded and used.
    pub fn prefetch(mut self, answers: usize) -> Self {
        self.spec.options.prefetch = answers;
        self
    }

    /// Consumes at most so much read capacity per second, all requests of it together, with those of [`hydrate`](Scan::hydrate): see
    /// [`rcu`](crate::rcu).
    pub fn at_most(mut self, limit: ReadLimit) -> Self {
        self.spec.options.limiter = Some(limit.0);
        self
    }

    /// Returns the consumed capacity in [`Page::consumed_capacity`], without the reads of [`hydrate`](Scan::hydrate).
    pub fn return_consumed_capacity(mut self) -> Self {
        self.spec.options.return_consumed_capacity = true;
        self
    }

    /// Skips items that cannot be read instead of failing: misfits, items that do not decode and, in the scan of a whole table, items that
    /// match no entity. [`Page::skipped`] holds their errors, with their keys. Call it last. A [`stream`](Self::stream) always yields such
    /// errors and goes on.
    pub fn skip_unreadable(self) -> SkipUnreadable<Self> {
        SkipUnreadable(self)
    }

    /// Reads consistently: sees every write that succeeded before, for twice the read capacity. Not on a global secondary index.
    pub fn consistent(mut self) -> Self
    where
        K: Queryable<Consistency: Consistent>,
    {
        self.spec.options.consistency = Consistency::Strong;
        self
    }

    /// Leaves out expired items. DynamoDB deletes them some time after they expire, and returns them until then.
    pub fn skip_expired(mut self) -> Self {
        self.spec.options.expired = Expired::LeftOut;
        self
    }

    /// Starts after a cursor, such as [`Page::next`], and scans the rest as one segment. `None` changes nothing.
    pub fn after(mut self, cursor: impl IntoCursor) -> Self {
        if let Some(cursor) = cursor.into_cursor() {
            self.spec.options.start = Start::After(cursor);
        }
        self
    }

    /// Fetches one page: up to [`limit`](Self::limit) items, or one response (at most 1 MB) if there is no limit.
    pub fn send<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, Page<V>>
    where
        K: Queryable<Coverage: CanYield<V, K>>,
        V: Send + 'static,
    {
        self.page(db, OnUnreadable::Fail)
    }

    pub(super) fn page<T: HasEntity<E>>(
        self,
        db: &Table<T>,
        unreadable: OnUnreadable,
    ) -> ResponseFuture<'_, Page<V>>
    where
        V: Send + 'static,
    {
        self.read(db, Extent::Page, unreadable)
    }

    /// Fetches all items, with as many requests as that takes.
    pub fn all<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, Vec<V>>
    where
        K: Queryable<Coverage: CanYield<V, K>>,
        V: Send + 'static,
    {
        finish(self.whole(db, OnUnreadable::Fail), Page::into_items)
    }

    pub(super) fn whole<T: HasEntity<E>>(
        self,
        db: &Table<T>,
        unreadable: OnUnreadable,
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
        unreadable: OnUnreadable,
    ) -> ResponseFuture<'_, Page<V>>
    where
        V: Send + 'static,
    {
        let spec = self.spec;
        let sent = SentScan {
            spec,
            extent,
            unreadable,
        };
        decoded(db.handle(), Box::new(sent), self.decode)
    }

    /// Streams the items. Each segment has one request at a time, which is sent when its items are needed.
    pub fn stream<T: HasEntity<E>>(self, db: &Table<T>) -> ItemStream<V>
    where
        K: Queryable<Coverage: CanYield<V, K>>,
    {
        ItemStream::new(self.spec.all(db.handle()), self.decode)
    }

    /// Counts the items, up to [`limit`](Self::limit). DynamoDB still reads and bills every item of the table, and returns the keys of those
    /// that may count. In the scan of a whole table, items that match no entity count too, unless
    /// [`skip_unknown`](Scan::skip_unknown) leaves them out. With [`Table::check_keys`] the items are read as a whole and checked, through
    /// [`hydrate`](Scan::hydrate) if the index does not hold them.
    pub fn count<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, usize>
    where
        V: 'static,
    {
        self.counted(db, OnMisfit::Fail)
    }

    pub(super) fn counted<T: HasEntity<E>>(
        self,
        db: &Table<T>,
        misfits: OnMisfit,
    ) -> ResponseFuture<'_, usize>
    where
        V: 'static,
    {
        let check = count_check(self.decode);
        self.spec.count(db.handle(), check, misfits)
    }

    /// The request, without sending it.
    pub fn explain(&self) -> Explain {
        self.spec.explain()
    }
}

impl<E, K, V> std::fmt::Debug for Scan<E, K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Scan({})", self.spec.name())
    }
}
