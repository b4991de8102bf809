//! Running a query: pages until the caller has what it asked for.

use super::{Cursor, Draft};
use crate::codec::Item;
use crate::error::{Error, Result, of_service};
use crate::key::KeyValue;
use crate::proof::Foreign;
use crate::shape;
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
    let mut start = start(draft, &partition)?;
    let mut items: Vec<Item> = Vec::new();
    let Some((condition, values)) = draft.key_condition() else {
        return Ok((items, None));
    };
    let limit = draft.limit.unwrap_or(usize::MAX);
    if limit == 0 {
        return Ok((items, draft.after.take()));
    }
    let filtered = foreign.reach(draft.space, draft.fixed_fields());
    let schema = draft.schema();
    let mut request = db
        .client()
        .query()
        .table_name(table)
        .key_condition_expression(condition)
        .expression_attribute_values(":p", partition.clone().into_attribute());
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
    if let (true, Some(tag)) = (filtered, &draft.meta.schema.tag) {
        request = request
            .filter_expression(tag.is)
            .expression_attribute_values(":e", AttributeValue::S(draft.meta.tag.to_owned()));
        if let Some((alias, name)) = tag.attribute.alias() {
            request = request.expression_attribute_names(alias, name);
        }
    }
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
                .filter(|item| !filtered || is_own(draft, item)),
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
    let next = start.map(|key| cursor(draft, partition, key));
    Ok((items, next))
}

/// Where to start, if the cursor is of this very query.
fn start(draft: &Draft, partition: &KeyValue) -> Result<Option<Item>> {
    let Some(after) = &draft.after else {
        return Ok(None);
    };
    if *after == cursor(draft, partition.clone(), after.key.clone()) {
        Ok(Some(after.key.clone()))
    } else {
        Err(Error::ForeignCursor {
            entity: draft.meta.name,
        })
    }
}

fn cursor(draft: &Draft, partition: KeyValue, key: Item) -> Cursor {
    Cursor {
        table: draft.meta.schema.name,
        index: draft.schema().name,
        partition,
        backward: draft.backward,
        key,
    }
}

/// The key of an item in the index that is queried: the index's own attributes and the table's.
fn key_of(draft: &Draft, item: &Item) -> Item {
    [draft.schema(), &draft.meta.schema.key]
        .into_iter()
        .flat_map(|schema| std::iter::once(schema.pk.name).chain(schema.sk.map(|sk| sk.name)))
        .filter_map(|name| Some((name.to_owned(), item.get(name)?.clone())))
        .collect()
}

/// Whether the item is one of the entity's, by the shape of its key. The table's proof makes this certain.
fn is_own(draft: &Draft, item: &Item) -> bool {
    let fits = |template, attribute| match item.get(attribute) {
        Some(AttributeValue::S(text) | AttributeValue::N(text)) => shape::matches(template, text),
        Some(AttributeValue::B(_)) => true,
        _ => false,
    };
    let schema = &draft.meta.schema.key;
    let keys = &draft.meta.key;
    fits(&keys.pk, schema.pk.name)
        && keys
            .sk
            .as_ref()
            .zip(schema.sk.as_ref())
            .is_none_or(|(template, sk)| fits(template, sk.name))
}
