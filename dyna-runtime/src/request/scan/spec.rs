//! A scan as data, and its request.

use crate::codec::Item;
use crate::cursor::{Cursor, CursorError, Origin, Position};
use crate::entity::EntityMeta;
use crate::entity::collection::Owner;
use crate::entity::fill::is_live;
use crate::entity::owner::Rule;
use crate::error::{Error, Result};
use crate::expr::Expr;
use crate::read;
use crate::read::expressions::{ReadExpressions, fill, set};
use crate::read::filter::filter;
use crate::read::{
    Call, CountCheck, Expired, Extent, OnMisfit, OnUnreadable, Order, PageInfo, Pager, ReadOptions,
    ReadOutput, Run, Start, is_key,
};
use crate::request::Explain;
use crate::schema::IndexSchema;
use crate::table::Handle;
use crate::transport::ResponseFuture;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use std::time::SystemTime;

/// The most segments that DynamoDB takes.
const MAX_SEGMENTS: i32 = 1_000_000;

/// A scan as data.
pub(super) struct ScanSpec {
    /// The entity, or any of the table if all its items are read.
    pub(super) meta: &'static EntityMeta,
    /// The entity or table that is read.
    pub(super) owner: Owner,
    /// The key of what is looked at.
    pub(super) index: &'static IndexSchema,
    pub(super) options: ReadOptions,
    /// Whether items of no entity are left out of what a whole table is read as.
    pub(super) skip_unknown: bool,
    pub(super) segments: Segments,
}

/// A scan that is sent.
pub(super) struct SentScan {
    pub(super) spec: ScanSpec,
    pub(super) extent: Extent,
    pub(super) unreadable: OnUnreadable,
}

impl read::ReadRequest for SentScan {
    fn read<'a>(
        self: Box<Self>,
        db: &'a Handle,
        into: &'a mut dyn ReadOutput,
    ) -> ResponseFuture<'a, PageInfo> {
        Box::pin(async move {
            let run = match self.extent {
                Extent::Page => self.spec.page(db)?,
                Extent::All | Extent::One => self.spec.all(db)?,
            };
            let unreadable = self.unreadable;
            let (mut rest, stops) = Run { unreadable, ..run }.read(into).await?;
            let start = stops.into_iter().next().and_then(|stop| stop.start);
            if let (Extent::Page, Some(key)) = (self.extent, start) {
                let next = self.spec.with_origin(db, |origin| {
                    Cursor::seal(origin, &[Position::At(key)], db.cursor_secret())
                });
                rest.next = Some(next?);
            }
            Ok(rest)
        })
    }
}

/// The segments of the table that are read.
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

impl ScanSpec {
    pub(super) fn new(meta: &'static EntityMeta, owner: Owner) -> Self {
        Self {
            meta,
            owner,
            index: &meta.schema.key,
            options: ReadOptions::new(),
            skip_unknown: false,
            segments: Segments::All(1),
        }
    }

