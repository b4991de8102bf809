//! Reading a whole table, or a whole index.

use super::fetch::Fetch;
use super::keep::is_live;
use super::read::{self, Call, Decode, Items, Reader, is_key};
use super::what::{Reads, What};
use super::wire::Raw;
use super::{Explain, Page, filter};
use crate::codec::Item;
use crate::collection::Own;
use crate::cursor::{Cursor, CursorError, Origin, Place};
use crate::entity::{DynaEntity, EntityMeta};
use crate::error::{Error, Result};
use crate::expr::{Condition, Expr};
use crate::projection::{Gives, View};
use crate::schema::{Consistent, HasIndex, Hydrated, IndexSchema, KeySpace, Primary, Secondary};
use crate::table::{DynaTable, Lists, Table};
use std::marker::PhantomData;
use std::time::SystemTime;

/// Reads every item of an entity, `Message::scan()`, or of a whole table, `Discord::scan()`.
///
/// DynamoDB looks at every item of the table and bills it, also those that are not returned. `K` is what is looked at: the table, or
/// an [index](Self::index). `V` is what it yields: `E`, or a [projection](Self::project) of it.
#[must_use = "a request does nothing until it is sent"]
pub struct Scan<E, K, V = E> {
    plan: Plan,
    decode: Decode<V>,
    types: PhantomData<fn() -> (E, K)>,
}

/// A scan as data.
struct Plan {
    /// The entity, or any of the table if all its items are read.
    meta: &'static EntityMeta,
    own: Option<&'static EntityMeta>,
    /// The key of what is looked at.
    index: &'static IndexSchema,
    reads: Reads,
    /// The entities with unique fields, if all items of the table are read.
    guarded: &'static [&'static EntityMeta],
    /// Whether items that have expired are left out.
    live: bool,
    filter: Expr,
    limit: Option<usize>,
    page_size: Option<i32>,
    segments: u16,
    prefetch: usize,
    consistent: bool,
    after: Option<Cursor>,
}

impl<E: DynaEntity> Scan<E, Primary<E::Table>> {
    /// Every item of an entity.
    #[doc(hidden)]
    pub fn entity() -> Self {
        Self::new(Plan::new(E::META, Some(E::META)), <E as View<E>>::read)
    }
}

impl<E: DynaTable> Scan<E, Primary<E::Schema>> {
    /// Every item of a table.
    #[doc(hidden)]
    pub fn table() -> Self {
        // A table lists at least one entity.
        let meta = E::ENTITIES.first().copied().unwrap_or(&EntityMeta::BROKEN);
        let is_guarded = |entity: &&EntityMeta| !entity.kept.unique.is_empty();
        let mut plan = Plan::new(meta, None);
        if E::ENTITIES.iter().any(is_guarded) {
            plan.guarded = E::ENTITIES;
        }
        Self::new(plan, E::read)
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
        self.plan.reads.hydrate = true;
        Scan::new(self.plan, self.decode)
    }
}

impl<E: DynaEntity, K, V> Scan<E, K, V> {
    /// Only the fields of the projection `P`. DynamoDB reads whole items, and bills them: a projection saves what is sent.
    pub fn project<P: View<E>>(mut self) -> Scan<E, K, P> {
        self.plan.reads.what = What::of::<E, P>();
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
        let filter = std::mem::take(&mut self.plan.filter);
        self.plan.filter = filter.and(condition.into_expr());
        self
    }

    /// At most this many items, however many requests that takes.
    pub fn limit(mut self, items: usize) -> Self {
        self.plan.limit = Some(items);
        self
    }

    /// At most this many items are looked at per request: DynamoDB's `Limit`.
    pub fn page_size(mut self, items: u32) -> Self {
        self.plan.page_size = Some(i32::try_from(items.max(1)).unwrap_or(i32::MAX));
        self
    }

    /// Reads that many parts of the table at the same time, in [`all`](Self::all) and [`stream`](Self::stream).
    pub fn segments(mut self, segments: u16) -> Self {
        self.plan.segments = segments.max(1);
        self
    }

    /// Asks for up to that many answers of each segment before they are wanted, in [`all`](Self::all) and
    /// [`stream`](Self::stream): while the items of one are decoded and used, the next is on its way.
    pub fn prefetch(mut self, answers: usize) -> Self {
        self.plan.prefetch = answers;
        self
    }

