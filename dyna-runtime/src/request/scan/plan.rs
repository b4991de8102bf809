//! A scan as data, and what it asks.

use crate::codec::Item;
use crate::cursor::{Cursor, CursorError, Origin, Place};
use crate::entity::EntityMeta;
use crate::entity::collection::Own;
use crate::entity::fill::is_live;
use crate::entity::owner::Rule;
use crate::error::{Error, Result};
use crate::expr::Expr;
use crate::read;
use crate::read::Page;
use crate::read::expressions::{Expressions, fill, set};
use crate::read::fetch::Fetch;
use crate::read::filter::filter;
use crate::read::what::Reads;
use crate::read::{Call, Decode, ItemStream, Reader, Source, Straight, is_key};
use crate::request::Explain;
use crate::schema::IndexSchema;
use crate::table::{DynaTable, Table};
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use std::time::SystemTime;

/// The most segments that DynamoDB takes.
const MAX_SEGMENTS: i32 = 1_000_000;

/// A scan as data.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a choice of its own, made by another method"
)]
pub(super) struct Plan {
    /// The entity, or any of the table if all its items are read.
    pub(super) meta: &'static EntityMeta,
    /// Whose items are read.
    pub(super) own: Own,
    /// The key of what is looked at.
    pub(super) index: &'static IndexSchema,
    pub(super) reads: Reads,
    /// Whether items of no entity are left out of what a whole table is read as.
    pub(super) skip_unknown: bool,
    /// Whether DynamoDB says what it costs.
    pub(super) return_consumed_capacity: bool,
    /// Whether items that have expired are left out.
    pub(super) live: bool,
    pub(super) filter: Expr,
    pub(super) limit: Option<usize>,
    pub(super) page_size: Option<i32>,
    pub(super) segments: Segments,
    pub(super) prefetch: usize,
    pub(super) consistent: bool,
    pub(super) after: Option<Cursor>,
}

/// Which parts of the table are read.
#[derive(Clone, Copy)]
pub(super) enum Segments {
    /// All of them, this many at a time.
    All(u16),
    /// One of so many, counted from 0.
    One(u32, u32),
}

impl Segments {
    fn one(self) -> Option<(u32, u32)> {
        match self {
            Self::All(_) => None,
            Self::One(segment, of) => Some((segment, of)),
        }
    }
}

impl Plan {
    pub(super) fn new(meta: &'static EntityMeta, own: Own) -> Self {
        Self {
            meta,
            own,
            index: &meta.schema.key,
            reads: Reads::WHOLE,
            skip_unknown: false,
            return_consumed_capacity: false,
            live: false,
            filter: Expr::default(),
            limit: None,
            page_size: None,
            segments: Segments::All(1),
            prefetch: 0,
            consistent: false,
            after: None,
        }
    }

