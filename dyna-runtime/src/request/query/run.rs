//! Running a query: pages, cursors, counts.

use crate::cursor::{Cursor, CursorError, MOST_MERGED, Origin, Partition, Position};
use crate::entity::KeyRef;
use crate::entity::owner::Rule;
use crate::error::{Error, Result};
use crate::key::KeyValue;
use crate::proof::Overlap;
use crate::read;
use crate::read::expressions::{ReadExpressions, fill, set};
use crate::read::{
    Call, CountCheck, Direction, Extent, MergeOptions, OnMisfit, OnUnreadable, Order, PageInfo,
    Pager, ReadOutput, Run, Start, Stop, is_key, key_of,
};
use crate::request::query::QuerySpec;
use crate::request::query::render::QueryRequest;
use crate::request::query::spec::Reach;
use crate::table::Handle;
use crate::transport::{RawItem, ResponseFuture};
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity};
use std::collections::HashMap;

/// A query that is sent.
pub(super) struct SentQuery {
    pub(super) spec: QuerySpec,
    pub(super) overlap: Overlap,
    pub(super) extent: Extent,
    pub(super) unreadable: OnUnreadable,
}

impl read::ReadRequest for SentQuery {
    fn read<'a>(
        self: Box<Self>,
        db: &'a Handle,
        into: &'a mut dyn ReadOutput,
    ) -> ResponseFuture<'a, PageInfo> {
        Box::pin(async move {
            match self.extent {
                Extent::Page => self.page(db, into).await,
                Extent::All => self.all(db, into).await,
                Extent::One => self.one(db, into).await,
            }
        })
    }
}

impl SentQuery {
    async fn page(&self, db: &Handle, into: &mut dyn ReadOutput) -> Result<PageInfo> {
        let spec = &self.spec;
        let given = positions(db, spec)?;
        let pagers = pagers(db, spec, self.overlap, given.as_deref())?;
        check_cursor(spec, pagers.len())?;
        let run = Run {
            pagers,
            plan: spec.plan(Extent::Page),
            reversed: spec.options.is_reversed(),
            unreadable: self.unreadable.clone(),
            stops: true,
        };
        let (mut rest, stops) = run.read(into).await?;
        let is_end = |stop: &Stop| stop.start.is_none() && stop.head.is_none() && stop.asked;
        // From the start to the end: there is nothing around it.
        if given.is_some() || !stops.iter().all(is_end) {
            (rest.prev, rest.next) = page_cursors(db, spec, given, &stops)?;
        }
        Ok(rest)
    }

    async fn all(&self, db: &Handle, into: &mut dyn ReadOutput) -> Result<PageInfo> {
        let run = all(db, &self.spec, self.overlap)?;
        let unreadable = self.unreadable.clone();
        let (rest, _) = Run { unreadable, ..run }.read(into).await?;
        Ok(rest)
    }

    async fn one(&self, db: &Handle, into: &mut dyn ReadOutput) -> Result<PageInfo> {
        let entity = self.spec.owner.name();
        let rest = self.all(db, into).await?;
        if into.count() > 1 {
            return Err(Error::MoreThanOne { entity });
        }
        Ok(rest)
    }
}

/// Refuses a page whose cursor could not be made, before anything is read: partitions that are merged are each in a place of their own.
fn check_cursor(spec: &QuerySpec, partitions: usize) -> Result<()> {
    if spec.sequential || partitions <= MOST_MERGED {
        return Ok(());
    }
    Err(Error::Cursor {
        entity: spec.owner.name(),
        source: CursorError::TooManyPartitions,
    })
}

/// The cursors around what was read, from the places around what was read of each partition.
fn page_cursors(
    db: &Handle,
    spec: &QuerySpec,
    given: Option<Vec<Position>>,
    stops: &[Stop],
) -> Result<(Option<Cursor>, Option<Cursor>)> {
    let (near, far) = spec.ends();
    let keys = [spec.schema(), &spec.meta.schema.key];
    let (mut behind, mut ahead) = (Vec::new(), Vec::new());
    for (n, stop) in stops.iter().enumerate() {
        let from = position_of(spec, given.as_deref(), n, &near)?;
        let (before, after) = page_bounds(stop, from, &far, &keys);
        behind.push(before);
        ahead.push(after);
    }
    let moved = given.is_some_and(|given| given.iter().any(|position| *position != near));
    let asked = spec.options.limit != Some(0) && !behind.is_empty();
    let behind = (moved && asked).then_some(behind);
    let more = ahead.iter().any(|position| *position != far);
    let ahead = (more && (moved || asked)).then_some(ahead);
    let (prev, next) = if spec.options.is_reversed() {
        (ahead, behind)
    } else {
        (behind, ahead)
    };
    let seal = |positions: Option<Vec<Position>>, way| {
        let seal = |positions: Vec<Position>| {
            with_origin(db, spec, way, |origin| {
                Cursor::seal(origin, &positions, db.cursor_secret())
            })
        };
        positions.map(seal).transpose()
    };
    Ok((
        seal(prev, CursorUse::Before)?,
        seal(next, CursorUse::After)?,
    ))
}

