//! A scan as data, and what it asks.

use crate::codec::Item;
use crate::collection::Own;
use crate::cursor::{Cursor, CursorError, Origin, Place};
use crate::entity::EntityMeta;
use crate::error::{Error, Result};
use crate::expr::Expr;
use crate::request::expressions::{Expressions, fill, set};
use crate::request::fetch::Fetch;
use crate::request::keep::is_live;
use crate::request::read::{self, Call, Decode, Items, Reader, Source, Straight, is_key};
use crate::request::what::Reads;
use crate::request::{Explain, filter};
use crate::schema::IndexSchema;
use crate::table::{DynaTable, Table};
use std::time::SystemTime;

/// A scan as data.
pub(super) struct Plan {
    /// The entity, or any of the table if all its items are read.
    pub(super) meta: &'static EntityMeta,
    pub(super) own: Option<&'static EntityMeta>,
    /// The key of what is looked at.
    pub(super) index: &'static IndexSchema,
    pub(super) reads: Reads,
    /// The entities with unique fields, if all items of the table are read.
    pub(super) guarded: &'static [&'static EntityMeta],
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
    One(u16, u16),
}

impl Segments {
    fn one(self) -> Option<(u16, u16)> {
        match self {
            Self::All(_) => None,
            Self::One(segment, of) => Some((segment, of)),
        }
    }
}

impl Plan {
    pub(super) fn new(meta: &'static EntityMeta, own: Option<&'static EntityMeta>) -> Self {
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
            segments: Segments::All(1),
            prefetch: 0,
            consistent: false,
            after: None,
        }
    }

    /// The entity, or the table.
    pub(super) fn name(&self) -> &'static str {
        self.own.map_or(self.meta.schema.type_name, |own| own.name)
    }

    /// How its calls are read together.
    pub(super) fn reading(&self) -> read::Plan {
        read::Plan {
            prefetch: self.prefetch,
            limit: self.limit,
            ..read::Plan::default()
        }
    }

    /// How many items there are, up to the limit. Where items have to be told apart, their keys are read.
    pub(super) async fn count<T: DynaTable>(mut self, db: &Table<T>) -> Result<usize> {
        let apart = self.own.is_some() || !self.guarded.is_empty() || self.limit.is_some();
        self.reads = Reads::to_count(apart);
        let mut readers = self.readers(db)?;
        if !apart {
            readers.iter_mut().for_each(Reader::only_count);
        }
        read::count(readers, self.reading()).await
    }

    /// The items of a page, and where the next one begins.
    pub(super) async fn page<T: DynaTable, V>(
        &self,
        db: &Table<T>,
        decode: Decode<V>,
    ) -> Result<(Vec<V>, Option<Cursor>)> {
        let reader = self.reader(db, self.segments.one(), self.start(db)?)?;
        let one_answer = self.limit.is_none();
        let (items, start) = match Straight::of(Vec::from_iter(reader)) {
            Ok(mut straight) => {
                let items = straight.read(decode, one_answer).await?;
                (items, straight.reader.start)
            }
            Err(mut readers) => {
                let Some(reader) = readers.first_mut() else {
                    return Ok((Vec::new(), None));
                };
                let items = reader.items(one_answer).await?.into_iter();
                let items = items.map(|item| item.read(decode)).collect::<Result<_>>()?;
                (items, reader.start.take())
            }
        };
        let next = start.map(|key| {
            self.with_origin(db, |origin| {
                Cursor::seal(origin, &[Place::At(key)], db.cursor_secret())
            })
        });
        Ok((items, next.transpose()?))
    }

    /// All items, in one segment without looking for them first.
    pub(super) async fn all<T: DynaTable, V: 'static>(
        &self,
        db: &Table<T>,
        decode: Decode<V>,
    ) -> Result<Vec<V>> {
        let mut readers = self.readers(db)?;
        if self.prefetch == 0 {
            readers = match Straight::of(readers) {
                Ok(mut straight) => return straight.read(decode, false).await,
                Err(readers) => readers,
            };
        }
        Items::new(Ok(readers), self.reading(), decode)
            .collect()
            .await
    }

    /// The calls of the whole scan: one for each segment, or for what comes after a cursor.
    pub(super) fn readers<T: DynaTable>(&self, db: &Table<T>) -> Result<Vec<Reader>> {
        let start = self.start(db)?;
        match self.segments {
            Segments::All(of) if of > 1 && start.is_none() => (0..of)
                .filter_map(|segment| self.reader(db, Some((segment, of)), None).transpose())
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
        let entity = self.own.map_or("", |own| own.name);
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

    /// What is asked of each item: keys, if they say where the items are.
    fn projection(&self) -> Option<crate::expr::Rendered> {
        let keys = self.own.is_some() || self.limit.is_some();
        self.reads.first().render(self.meta, self.index, keys)
    }

    /// The call of the scan, or of one segment of it; `None` if nothing can match.
    fn reader<T: DynaTable>(
        &self,
        db: &Table<T>,
        segment: Option<(u16, u16)>,
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
            request = request.segment(segment.into()).total_segments(of.into());
        }
        let filter = filter(self.meta, self.own.map(Own::One), &condition)?;
        let expressions = Expressions::new(filter, self.projection());
        fill!(request, expressions);
        set!(request.set_consistent_read(self.consistent.then_some(true)));
        let keys = [self.index, &self.meta.schema.key];
        Ok(Some(Reader {
            own: self.own.map(Own::One),
            guarded: self.guarded,
            filtered: self.own.is_some() || !self.guarded.is_empty() || condition.known().is_none(),
            page_size: self.page_size,
            wanted: self.limit,
            start,
            hydrate: self.reads.then(self.meta, self.index, |projection| {
                Fetch::new(db, table, self.consistent, projection)
            }),
            ..Reader::new(Call::Scan(request), keys, Source::new(db, table, self.meta))
        }))
    }

    pub(super) fn explain(&self) -> Explain {
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