    /// The entity, or the table.
    pub(super) fn name(&self) -> &'static str {
        self.owner.name()
    }

    /// How its calls are read together.
    fn reading(&self, extent: Extent) -> read::MergeOptions {
        self.options.plan(extent, Order::Any, usize::MAX)
    }

    /// How many items there are, up to the limit. Their keys tell whose they are, and the check whether they are misfits.
    pub(super) fn count(
        mut self,
        db: &Handle,
        check: CountCheck,
        misfits: OnMisfit,
    ) -> ResponseFuture<'_, usize> {
        Box::pin(async move {
            self.options.attributes = self.options.attributes.to_count(db, self.index);
            read::count(self.all(db)?, check, misfits).await
        })
    }

    /// The calls of the whole scan: one for each segment, or for what comes after a cursor.
    pub(super) fn all(&self, db: &Handle) -> Result<Run> {
        let start = self.start(db)?;
        let pagers = match self.segments {
            Segments::All(of) if of > 1 && start.is_none() => (0..u32::from(of))
                .map(|segment| (segment, u32::from(of)))
                .filter_map(|segment| self.pager(db, Some(segment), None).transpose())
                .collect::<Result<_>>()?,
            segments => Vec::from_iter(self.pager(db, segments.one(), start)?),
        };
        Ok(Run {
            pagers,
            plan: self.reading(Extent::All),
            reversed: false,
            unreadable: OnUnreadable::Fail,
            stops: false,
        })
    }

    /// The call of one page.
    fn page(&self, db: &Handle) -> Result<Run> {
        let pager = self.pager(db, self.segments.one(), self.start(db)?)?;
        Ok(Run {
            pagers: Vec::from_iter(pager),
            plan: self.reading(Extent::Page),
            reversed: false,
            unreadable: OnUnreadable::Fail,
            stops: true,
        })
    }

    /// The key to start after, if there is a cursor.
    fn start(&self, db: &Handle) -> Result<Option<Item>> {
        let cursor = match &self.options.start {
            Start::Beginning => return Ok(None),
            Start::After(cursor) | Start::Before(cursor) => cursor,
        };
        let keys = [self.index, &self.meta.schema.key];
        self.with_origin(db, |origin| {
            let positions = cursor.open(origin, db.cursor_secret())?;
            match positions.as_slice() {
                [Position::At(key)] if is_key(&keys, key) => Ok(Some(key.clone())),
                _ => Err(CursorError::Malformed),
            }
        })
    }

    /// Calls `run` with the origin of the scan's cursors.
    fn with_origin<R>(
        &self,
        db: &Handle,
        run: impl FnOnce(&Origin<'_>) -> Result<R, CursorError>,
    ) -> Result<R> {
        let entity = match self.owner {
            Owner::Table(_) => "",
            owner => owner.name(),
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
        let live = match self.options.expired {
            Expired::Returned => Expr::default(),
            Expired::LeftOut => is_live(self.meta, now),
        };
        let filter = self.options.filter.clone().and(live);
        let filter = filter.refuse_absent(self.index, &self.meta.schema.key);
        filter.check().map_err(|source| Error::Encode {
            entity: self.meta.name,
            source,
        })?;
        Ok(filter)
    }

    /// The projection expression, unless whole items are read. Its keys always are: they tell items apart, and are the ends of a page.
    fn projection(&self) -> Option<crate::expr::Rendered> {
        self.options
            .attributes
            .first()
            .render(self.meta, self.index, true)
    }

    /// The call of the scan, or of one segment of it; `None` if nothing can match.
    fn pager(
        &self,
        db: &Handle,
        segment: Option<(u32, u32)>,
        start: Option<Item>,
    ) -> Result<Option<Pager>> {
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
        let filter = filter(self.meta, Some(self.owner), &condition)?;
        let expressions = ReadExpressions::new(filter, self.projection());
        fill!(request, expressions);
        let consumed = self.options.return_consumed_capacity;
        set!(
            request
                .set_consistent_read(self.options.consistency.as_member())
                .set_return_consumed_capacity(consumed.then_some(ReturnConsumedCapacity::Total))
        );
        let is_table = matches!(self.owner, Owner::Table(_));
        let guarded = db.entities().iter().any(|it| !it.managed.unique.is_empty());
        let rule = Rule::new(self.owner, db.entities(), self.index);
        let call = Call::Scan(request);
        Ok(Some(Pager {
            // Of a whole table, everything is ours, but sentinels.
            exclusive: is_table && !guarded,
            skip_unknown: self.skip_unknown,
            filtered: !is_table || guarded || condition.known().is_none(),
            start,
            ..Pager::new(db, call, self.meta, self.index, rule, &self.options)?
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
            explain.parameter("IndexName", self.index.name);
        }
        let filter = self
            .filter(SystemTime::now())
            .and_then(|condition| filter(self.meta, Some(self.owner), &condition));
        match filter {
            Ok(Some(filter)) => explain.expression("FilterExpression", filter),
            Ok(None) => {}
            Err(error) => explain.parameter("Error", error.to_string()),
        }
        if let Some(projection) = self.projection() {
            explain.expression("ProjectionExpression", projection);
        }
        match self.segments {
            Segments::All(1) => {}
            Segments::All(of) => explain.parameter("TotalSegments", of.to_string()),
            Segments::One(segment, of) => {
                explain.parameter("Segment", segment.to_string());
                explain.parameter("TotalSegments", of.to_string());
            }
        }
        explain.options(&self.options);
        explain
    }
}
