//! Running a query: pages until the caller has what it asked for.

use crate::cursor::{Cursor, CursorError, MOST_MERGED, Origin, Partition, Place};
use crate::entity::owner::Rule;
use crate::error::{Error, Result};
use crate::key::KeyValue;
use crate::proof::Foreign;
use crate::read;
use crate::read::Page;
use crate::read::expressions::{Expressions, fill, set};
use crate::read::fetch::Fetch;
use crate::read::what::Reads;
use crate::read::{
    Call, Decode, ItemStream, Lane, Merge, Order, Plan, Reader, Source, Straight, is_key, key_of,
};
use crate::request::query::Draft;
use crate::request::query::ask::Ask;
use crate::request::query::draft::From;
use crate::table::{DynaTable, Table};
use crate::transport::Raw;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity};
use std::collections::HashMap;

/// Reads a page: as many items as the limit says, or without one the answers to one request of each partition.
pub(super) async fn page<T: DynaTable, V: 'static>(
    db: &Table<T>,
    draft: &Draft,
    foreign: Foreign,
    decode: Decode<V>,
    skip_unreadable: bool,
) -> Result<Page<V>> {
    let given = places(db, draft)?;
    let mut readers = readers(db, draft, foreign, given.as_deref())?;
    check_cursor(draft, readers.len())?;
    if skip_unreadable {
        read::count_readable(&mut readers, decode);
    }
    let readers = match Straight::of(readers) {
        Ok(mut straight) if !draft.is_turned() => {
            let one_answer = draft.limit.is_none();
            let items = straight.read(decode, one_answer, skip_unreadable).await?;
            let mut page = straight.page(items);
            // From the start to the end: there is nothing around it.
            if given.is_some() || straight.reader.start.is_some() {
                let spans = vec![straight_span(draft, straight)];
                (page.prev, page.next) = around(db, draft, given, spans)?;
            }
            return Ok(page);
        }
        Ok(straight) => vec![straight.reader],
        Err(readers) => readers,
    };
    let (items, mut page) = merge(db, draft, given, readers).await?;
    for item in items {
        match item.read(decode) {
            Ok(item) => page.items.push(item),
            Err(error) if skip_unreadable => page.skipped.unreadable.push(error),
            Err(error) => return Err(error),
        }
    }
    Ok(page)
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

/// Reads a page of several partitions, or of one whose items are not all wanted: its items in the order of the query, and the page
/// without them.
async fn merge<T: DynaTable, V>(
    db: &Table<T>,
    draft: &Draft,
    given: Option<Vec<Place>>,
    readers: Vec<Reader>,
) -> Result<(Vec<Raw>, Page<V>)> {
    let plan = Plan {
        answers: if draft.limit.is_none() { 1 } else { usize::MAX },
        prefetch: 0,
        ..draft.plan()
    };
    let mut lanes = Merge::new(readers, plan);
    let found = lanes.all().await?;
    let (near, far) = draft.ends();
    let keys = [draft.schema(), &draft.meta.schema.key];
    let spans = lanes.lanes().iter().enumerate().map(|(n, lane)| {
        let mut keys_of = found
            .iter()
            .filter(|(at, _)| *at == n)
            .map(|(_, item)| Place::At(key_of(&keys, item)));
        let first = keys_of.next();
        let last = keys_of.next_back().or_else(|| first.clone());
        let from = given
            .as_ref()
            .and_then(|given| given.get(n))
            .unwrap_or(&near);
        span(lane, first.zip(last), from, &far, &keys)
    });
    let spans = spans.collect();
    let mut page = Page::empty();
    (page.prev, page.next) = around(db, draft, given, spans)?;
    lanes.add_to(&mut page);
    let mut items: Vec<Raw> = found.into_iter().map(|(_, item)| item).collect();
    if draft.is_turned() {
        items.reverse();
    }
    Ok((items, page))
}

/// The cursors around what was read, from the places around what was read of each partition.
fn around<T: DynaTable>(
    db: &Table<T>,
    draft: &Draft,
    given: Option<Vec<Place>>,
    spans: Vec<(Place, Place)>,
) -> Result<(Option<Cursor>, Option<Cursor>)> {
    let (near, far) = draft.ends();
    let (behind, ahead): (Vec<Place>, Vec<Place>) = spans.into_iter().unzip();
    let moved = given.is_some_and(|given| given.iter().any(|place| *place != near));
    let asked = draft.limit != Some(0) && !behind.is_empty();
    let behind = (moved && asked).then_some(behind);
    let more = ahead.iter().any(|place| *place != far);
    let ahead = (more && (moved || asked)).then_some(ahead);
    let (prev, next) = if draft.is_turned() {
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

/// The places around what was read of a partition without looking at it first.
fn straight_span(draft: &Draft, straight: Straight) -> (Place, Place) {
    let keys = [draft.schema(), &draft.meta.schema.key];
    let ahead = straight.reader.start.map(Place::At);
    let ahead = ahead.unwrap_or_else(|| draft.ends().1);
    let first = straight.first.map(|item| Place::At(key_of(&keys, &item)));
    (first.unwrap_or_else(|| ahead.clone()), ahead)
}

/// The places around what was read of a partition: to go back from, and to go on from.
///
/// Both are places of items, since DynamoDB knows no others: going back begins with what is before the first item, and
/// where there was none, with what is before the one that was looked at last, which is not wanted.
fn span(
    lane: &Lane,
    read: Option<(Place, Place)>,
    from: &Place,
    far: &Place,
    keys: &[&'static crate::schema::IndexSchema],
) -> (Place, Place) {
    let head = lane.head().map(|item| Place::At(key_of(keys, item)));
    let reader = lane.reader();
    let asked = reader.is_some_and(|reader| reader.asked > 0 || reader.ended);
    let left = reader
        .and_then(|reader| reader.start.clone())
        .map(Place::At);
    let left = left.unwrap_or_else(|| if asked { far.clone() } else { from.clone() });
    let (first, last) = read.unzip();
    let ahead = match (&head, last) {
        (Some(_), Some(last)) => last,
        (Some(_), None) => from.clone(),
        (None, _) => left.clone(),
    };
    (first.or(head).unwrap_or(left), ahead)
}

/// How many items there are, up to the limit. Their keys tell whose they are.
pub(super) async fn count<T: DynaTable>(
    db: &Table<T>,
    mut draft: Draft,
    foreign: Foreign,
    skip_unreadable: bool,
) -> Result<usize> {
    draft.reads = Reads::KEYS;
    let readers = all(db, &draft, foreign)?;
    read::count(readers, draft.plan(), skip_unreadable).await
}

/// The calls of a query, one for each partition; none if nothing can match.
pub(super) fn all<T: DynaTable>(
    db: &Table<T>,
    draft: &Draft,
    foreign: Foreign,
) -> Result<Vec<Reader>> {
    readers(db, draft, foreign, places(db, draft)?.as_deref())
}

/// All items, in one partition without looking for them first.
pub(super) async fn whole<T: DynaTable, V: 'static>(
    db: &Table<T>,
    draft: &Draft,
    foreign: Foreign,
    decode: Decode<V>,
    skip_unreadable: bool,
) -> Result<Page<V>> {
    let mut readers = all(db, draft, foreign)?;
    if skip_unreadable {
        read::count_readable(&mut readers, decode);
    }
    if draft.prefetch == 0 && !draft.is_turned() {
        readers = match Straight::of(readers) {
            Ok(mut straight) => {
                let items = straight.read(decode, false, skip_unreadable).await?;
                return Ok(straight.page(items));
            }
            Err(readers) => readers,
        };
    }
    let items = items(Ok(readers), draft, decode);
    items.collect(skip_unreadable).await
}

/// The items one by one.
pub(super) fn items<V>(
    readers: Result<Vec<Reader>>,
    draft: &Draft,
    decode: Decode<V>,
) -> ItemStream<V> {
    let items = ItemStream::new(readers, draft.plan(), decode);
    if draft.is_turned() {
        items.turned()
    } else {
        items
    }
}

/// The same, from these places on.
fn readers<T: DynaTable>(
    db: &Table<T>,
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
    let then = draft.reads.then(draft.meta, draft.schema(), |projection| {
        Fetch::new(db, table, draft.consistent, projection)
    });
    let (near, far) = draft.ends();
    let rule = Rule {
        in_partition: draft.space == 0,
        has_sort_key: draft.space == 0 && draft.has_sort_key(),
        ..Rule::new(draft.own, T::ENTITIES, draft.schema())
    };
    let requests = std::iter::repeat_n((request, values), partitions.len());
    let readers = partitions.into_iter().zip(requests).enumerate().map(
        |(n, (partition, (request, mut values)))| {
            values.extend(named(partition));
            let request = request.set_expression_attribute_values(Some(values));
            let place = places.and_then(|places| places.get(n)).unwrap_or(&near);
            let keys = [draft.schema(), &draft.meta.schema.key];
            Reader {
                exclusive: !meets_others,
                check_keys: db.checks_keys(),
                filtered: meets_others || draft.filter.known().is_none(),
                page_size: draft.page_size,
                wanted: draft.limit,
                ended: *place == far,
                start: match place {
                    Place::At(key) => Some(key.clone()),
                    Place::Start | Place::End => None,
                },
                hydrate: then.clone(),
                ..Reader::new(
                    Call::Query(request),
                    keys,
                    Source::new(db, table, draft.meta),
                    rule,
                )
            }
        },
    );
    Ok(readers.collect())
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
    let (index, forward) = (draft.schema().name, draft.backward == draft.is_turned());
    set!(
        request
            .set_key_condition_expression(Some(ask.condition.to_owned()))
            .set_index_name((!index.is_empty()).then(|| index.to_owned()))
            .set_scan_index_forward((!forward).then_some(false))
            .set_consistent_read(draft.consistent.then_some(true))
            .set_return_consumed_capacity(
                draft
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
fn places<T: DynaTable>(db: &Table<T>, draft: &Draft) -> Result<Option<Vec<Place>>> {
    let (cursor, way) = match &draft.from {
        None => return Ok(None),
        Some(From::After(cursor)) => (cursor, Way::After),
        Some(From::Before(cursor)) => (cursor, Way::Before),
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
fn with_origin<T: DynaTable, R>(
    db: &Table<T>,
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
        backward: draft.backward,
        scope: &scope,
    };
    run(&origin).map_err(|source| Error::Cursor {
        entity: draft.own.name(),
        source,
    })
}

impl Draft {
    /// Whether it is read from the last item to the first, and then turned round.
    pub(super) fn is_turned(&self) -> bool {
        matches!(self.from, Some(From::Before(_)))
    }

    /// The end of a partition that reading begins at, and the one that it ends at.
    fn ends(&self) -> (Place, Place) {
        if self.is_turned() {
            (Place::End, Place::Start)
        } else {
            (Place::Start, Place::End)
        }
    }

    /// How its partitions are read together.
    pub(super) fn plan(&self) -> Plan {
        let several = matches!(&self.partitions, Ok(partitions) if partitions.len() > 1);
        Plan {
            order: match (several, self.sequential) {
                (false, _) => Order::Any,
                (true, true) => Order::InTurn {
                    turned: self.is_turned(),
                },
                (true, false) => Order::Sorted {
                    by: self.schema().sk,
                    backward: self.backward,
                    turned: self.is_turned(),
                },
            },
            concurrency: self.concurrency,
            prefetch: self.prefetch,
            limit: self.limit,
            ..Plan::default()
        }
    }
}
