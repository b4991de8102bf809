//! Running a query: pages until the caller has what it asked for.

use crate::cursor::{Cursor, CursorError, MOST_MERGED, Origin, Partition, Place};
use crate::entity::owner::Rule;
use crate::error::{Error, Result};
use crate::key::KeyValue;
use crate::proof::Foreign;
use crate::read;
use crate::read::expressions::{Expressions, fill, set};
use crate::read::what::Reads;
use crate::read::{
    Call, Direction, Extent, Order, Plan, Reader, Rest, Run, Start, Stop, Unreadable, Values,
    is_key, key_of,
};
use crate::request::query::Draft;
use crate::request::query::ask::Ask;
use crate::table::Handle;
use crate::transport::{Raw, ResponseFuture};
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity};
use std::collections::HashMap;

/// A query that is sent.
pub(super) struct Sent {
    pub(super) draft: Draft,
    pub(super) foreign: Foreign,
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
            match self.extent {
                Extent::Page => self.page(db, into).await,
                Extent::All => self.all(db, into).await,
                Extent::One => self.one(db, into).await,
            }
        })
    }
}

impl Sent {
    async fn page(self, db: &Handle, into: &mut dyn Values) -> Result<Rest> {
        let draft = &self.draft;
        let given = places(db, draft)?;
        let readers = readers(db, draft, self.foreign, given.as_deref())?;
        check_cursor(draft, readers.len())?;
        let run = Run {
            readers,
            plan: draft.plan(Extent::Page),
            turned: draft.options.is_turned(),
            unreadable: self.unreadable,
            stops: true,
        };
        let (mut rest, stops) = run.read(into).await?;
        let is_end = |stop: &Stop| stop.start.is_none() && stop.head.is_none() && stop.asked;
        // From the start to the end: there is nothing around it.
        if given.is_some() || !stops.iter().all(is_end) {
            (rest.prev, rest.next) = around(db, draft, given, &stops)?;
        }
        Ok(rest)
    }

    async fn all(self, db: &Handle, into: &mut dyn Values) -> Result<Rest> {
        let run = all(db, &self.draft, self.foreign)?;
        let unreadable = self.unreadable;
        let (rest, _) = Run { unreadable, ..run }.read(into).await?;
        Ok(rest)
    }

    async fn one(self, db: &Handle, into: &mut dyn Values) -> Result<Rest> {
        let entity = self.draft.own.name();
        let rest = self.all(db, into).await?;
        if into.count() > 1 {
            return Err(Error::MoreThanOne { entity });
        }
        Ok(rest)
    }
}

/// Refuses a page whose cursor could not be made, before anything is read: partitions that are merged are each in a place of their own.
fn check_cursor(draft: &Draft, partitions: usize) -> Result<()> {
    if draft.sequential || partitions <= MOST_MERGED {
        return Ok(());
    }
    Err(Error::Cursor {
        entity: draft.own.name(),
        source: CursorError::TooManyPartitions,
    })
}

/// The cursors around what was read, from the places around what was read of each partition.
fn around(
    db: &Handle,
    draft: &Draft,
    given: Option<Vec<Place>>,
    stops: &[Stop],
) -> Result<(Option<Cursor>, Option<Cursor>)> {
    let (near, far) = draft.ends();
    let keys = [draft.schema(), &draft.meta.schema.key];
    let spans = stops.iter().enumerate().map(|(n, stop)| {
        let from = given.as_ref().and_then(|given| given.get(n));
        span(stop, from.unwrap_or(&near), &far, &keys)
    });
    let (behind, ahead): (Vec<Place>, Vec<Place>) = spans.unzip();
    let moved = given.is_some_and(|given| given.iter().any(|place| *place != near));
    let asked = draft.options.limit != Some(0) && !behind.is_empty();
    let behind = (moved && asked).then_some(behind);
    let more = ahead.iter().any(|place| *place != far);
    let ahead = (more && (moved || asked)).then_some(ahead);
    let (prev, next) = if draft.options.is_turned() {
        (ahead, behind)
    } else {
        (behind, ahead)
    };
    let seal = |places: Option<Vec<Place>>, way| {
        let seal = |places: Vec<Place>| {
            with_origin(db, draft, way, |origin| {
                Cursor::seal(origin, &places, db.cursor_secret())
            })
        };
        places.map(seal).transpose()
    };
    Ok((seal(prev, Way::Before)?, seal(next, Way::After)?))
}

/// The places around what was read of a partition: to go back from, and to go on from.
///
/// Both are places of items, since DynamoDB knows no others: going back begins with what is before the first item, and
/// where there was none, with what is before the one that was looked at last, which is not wanted.
fn span(
    stop: &Stop,
    from: &Place,
    far: &Place,
    keys: &[&'static crate::schema::IndexSchema],
) -> (Place, Place) {
    let place = |item: &Raw| Place::At(key_of(keys, item));
    let left = match &stop.start {
        Some(start) => Place::At(start.clone()),
        None if stop.asked => far.clone(),
        None => from.clone(),
    };
    let ahead = match (&stop.head, &stop.last) {
        (Some(_), Some(last)) => place(last),
        (Some(_), None) => from.clone(),
        (None, _) => left.clone(),
    };
    let first = stop.first.as_ref().or(stop.head.as_ref());
    (first.map_or(left, place), ahead)
}

/// How many items there are, up to the limit. Their keys tell whose they are.
pub(super) fn count(
    db: &Handle,
    mut draft: Draft,
    foreign: Foreign,
    unreadable: Unreadable,
) -> ResponseFuture<'_, usize> {
    Box::pin(async move {
        draft.options.attributes = Reads::KEYS;
        let run = all(db, &draft, foreign)?;
        read::count(Run { unreadable, ..run }).await
    })
}