/// The position that a cursor gives to partition `n`; without a cursor, the start. A partition without one would be read from the start again.
fn position_of<'p>(
    spec: &QuerySpec,
    given: Option<&'p [Position]>,
    n: usize,
    start: &'p Position,
) -> Result<&'p Position> {
    match given {
        None => Ok(start),
        Some(given) => given.get(n).ok_or(Error::Internal {
            entity: spec.owner.name(),
            what: "a cursor has no position for a partition of its query",
        }),
    }
}

/// The places around what was read of a partition: to go back from, and to go on from.
///
/// Both are item keys, the only positions that DynamoDB accepts: going back starts before the first item, or if there was none, before
/// the item that was read last, which is not wanted.
fn page_bounds(
    stop: &Stop,
    from: &Position,
    far: &Position,
    keys: &[&'static crate::schema::IndexSchema],
) -> (Position, Position) {
    let position = |item: &RawItem| Position::At(key_of(keys, item));
    let left = match &stop.start {
        Some(start) => Position::At(start.clone()),
        None if stop.asked => far.clone(),
        None => from.clone(),
    };
    let ahead = match (&stop.head, &stop.last) {
        (Some(_), Some(last)) => position(last),
        (Some(_), None) => from.clone(),
        (None, _) => left.clone(),
    };
    let first = stop.first.as_ref().or(stop.head.as_ref());
    (first.map_or(left, position), ahead)
}

/// How many items there are, up to the limit. Their keys tell whose they are, and the check whether they are misfits.
pub(super) fn count(
    db: &Handle,
    mut spec: QuerySpec,
    overlap: Overlap,
    check: CountCheck,
    misfits: OnMisfit,
) -> ResponseFuture<'_, usize> {
    Box::pin(async move {
        spec.options.attributes = spec.options.attributes.to_count(db, spec.schema());
        read::count(all(db, &spec, overlap)?, check, misfits).await
    })
}

/// The calls of a query, one for each partition; none if nothing can match.
pub(super) fn all(db: &Handle, spec: &QuerySpec, overlap: Overlap) -> Result<Run> {
    Ok(Run {
        pagers: pagers(db, spec, overlap, positions(db, spec)?.as_deref())?,
        plan: spec.plan(Extent::All),
        reversed: spec.options.is_reversed(),
        unreadable: OnUnreadable::Fail,
        stops: false,
    })
}

/// The calls, from these places on.
fn pagers(
    db: &Handle,
    spec: &QuerySpec,
    overlap: Overlap,
    positions: Option<&[Position]>,
) -> Result<Vec<Pager>> {
    let table = db.name()?;
    let spec = &*spec.at(db.now());
    let reach = spec.reach(overlap, db.entities());
    let Ok(mut ask) = spec.ask(reach)? else {
        return Ok(Vec::new());
    };
    let partitions = std::mem::take(&mut ask.partitions);
    let (request, values) = request(spec, db.client().query().table_name(table), ask);
    let (near, far) = spec.ends();
    let rule = Rule {
        in_partition: spec.key == KeyRef::PrimaryKey,
        has_sort_key: spec.key == KeyRef::PrimaryKey && spec.has_sort_key(),
        ..Rule::new(spec.owner, db.entities(), spec.schema())
    };
    // Pagers and requests are large: they are moved as little as can be.
    let mut pagers = Vec::with_capacity(partitions.len());
    let requests = std::iter::repeat_n((request, values), partitions.len());
    for (partition, (request, mut values)) in partitions.into_iter().zip(requests) {
        values.extend(named(partition));
        let call = Call::Query(request.set_expression_attribute_values(Some(values)));
        let position = position_of(spec, positions, pagers.len(), &near)?;
        let mut pager = Pager::new(db, call, spec.meta, spec.schema(), rule, &spec.options)?;
        pager.exclusive = reach == Reach::Own;
        pager.filtered = reach == Reach::Shared || spec.options.filter.known().is_none();
        pager.ended = *position == far;
        if let Position::At(key) = position {
            pager.start = Some(key.clone());
        }
        pagers.push(pager);
    }
    Ok(pagers)
}

