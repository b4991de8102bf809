//! Running a query: pages until the caller has what it asked for.

use super::Draft;
use crate::codec::Item;
use crate::cursor::{Cursor, CursorError, Origin};
use crate::error::{Error, Result, of_service};
use crate::expr::Rendered;
use crate::proof::Foreign;
use crate::schema::IndexSchema;
use crate::table::{DynaTable, Table};
use aws_sdk_dynamodb::types::AttributeValue;

/// Reads items until the limit is reached, or with `one_answer` until DynamoDB has answered once.
pub(super) async fn run<T: DynaTable>(
    db: &Table<T>,
    draft: &mut Draft,
    foreign: Foreign,
    one_answer: bool,
) -> Result<(Vec<Item>, Option<Cursor>)> {
    let table = db.name()?;
    let partition = draft.partition.clone()?;
    draft.check_filter()?;
    let partition = partition.into_attribute();
    let mut start = match &draft.after {
        Some(cursor) => Some(with_origin(draft, table, &partition, |origin| {
            cursor.open(origin, db.cursor_secret())
        })?),
        None => None,
    };
    let mut items: Vec<Item> = Vec::new();
    let Some((condition, values)) = draft.key_condition() else {
        return Ok((items, None));
    };
    if draft.filter.known() == Some(false) {
        return Ok((items, None));
    }
    let limit = draft.limit.unwrap_or(usize::MAX);
    if limit == 0 {
        return Ok((items, draft.after.take()));
    }
    let meets_others = foreign.reach(draft.space, draft.fixed_fields());
    let schema = draft.schema();
    let mut request = db
        .client()
        .query()
        .table_name(table)
        .key_condition_expression(condition)
        .expression_attribute_values(":p", partition.clone());
    for (name, value) in values {
        request = request.expression_attribute_values(name, value.into_attribute());
    }
    let aliases = if condition == schema.conditions.all {
        None
    } else {
        schema.sk.and_then(|sk| sk.alias())
    };
    for (alias, name) in schema.pk.alias().into_iter().chain(aliases) {
        request = request.expression_attribute_names(alias, name);
    }
    if !schema.name.is_empty() {
        request = request.index_name(schema.name);
    }
    if let Some(filter) = filter(draft, meets_others) {
        request = request.filter_expression(filter.expression);
        for (alias, name) in filter.names {
            request = request.expression_attribute_names(alias, name);
        }
        for (alias, value) in filter.values {
            request = request.expression_attribute_values(alias, value);
        }
    }
    // How many items must be looked at is then not known.
    let filtered = meets_others || draft.filter.known().is_none();
    let request = request
        .set_scan_index_forward(draft.backward.then_some(false))
        .set_consistent_read(draft.consistent.then_some(true));
    loop {
        let missing = i32::try_from(limit - items.len())
            .ok()
            .filter(|_| !filtered);
        let size = draft
            .page_size
            .or(missing.filter(|_| draft.limit.is_some()));
        let page = request
            .clone()
            .set_limit(size)
            .set_exclusive_start_key(start);
        let output = page.send().await.map_err(of_service)?;
        start = output.last_evaluated_key;
        let page = output.items.unwrap_or_default();
        items.extend(
            page.into_iter()
                .filter(|item| !meets_others || draft.meta.fits(item)),
        );
        if items.len() > limit || (items.len() == limit && start.is_some()) {
            items.truncate(limit);
            start = items.last().map(|last| key_of(draft, last));
            break;
        }
        if one_answer || start.is_none() {
            break;
        }
    }
    let next = match start {
        Some(key) => Some(with_origin(draft, table, &partition, |origin| {
            Cursor::seal(origin, &key, db.cursor_secret())
        })?),
        None => None,
    };
    Ok((items, next))
}

/// The filter that was asked for, and if the query may meet other entities' items, that the tag is the entity's.
fn filter(draft: &Draft, meets_others: bool) -> Option<Rendered> {
    let schema = draft.meta.schema;
    let tag = schema.tag.filter(|_| meets_others);
    let mut out = Rendered::default();
    if let Some(tag) = &tag {
        out.push(tag.is);
    }
    if draft.filter.known().is_none() {
        draft.filter.render(&schema.key.pk, &mut out);
    }
    if let Some(tag) = &tag {
        let value = AttributeValue::S(draft.meta.tag.to_owned());
        out.values.push((":e".to_owned(), value));
        let alias = tag.attribute.alias();
        out.names
            .extend(alias.map(|(alias, name)| (alias.to_owned(), name.to_owned())));
    }
    (!out.expression.is_empty()).then_some(out)
}

/// What the cursors of a query belong to.
fn with_origin<R>(
    draft: &Draft,
    table: &str,
    partition: &AttributeValue,
    run: impl FnOnce(&Origin<'_>) -> Result<R, CursorError>,
) -> Result<R> {
    let schema = draft.schema();
    let origin = Origin {
        table,
        index: schema.name,
        partition: &[(schema.pk.name, partition)],
        backward: draft.backward,
        scope: "",
    };
    run(&origin).map_err(|source| Error::Cursor {
        entity: draft.meta.name,
        source,
    })
}

/// The key of an item in the index that is queried: the index's own attributes and the table's.
fn key_of(draft: &Draft, item: &Item) -> Item {
    [draft.schema(), &draft.meta.schema.key]
        .into_iter()
        .flat_map(IndexSchema::attributes)
        .filter_map(|name| Some((name.to_owned(), item.get(name)?.clone())))
        .collect()
}