/// The calls of a query, one for each partition; none if nothing can match.
pub(super) fn all(db: &Handle, draft: &Draft, foreign: Foreign) -> Result<Run> {
    Ok(Run {
        readers: readers(db, draft, foreign, places(db, draft)?.as_deref())?,
        plan: draft.plan(Extent::All),
        turned: draft.options.is_turned(),
        unreadable: Unreadable::Fail,
        stops: false,
    })
}

/// The calls, from these places on.
fn readers(
    db: &Handle,
    draft: &Draft,
    foreign: Foreign,
    places: Option<&[Place]>,
) -> Result<Vec<Reader>> {
    let table = db.name()?;
    let draft = &*draft.at(db.now());
    let meets_others = draft.meets(foreign);
    let Ok(mut ask) = draft.ask(meets_others)? else {
        return Ok(Vec::new());
    };
    let partitions = std::mem::take(&mut ask.partitions);
    let (request, values) = request(draft, db.client().query().table_name(table), ask);
    let (near, far) = draft.ends();
    let rule = Rule {
        in_partition: draft.space == 0,
        has_sort_key: draft.space == 0 && draft.has_sort_key(),
        ..Rule::new(draft.own, db.entities(), draft.schema())
    };
    let requests = std::iter::repeat_n((request, values), partitions.len());
    let calls = partitions.into_iter().zip(requests).enumerate();
    let readers = calls.map(|(n, (partition, (request, mut values)))| {
        values.extend(named(partition));
        let request = request.set_expression_attribute_values(Some(values));
        let place = places.and_then(|places| places.get(n)).unwrap_or(&near);
        let (call, index) = (Call::Query(request), draft.schema());
        Ok(Reader {
            exclusive: !meets_others,
            filtered: meets_others || draft.options.filter.known().is_none(),
            ended: *place == far,
            start: match place {
                Place::At(key) => Some(key.clone()),
                Place::Start | Place::End => None,
            },
            ..Reader::new(db, call, draft.meta, index, rule, &draft.options)?
        })
    });
    readers.collect()
}

/// The request without the partition, and the values that its expressions refer to.
fn request(
    draft: &Draft,
    mut request: QueryFluentBuilder,
    ask: Ask,
) -> (QueryFluentBuilder, HashMap<String, AttributeValue>) {
    let mut expressions = Expressions::new(ask.filter, ask.projection);
    expressions.names(named(ask.names));
    expressions.values(named(ask.values));
    let values = expressions.values.take().unwrap_or_default();
    fill!(request, expressions);
    let index = draft.schema().name;
    let direction = if draft.options.is_turned() {
        draft.direction.reversed()
    } else {
        draft.direction
    };
    let is_backward = direction == Direction::Descending;
    set!(
        request
            .set_key_condition_expression(Some(ask.condition.to_owned()))
            .set_index_name((!index.is_empty()).then(|| index.to_owned()))
            .set_scan_index_forward(is_backward.then_some(false))
            .set_consistent_read(draft.options.consistency.as_member())
            .set_return_consumed_capacity(
                draft
                    .options
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
fn places(db: &Handle, draft: &Draft) -> Result<Option<Vec<Place>>> {
    let (cursor, way) = match &draft.options.start {
        Start::Beginning => return Ok(None),
        Start::After(cursor) => (cursor, Way::After),
        Start::Before(cursor) => (cursor, Way::Before),
    };
    let keys = [draft.schema(), &draft.meta.schema.key];
    let places = with_origin(db, draft, way, |origin| {
        let places = cursor.open(origin, db.cursor_secret())?;
        let is_place = |place: &Place| match place {
            Place::At(key) => is_key(&keys, key),
            Place::Start | Place::End => true,
        };
        if places.iter().all(is_place) {
            Ok(places)
        } else {
            Err(CursorError::Malformed)
        }
    })?;
    Ok(Some(places))
}

/// What a cursor is given out for.
#[derive(Clone, Copy)]
enum Way {
    After,
    Before,
}

/// What the cursors of a query belong to.
fn with_origin<R>(
    db: &Handle,
    draft: &Draft,
    way: Way,
    run: impl FnOnce(&Origin<'_>) -> Result<R, CursorError>,
) -> Result<R> {
    let schema = draft.schema();
    let partitions = draft.partitions.clone()?;
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
    let mut scope = draft.scope();
    if partitions.len() > 1 {
        // The places of several partitions are those between the items of a page: not all of them are of items in the page.
        scope += match way {
            Way::After => "\0after",
            Way::Before => "\0before",
        };
        scope += if draft.sequential { "\0in turn" } else { "" };
    }
    let origin = Origin {
        table: db.name()?,
        index: schema.name,
        partitions: &partitions,
        backward: draft.direction == Direction::Descending,
        scope: &scope,
    };
    run(&origin).map_err(|source| Error::Cursor {
        entity: draft.own.name(),
        source,
    })
}

impl Draft {
    /// The end of a partition that reading begins at, and the one that it ends at.
    fn ends(&self) -> (Place, Place) {
        if self.options.is_turned() {
            (Place::End, Place::Start)
        } else {
            (Place::Start, Place::End)
        }
    }

    /// How its partitions are read together.
    fn plan(&self, extent: Extent) -> Plan {
        let several = matches!(&self.partitions, Ok(partitions) if partitions.len() > 1);
        let turned = self.options.is_turned();
        let order = match (several, self.sequential) {
            (false, _) => Order::Any,
            (true, true) => Order::InTurn { turned },
            (true, false) => Order::Sorted {
                by: self.schema().sk,
                direction: self.direction,
                turned,
            },
        };
        self.options.plan(extent, order, self.concurrency)
    }
}
