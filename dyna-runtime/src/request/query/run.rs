//! Running a query: pages until the caller has what it asked for.

use super::Draft;
use crate::codec::Item;
use crate::cursor::{Cursor, CursorError, Origin};
use crate::error::{Error, Result, of_service};
use crate::key::KeyValue;
use crate::proof::Foreign;
use crate::request::read::{Call, Reader, is_key};
use crate::table::{DynaTable, Table};
use aws_sdk_dynamodb::types::Select;

/// Reads items until the limit is reached, or with `one_answer` until DynamoDB has answered once.
pub(super) async fn run<T: DynaTable>(
    db: &Table<T>,
    draft: &Draft,
    foreign: Foreign,
    one_answer: bool,
) -> Result<(Vec<Item>, Option<Cursor>)> {
    let Some(mut reader) = reader(db, draft, foreign)? else {
        return Ok((Vec::new(), None));
    };
    let items = reader.items(one_answer).await?;
    let next = match reader.start {
        Some(key) => Some(with_origin(db, draft, |origin| {
            Cursor::seal(origin, &key, db.cursor_secret())
        })?),
        None => None,
    };
    Ok((items, next))
}

/// How many items there are, up to the limit. Other entities' items have to be read to be told apart.
pub(super) async fn count<T: DynaTable>(
    db: &Table<T>,
    draft: &Draft,
    foreign: Foreign,
) -> Result<usize> {
    let Some(mut reader) = reader(db, draft, foreign)? else {
        return Ok(0);
    };
    let Call::Query(query) = &reader.call else {
        return Ok(0);
    };
    if reader.own.is_some() || draft.limit.is_some() {
        return reader.items(false).await.map(|items| items.len());
    }
    let query = query
        .clone()
        .select(Select::Count)
        .set_limit(reader.page_size);
    let (mut count, mut start) = (0, reader.start);
    loop {
        let request = query.clone().set_exclusive_start_key(start);
        let output = request.send().await.map_err(of_service)?;
        count += usize::try_from(output.count).unwrap_or_default();
        start = output.last_evaluated_key;
        if start.is_none() {
            return Ok(count);
        }
    }
}

/// The call of a query; `None` if nothing can match.
pub(super) fn reader<T: DynaTable>(
    db: &Table<T>,
    draft: &Draft,
    foreign: Foreign,
) -> Result<Option<Reader>> {
    let table = db.name()?;
    let start = match &draft.after {
        Some(cursor) => Some(with_origin(db, draft, |origin| {
            let key = cursor.open(origin, db.cursor_secret())?;
            if is_key(&[draft.schema(), &draft.meta.schema.key], &key) {
                Ok(key)
            } else {
                Err(CursorError::Malformed)
            }
        })?),
        None => None,
    };
    let meets_others = foreign.reach(draft.space, draft.fixed_fields());
    let Ok(ask) = draft.ask(meets_others)? else {
        return Ok(None);
    };
    let schema = draft.schema();
    let mut request = db
        .client()
        .query()
        .table_name(table)
        .key_condition_expression(ask.condition);
    for (alias, name) in ask.names {
        request = request.expression_attribute_names(alias, name);
    }
    for (alias, value) in ask.values {
        request = request.expression_attribute_values(alias, value);
    }
    if !schema.name.is_empty() {
        request = request.index_name(schema.name);
    }
    if let Some(filter) = ask.filter {
        request = request.filter_expression(filter.expression);
        for (alias, name) in filter.names {
            request = request.expression_attribute_names(alias, name);
        }
        for (alias, value) in filter.values {
            request = request.expression_attribute_values(alias, value);
        }
    }
    let request = request
        .set_scan_index_forward(draft.backward.then_some(false))
        .set_consistent_read(draft.consistent.then_some(true));
    Ok(Some(Reader {
        call: Call::Query(request),
        keys: [schema, &draft.meta.schema.key],
        own: meets_others.then_some(draft.meta),
        filtered: meets_others || draft.filter.known().is_none(),
        page_size: draft.page_size,
        wanted: draft.limit,
        start,
        ended: false,
    }))
}

/// What the cursors of a query belong to.
fn with_origin<T: DynaTable, R>(
    db: &Table<T>,
    draft: &Draft,
    run: impl FnOnce(&Origin<'_>) -> Result<R, CursorError>,
) -> Result<R> {
    let schema = draft.schema();
    let values = draft.partition.clone()?.into_iter();
    let values: Vec<_> = values.map(KeyValue::into_attribute).collect();
    let names = schema.pk.iter().map(|attribute| attribute.name);
    let partition: Vec<_> = names.zip(&values).collect();
    let origin = Origin {
        table: db.name()?,
        index: schema.name,
        partition: &partition,
        backward: draft.backward,
        scope: &draft.scope(),
    };
    run(&origin).map_err(|source| Error::Cursor {
        entity: draft.meta.name,
        source,
    })
}