/// The request without the partition, and the values that its expressions refer to.
fn request(
    spec: &QuerySpec,
    mut request: QueryFluentBuilder,
    ask: QueryRequest,
) -> (QueryFluentBuilder, HashMap<String, AttributeValue>) {
    let mut expressions = ReadExpressions::new(ask.filter, ask.projection);
    expressions.names(named(ask.names));
    expressions.values(named(ask.values));
    let values = expressions.values.take().unwrap_or_default();
    fill!(request, expressions);
    let index = spec.schema().name;
    let direction = if spec.options.is_reversed() {
        spec.direction.reversed()
    } else {
        spec.direction
    };
    let is_backward = direction == Direction::Descending;
    set!(
        request
            .set_key_condition_expression(Some(ask.condition.to_owned()))
            .set_index_name((!index.is_empty()).then(|| index.to_owned()))
            .set_scan_index_forward(is_backward.then_some(false))
            .set_consistent_read(spec.options.consistency.as_member())
            .set_return_consumed_capacity(
                spec.options
                    .return_consumed_capacity
                    .then_some(ReturnConsumedCapacity::Total)
            )
    );
    (request, values)
}

fn named<T: Into<U>, U>(list: Vec<(&'static str, T)>) -> impl Iterator<Item = (String, U)> {
    list.into_iter()
        .map(|(name, value)| (name.to_owned(), value.into()))
}

/// The places to start from, one for each partition, if the query has a cursor.
fn positions(db: &Handle, spec: &QuerySpec) -> Result<Option<Vec<Position>>> {
    let (cursor, way) = match &spec.options.start {
        Start::Beginning => return Ok(None),
        Start::After(cursor) => (cursor, CursorUse::After),
        Start::Before(cursor) => (cursor, CursorUse::Before),
    };
    let keys = [spec.schema(), &spec.meta.schema.key];
    let positions = with_origin(db, spec, way, |origin| {
        let positions = cursor.open(origin, db.cursor_secret())?;
        let is_position = |position: &Position| match position {
            Position::At(key) => is_key(&keys, key),
            Position::Start | Position::End => true,
        };
        if positions.iter().all(is_position) {
            Ok(positions)
        } else {
            Err(CursorError::Malformed)
        }
    })?;
    Ok(Some(positions))
}

/// The direction of a cursor.
#[derive(Clone, Copy)]
enum CursorUse {
    After,
    Before,
}

/// Calls `run` with the origin of the query's cursors.
fn with_origin<R>(
    db: &Handle,
    spec: &QuerySpec,
    way: CursorUse,
    run: impl FnOnce(&Origin<'_>) -> Result<R, CursorError>,
) -> Result<R> {
    let schema = spec.schema();
    let partitions = spec.partitions.clone()?;
    let attributes = |values: Vec<KeyValue>| values.into_iter().map(KeyValue::into_attribute);
    let values: Vec<Vec<AttributeValue>> = partitions
        .into_iter()
        .map(|values| attributes(values).collect())
        .collect();
    let names = || schema.pk.iter().map(|attribute| attribute.name);
    let partitions: Vec<Partition<'_>> = values
        .iter()
        .map(|values| names().zip(values).collect())
        .collect();
    let mut scope = spec.scope();
    if partitions.len() > 1 {
        // The places of several partitions are those between the items of a page: not all of them are of items in the page.
        scope += match way {
            CursorUse::After => "\0after",
            CursorUse::Before => "\0before",
        };
        scope += if spec.sequential { "\0in turn" } else { "" };
    }
    let origin = Origin {
        table: db.name()?,
        index: schema.name,
        partitions: &partitions,
        backward: spec.direction == Direction::Descending,
        scope: &scope,
    };
    run(&origin).map_err(|source| Error::Cursor {
        entity: spec.owner.name(),
        source,
    })
}

impl QuerySpec {
    /// The end of a partition that reading begins at, and the one that it ends at.
    fn ends(&self) -> (Position, Position) {
        if self.options.is_reversed() {
            (Position::End, Position::Start)
        } else {
            (Position::Start, Position::End)
        }
    }

    /// How its partitions are read together.
    fn plan(&self, extent: Extent) -> MergeOptions {
        let several = matches!(&self.partitions, Ok(partitions) if partitions.len() > 1);
        let reversed = self.options.is_reversed();
        let order = match (several, self.sequential) {
            (false, _) => Order::Any,
            (true, true) => Order::InTurn { reversed },
            (true, false) => Order::Sorted {
                by: self.schema().sk,
                direction: self.direction,
                reversed,
            },
        };
        self.options.plan(extent, order, self.concurrency)
    }
}