    /// The entity, or the table.
    pub(super) fn name(&self) -> &'static str {
        self.own.name()
    }

    /// How its calls are read together.
    pub(super) fn reading(&self) -> read::Plan {
        read::Plan {
            prefetch: self.prefetch,
            limit: self.limit,
            ..read::Plan::default()
        }
    }

    /// How many items there are, up to the limit. Their keys tell whose they are.
    pub(super) async fn count<T: DynaTable>(
        mut self,
        db: &Table<T>,
        skip_unreadable: bool,
    ) -> Result<usize> {
        self.reads = Reads::KEYS;
        read::count(self.readers(db)?, self.reading(), skip_unreadable).await
    }

    /// A page, and where the next one begins.
    pub(super) async fn page<T: DynaTable, V: 'static>(
        &self,
        db: &Table<T>,
        decode: Decode<V>,
        skip_unreadable: bool,
    ) -> Result<Page<V>> {
        let reader = self.reader(db, self.segments.one(), self.start(db)?)?;
        let mut readers = Vec::from_iter(reader);
        if skip_unreadable {
            read::count_readable(&mut readers, decode);
        }
        let one_answer = self.limit.is_none();
        let (mut page, start) = match Straight::of(readers) {
            Ok(mut straight) => {
                let items = straight.read(decode, one_answer, skip_unreadable).await?;
                (straight.page(items), straight.reader.start)
            }
            Err(mut readers) => {
                let mut page = Page::empty();
                let Some(reader) = readers.first_mut() else {
                    return Ok(page);
                };
                for item in reader.items(one_answer).await? {
                    match item.read(decode) {
                        Ok(item) => page.items.push(item),
                        Err(error) if skip_unreadable => page.skipped.unreadable.push(error),
                        Err(error) => return Err(error),
                    }
                }
                page.add(&reader.skipped, reader.consumed);
                (page, reader.start.take())
            }
        };
        let next = start.map(|key| {
            self.with_origin(db, |origin| {
                Cursor::seal(origin, &[Place::At(key)], db.cursor_secret())
            })
        });
        page.next = next.transpose()?;
        Ok(page)
    }

    /// All items, in one segment without looking for them first.
    pub(super) async fn all<T: DynaTable, V: 'static>(
        &self,
        db: &Table<T>,
        decode: Decode<V>,
        skip_unreadable: bool,
    ) -> Result<Page<V>> {
        let mut readers = self.readers(db)?;
        if skip_unreadable {
            read::count_readable(&mut readers, decode);
        }
        if self.prefetch == 0 {
            readers = match Straight::of(readers) {
                Ok(mut straight) => {
                    let items = straight.read(decode, false, skip_unreadable).await?;
                    return Ok(straight.page(items));
                }
                Err(readers) => readers,
            };
        }
        let items = ItemStream::new(Ok(readers), self.reading(), decode);
        items.collect(skip_unreadable).await
    }

    /// The calls of the whole scan: one for each segment, or for what comes after a cursor.
    pub(super) fn readers<T: DynaTable>(&self, db: &Table<T>) -> Result<Vec<Reader>> {
        let start = self.start(db)?;
        match self.segments {
            Segments::All(of) if of > 1 && start.is_none() => (0..u32::from(of))
                .map(|segment| (segment, u32::from(of)))
                .filter_map(|segment| self.reader(db, Some(segment), None).transpose())
                .collect(),
            segments => Ok(self
                .reader(db, segments.one(), start)?
                .into_iter()
                .collect()),
        }
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
        let entity = match self.own {
            Own::Table(_) => "",
            own => own.name(),
        };
        let scope = match self.segments.one() {
            None => entity.to_owned(),
            Some((segment, of)) => format!("{entity}\0{segment}/{of}"),
        };
        let origin = Origin {
            table: db.name()?,
            index: self.index.name,
            partitions: &[Vec::new()],
            backward: false,
            scope: &scope,
        };
        run(&origin).map_err(|source| Error::Cursor {
            entity: self.name(),
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

    /// What is asked of each item, if not all of it. Its keys always are: they tell items apart, and are the ends of a page.
    fn projection(&self) -> Option<crate::expr::Rendered> {
        self.reads.first().render(self.meta, self.index, true)
    }

    /// The call of the scan, or of one segment of it; `None` if nothing can match.
    fn reader<T: DynaTable>(
        &self,
        db: &Table<T>,
        segment: Option<(u32, u32)>,
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
        if let Some((segment, of)) = segment {
            let (segment, of) = self.check_segment(segment, of)?;
            request = request.segment(segment).total_segments(of);
        }
        let filter = filter(self.meta, Some(self.own), &condition)?;
        let expressions = Expressions::new(filter, self.projection());
        fill!(request, expressions);
        let consumed = self.return_consumed_capacity;
        set!(
            request
                .set_consistent_read(self.consistent.then_some(true))
                .set_return_consumed_capacity(consumed.then_some(ReturnConsumedCapacity::Total))
        );
        let is_table = matches!(self.own, Own::Table(_));
        let guarded = T::ENTITIES.iter().any(|it| !it.managed.unique.is_empty());
        let keys = [self.index, &self.meta.schema.key];
        let rule = Rule::new(self.own, T::ENTITIES, self.index);
        Ok(Some(Reader {
            // Of a whole table, everything is ours, but sentinels.
            exclusive: is_table && !guarded,
            skip_unknown: self.skip_unknown,
            check_keys: db.checks_keys(),
            filtered: !is_table || guarded || condition.known().is_none(),
            page_size: self.page_size,
            wanted: self.limit,
            start,
            hydrate: self.reads.then(self.meta, self.index, |projection| {
                Fetch::new(db, table, self.consistent, projection)
            }),
            ..Reader::new(
                Call::Scan(request),
                keys,
                Source::new(db, table, self.meta),
                rule,
            )
        }))
    }

    /// The segment as DynamoDB takes it, if there is such a one.
    fn check_segment(&self, segment: u32, of: u32) -> Result<(i32, i32)> {
        let numbers = i32::try_from(segment).ok().zip(i32::try_from(of).ok());
        numbers
            .filter(|(segment, of)| segment < of && *of <= MAX_SEGMENTS)
            .ok_or(Error::Segment {
                entity: self.name(),
                segment,
                of,
            })
    }

    pub(super) fn explain(&self) -> Explain {
        let mut explain = Explain::new("Scan", self.meta.schema.name);
        if !self.index.name.is_empty() {
            explain.member("IndexName", self.index.name);
        }
        let filter = self
            .filter(SystemTime::now())
            .and_then(|condition| filter(self.meta, Some(self.own), &condition));
        match filter {
            Ok(Some(filter)) => explain.expression("FilterExpression", filter),
            Ok(None) => {}
            Err(error) => explain.member("Error", error.to_string()),
        }
        if let Some(projection) = self.projection() {
            explain.expression("ProjectionExpression", projection);
        }
        match self.segments {
            Segments::All(1) => {}
            Segments::All(of) => explain.member("TotalSegments", of.to_string()),
            Segments::One(segment, of) => {
                explain.member("Segment", segment.to_string());
                explain.member("TotalSegments", of.to_string());
            }
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
        if let Some(cursor) = &self.after {
            explain.member("after", cursor.to_string());
        }
        if self.reads.hydrate {
            explain.member("then", "BatchGetItem of the keys");
        }
        explain
    }
}