    /// Sees every write that was answered before, for twice the read capacity. Not on a global secondary index.
    pub fn consistent(mut self) -> Self
    where
        K: KeySpace<Reads: Consistent>,
    {
        self.plan.consistent = true;
        self
    }

    /// Leaves out the items that have expired: DynamoDB deletes them some time later, and returns them until then.
    pub fn live(mut self) -> Self {
        self.plan.live = true;
        self
    }

    /// Goes on where a page ended. What comes after that is read as one segment, since the page was.
    pub fn after(mut self, cursor: impl Into<Option<Cursor>>) -> Self {
        self.plan.after = cursor.into();
        self
    }

    /// Reads one page: up to [`limit`](Self::limit) items, or as many as DynamoDB gives in one answer (1 MB).
    pub async fn send<T: Lists<E>>(self, db: &Table<T>) -> Result<Page<V>>
    where
        K: KeySpace<Yields: Gives<V, K>>,
    {
        let (items, next) = self.plan.page(db).await?;
        let items = items.into_iter().map(|item| item.read(self.decode));
        Ok(Page {
            items: items.collect::<Result<_>>()?,
            prev: None,
            next,
        })
    }

    /// Reads all items, with as many requests as it takes.
    pub async fn all<T: Lists<E>>(self, db: &Table<T>) -> Result<Vec<V>>
    where
        K: KeySpace<Yields: Gives<V, K>>,
    {
        self.stream(db).collect().await
    }

