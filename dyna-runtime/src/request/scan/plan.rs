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
use crate::read::expressions::{Expressions, fill, set};
use crate::read::filter::filter;
use crate::read::what::Reads;
use crate::read::{
    Call, Expired, Extent, Order, ReadOptions, Reader, Rest, Run, Start, Unreadable, Values, is_key,
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
pub(super) struct Plan {
    /// The entity, or any of the table if all its items are read.
    pub(super) meta: &'static EntityMeta,
    /// Whose items are read.
    pub(super) own: Own,
    /// The key of what is looked at.
    pub(super) index: &'static IndexSchema,
    pub(super) options: ReadOptions,
    /// Whether items of no entity are left out of what a whole table is read as.
    pub(super) skip_unknown: bool,
    pub(super) segments: Segments,
}

/// A scan that is sent.
pub(super) struct Sent {
    pub(super) plan: Plan,
    pub(super) extent: Extent,
    pub(super) unreadable: Unreadable,
}

impl read::Reads for Sent {
    fn read<'a>(
        self: Box<Self>,
        db: &'a Handle,
        into: &'a mut dyn Values,
    ) -> ResponseFuture<'a, Rest> {
        Box::pin(async move {
            let run = match self.extent {
                Extent::Page => self.plan.page(db)?,
                Extent::All | Extent::One => self.plan.all(db)?,
            };
            let unreadable = self.unreadable;
            let (mut rest, stops) = Run { unreadable, ..run }.read(into).await?;
            let start = stops.into_iter().next().and_then(|stop| stop.start);
            if let (Extent::Page, Some(key)) = (self.extent, start) {
                let next = self.plan.with_origin(db, |origin| {
                    Cursor::seal(origin, &[Place::At(key)], db.cursor_secret())
                });
                rest.next = Some(next?);
            }
            Ok(rest)
        })
    }
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
            options: ReadOptions::new(),
            skip_unknown: false,
            segments: Segments::All(1),
        }
    }

    /// The entity, or the table.
    pub(super) fn name(&self) -> &'static str {
        self.own.name()
    }

    /// How its calls are read together.
    fn reading(&self, extent: Extent) -> read::Plan {
        self.options.plan(extent, Order::Any, usize::MAX)
    }

    /// How many items there are, up to the limit. Their keys tell whose they are.
    pub(super) fn count(
        mut self,
        db: &Handle,
        unreadable: Unreadable,
    ) -> ResponseFuture<'_, usize> {
        Box::pin(async move {
            self.options.attributes = Reads::KEYS;
            let run = self.all(db)?;
            read::count(Run { unreadable, ..run }).await
        })
    }

    /// The calls of the whole scan: one for each segment, or for what comes after a cursor.
    pub(super) fn all(&self, db: &Handle) -> Result<Run> {
        let start = self.start(db)?;
        let readers = match self.segments {
            Segments::All(of) if of > 1 && start.is_none() => (0..u32::from(of))
                .map(|segment| (segment, u32::from(of)))
                .filter_map(|segment| self.reader(db, Some(segment), None).transpose())
                .collect::<Result<_>>()?,
            segments => Vec::from_iter(self.reader(db, segments.one(), start)?),
        };
        Ok(Run {
            readers,
            plan: self.reading(Extent::All),
            turned: false,
            unreadable: Unreadable::Fail,
            stops: false,
        })
    }

    /// The call of one page.
    fn page(&self, db: &Handle) -> Result<Run> {
        let reader = self.reader(db, self.segments.one(), self.start(db)?)?;
        Ok(Run {
            readers: Vec::from_iter(reader),
            plan: self.reading(Extent::Page),
            turned: false,
            unreadable: Unreadable::Fail,
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
            let places = cursor.open(origin, db.cursor_secret())?;
            match places.as_slice() {
                [Place::At(key)] if is_key(&keys, key) => Ok(Some(key.clone())),
                _ => Err(CursorError::Malformed),
            }
        })
    }

    /// What the cursors of the scan belong to.
    fn with_origin<R>(
        &self,
        db: &Handle,
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

    /// What is asked of each item, if not all of it. Its keys always are: they tell items apart, and are the ends of a page.
    fn projection(&self) -> Option<crate::expr::Rendered> {
        self.options
            .attributes
            .first()
            .render(self.meta, self.index, true)
    }

    /// The call of the scan, or of one segment of it; `None` if nothing can match.
    fn reader(
        &self,
        db: &Handle,
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
        let consumed = self.options.return_consumed_capacity;
        set!(
            request
                .set_consistent_read(self.options.consistency.as_member())
                .set_return_consumed_capacity(consumed.then_some(ReturnConsumedCapacity::Total))
        );
        let is_table = matches!(self.own, Own::Table(_));
        let guarded = db.entities().iter().any(|it| !it.managed.unique.is_empty());
        let rule = Rule::new(self.own, db.entities(), self.index);
        let call = Call::Scan(request);
        Ok(Some(Reader {
            // Of a whole table, everything is ours, but sentinels.
            exclusive: is_table && !guarded,
            skip_unknown: self.skip_unknown,
            filtered: !is_table || guarded || condition.known().is_none(),
            start,
            ..Reader::new(db, call, self.meta, self.index, rule, &self.options)?
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
        explain.options(&self.options);
        explain
    }
}