    /// The items one by one, as they come: one request of each segment at a time, when its items are wanted.
    pub fn stream<T: Lists<E>>(self, db: &Table<T>) -> Items<V>
    where
        K: KeySpace<Yields: Gives<V, K>>,
    {
        let plan = read::Plan {
            prefetch: self.plan.prefetch,
            limit: self.plan.limit,
            ..read::Plan::default()
        };
        Items::new(self.plan.readers(db), plan, self.decode)
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

impl Plan {
    fn new(meta: &'static EntityMeta, own: Option<&'static EntityMeta>) -> Self {
        Self {
            meta,
            own,
            index: &meta.schema.key,
            reads: Reads::WHOLE,
            guarded: &[],
            live: false,
            filter: Expr::default(),
            limit: None,
            page_size: None,
            segments: 1,
            prefetch: 0,
            consistent: false,
            after: None,
        }
    }

    /// The entity, or the table.
    fn name(&self) -> &'static str {
        self.own.map_or(self.meta.schema.type_name, |own| own.name)
    }

    /// The items of a page, and where the next one begins.
    async fn page<T: DynaTable>(&self, db: &Table<T>) -> Result<(Vec<Raw>, Option<Cursor>)> {
        let Some(mut reader) = self.reader(db, None, self.start(db)?)? else {
            return Ok((Vec::new(), None));
        };
        let items = reader.items(self.limit.is_none()).await?;
        let next = reader.start.map(|key| {
            self.with_origin(db, |origin| {
                Cursor::seal(origin, &[Place::At(key)], db.cursor_secret())
            })
        });
        Ok((items, next.transpose()?))
    }

    /// The calls of the whole scan: one for each segment, or for what comes after a cursor.
    fn readers<T: DynaTable>(&self, db: &Table<T>) -> Result<Vec<Reader>> {
        if let Some(start) = self.start(db)? {
            return Ok(self.reader(db, None, Some(start))?.into_iter().collect());
        }
        let segments = 0..self.segments;
        let readers = segments.map(|segment| self.reader(db, Some(segment), None));
        readers.filter_map(Result::transpose).collect()
    }

    /// The key to start after, if there is a cursor.
    fn start<T: DynaTable>(&self, db: &Table<T>) -> Result<Option<Item>> {
        let Some(cursor) = &self.after else {
            return Ok(None);
        };
        let keys = [self.index, &self.meta.schema.key];
        self.with_origin(db, |origin| {
            let places = cursor.open(origin, db.cursor_secret())?;
            match places.as_slice() {
                [Place::At(key)] if is_key(&keys, key) => Ok(Some(key.clone())),
                _ => Err(CursorError::Malformed),
            }
        })
    }

    /// What the cursors of the scan belong to.
    fn with_origin<T: DynaTable, R>(
        &self,
        db: &Table<T>,
        run: impl FnOnce(&Origin<'_>) -> Result<R, CursorError>,
    ) -> Result<R> {
        let origin = Origin {
            table: db.name()?,
            index: self.index.name,
            partitions: &[Vec::new()],
            backward: false,
            scope: self.own.map_or("", |own| own.name),
        };
        run(&origin).map_err(|source| Error::Cursor {
            entity: self.meta.name,
            source,
        })
    }

    /// The filter, unless a value of it cannot be written or it names what an index does not hold.
    fn filter(&self, now: SystemTime) -> Result<Expr> {
        let live = self.live.then(|| is_live(self.meta, now));
        let filter = self.filter.clone().and(live.unwrap_or_default());
        let filter = filter.refuse_absent(self.index, &self.meta.schema.key);
        filter.check().map_err(|source| Error::Encode {
            entity: self.meta.name,
            source,
        })?;
        Ok(filter)
    }

    /// What is asked of each item: keys, if they say where the items are.
    fn projection(&self) -> Option<crate::expr::Rendered> {
        let keys = self.own.is_some() || self.limit.is_some();
        self.reads.first().render(self.meta, self.index, keys)
    }

    /// The call of the scan, or of one segment of it; `None` if nothing can match.
    fn reader<T: DynaTable>(
        &self,
        db: &Table<T>,
        segment: Option<u16>,
        start: Option<Item>,
    ) -> Result<Option<Reader>> {
        let table = db.name()?;
        let condition = self.filter(db.now())?;
        if condition.known() == Some(false) {
            return Ok(None);
        }
        let mut request = db.client().scan().table_name(table);
        if !self.index.name.is_empty() {
            request = request.index_name(self.index.name);
        }
        if let (Some(segment), true) = (segment, self.segments > 1) {
            request = request
                .segment(segment.into())
                .total_segments(self.segments.into());
        }
        if let Some(filter) = filter(self.meta, self.own.map(Own::One), &condition)? {
            request = request.filter_expression(filter.expression);
            for (alias, name) in filter.names {
                request = request.expression_attribute_names(alias, name);
            }
            for (alias, value) in filter.values {
                request = request.expression_attribute_values(alias, value);
            }
        }
        if let Some(projection) = self.projection() {
            request = request.projection_expression(projection.expression);
            for (alias, name) in projection.names {
                request = request.expression_attribute_names(alias, name);
            }
        }
        let request = request.set_consistent_read(self.consistent.then_some(true));
        let keys = [self.index, &self.meta.schema.key];
        Ok(Some(Reader {
            own: self.own.map(Own::One),
            guarded: self.guarded,
            filtered: self.own.is_some() || !self.guarded.is_empty() || condition.known().is_none(),
            page_size: self.page_size,
            wanted: self.limit,
            start,
            hydrate: self.reads.then(self.meta, self.index, |projection| {
                Fetch::new(db.client(), table, self.consistent, projection)
            }),
            ..Reader::new(Call::Scan(request), keys)
        }))
    }

    fn explain(&self) -> Explain {
        let mut explain = Explain::new("Scan", self.meta.schema.name);
        if !self.index.name.is_empty() {
            explain.member("IndexName", self.index.name);
        }
        let filter = self
            .filter(SystemTime::now())
            .and_then(|condition| filter(self.meta, self.own.map(Own::One), &condition));
        match filter {
            Ok(Some(filter)) => explain.expression("FilterExpression", filter),
            Ok(None) => {}
            Err(error) => explain.member("Error", error.to_string()),
        }
        if let Some(projection) = self.projection() {
            explain.expression("ProjectionExpression", projection);
        }
        if self.segments > 1 {
            explain.member("TotalSegments", self.segments.to_string());
        }
        if let Some(limit) = self.limit {
            explain.member("limit", limit.to_string());
        }
        if let Some(size) = self.page_size {
            explain.member("Limit", size.to_string());
        }
        if self.consistent {
            explain.member("ConsistentRead", "true");
        }
        if self.reads.hydrate {
            explain.member("then", "BatchGetItem of the keys");
        }
        explain
    }
}
