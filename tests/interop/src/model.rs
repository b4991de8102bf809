//! What is done with the table of another library, and how its items are compared.

use crate::to_json;
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::codec::Item;
use dyna_runtime::schema::Schema;
use dyna_runtime::{DynaTable, Error, Result, Table};
use std::collections::BTreeMap;
use std::time::{Duration, UNIX_EPOCH};

/// When the library wrote the items: its clock stands still.
pub const WRITTEN: Duration = Duration::from_millis(1_794_971_045_678);

/// When they are changed.
pub const CHANGED: Duration = Duration::from_millis(1_794_993_011_120);

/// The table of a library: two copies of it, `dyna` and `library`, start with the same items.
pub trait Model: DynaTable {
    /// The library.
    const LIBRARY: &'static str;

    /// What is known not to be the same after a round trip.
    const DIFFERENCES: &'static [Difference] = &[];

    /// Reads every item.
    fn read_all(db: &Table<Self>) -> impl Future<Output = Result<Vec<Self>>> + Send;

    /// Writes an item that was read, with nothing changed in it.
    fn write_back(self, db: &Table<Self>) -> impl Future<Output = Result<()>> + Send;

    /// Changes some items, deletes one and creates others. The library does the same in its own copy.
    fn change(db: &Table<Self>) -> impl Future<Output = Result<()>> + Send;
}

/// When two tables are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// After every item was read and written back.
    Written,
    /// After the same changes in both.
    Changed,
}

/// An attribute of one item that Dyna writes otherwise than the library. It is an error if it is the same.
#[derive(Debug, Clone, Copy)]
pub struct Difference {
    /// When.
    pub states: &'static [State],
    /// The key of the item, with ` / ` between its attributes.
    pub key: &'static str,
    /// The attribute.
    pub attribute: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// The table with a clock that stands still.
pub fn at<M: Model>(db: Table<M>, time: Duration) -> Table<M> {
    db.with_clock(move || UNIX_EPOCH + time)
}

/// All items of a table as they are stored, in the order of their keys.
pub async fn contents<M: Model>(db: &Table<M>) -> Result<Vec<Item>> {
    let scan = db
        .client()
        .scan()
        .table_name(db.name()?)
        .consistent_read(true);
    let items = scan.into_paginator().items().send();
    let mut items = items.try_collect().await.map_err(failed)?;
    items.sort_by_cached_key(key_of::<M>);
    Ok(items)
}

/// Stores items as they are.
pub async fn store<M: Model>(db: &Table<M>, items: &[Item]) -> Result<()> {
    for item in items {
        let put = db.client().put_item().table_name(db.name()?);
        let put = put.set_item(Some(item.clone()));
        put.send().await.map_err(failed)?;
    }
    Ok(())
}

/// Deletes items by their keys.
async fn empty<M: Model>(db: &Table<M>, items: &[Item]) -> Result<()> {
    let key = &<M::Schema as Schema>::SCHEMA.key;
    for item in items {
        let mut delete = db.client().delete_item().table_name(db.name()?);
        for attribute in key.pk.iter().chain(key.sk) {
            if let Some(value) = item.get(attribute.name) {
                delete = delete.key(attribute.name, value.clone());
            }
        }
        delete.send().await.map_err(failed)?;
    }
    Ok(())
}

fn failed(error: impl Into<aws_sdk_dynamodb::Error>) -> Error {
    Error::from(error.into())
}

/// How many items are the same after they were read and written back, and which are not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundTrip {
    /// All items.
    pub items: usize,
    /// Those whose every attribute is what it was.
    pub identical: usize,
    /// For each reason that is known, how many items differ.
    pub known: BTreeMap<&'static str, usize>,
    /// The others, by their keys and attributes.
    pub unknown: Vec<String>,
}

/// Reads every item of the table as its entity, empties the table, writes the entities into it, and compares what is stored.
pub async fn round_trip<M: Model>(db: &Table<M>) -> Result<RoundTrip> {
    let before = contents(db).await?;
    let entities = M::read_all(db).await?;
    empty(db, &before).await?;
    for entity in entities {
        entity.write_back(db).await?;
    }
    Ok(differences::<M>(
        State::Written,
        &before,
        &contents(db).await?,
    ))
}

/// Compares two tables, item by item and attribute by attribute.
pub fn differences<M: Model>(state: State, theirs: &[Item], ours: &[Item]) -> RoundTrip {
    let listed = M::DIFFERENCES.iter();
    let mut listed: Vec<_> = listed.filter(|it| it.states.contains(&state)).collect();
    let mut ours: BTreeMap<_, _> = ours.iter().map(|item| (key_of::<M>(item), item)).collect();
    let mut found = RoundTrip {
        items: theirs.len(),
        identical: 0,
        known: BTreeMap::new(),
        unknown: Vec::new(),
    };
    for item in theirs {
        let key = key_of::<M>(item);
        let Some(other) = ours.remove(&key) else {
            found.unknown.push(format!("{key}: is gone"));
            continue;
        };
        let mut names: Vec<_> = item.keys().chain(other.keys()).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| !same(item.get(*name), other.get(*name)));
        if names.is_empty() {
            found.identical += 1;
        }
        for name in names {
            let is_known = |it: &&Difference| key == it.key && it.attribute == name;
            match listed.iter().position(is_known) {
                Some(at) => *found.known.entry(listed.remove(at).reason).or_default() += 1,
                None => found.unknown.push(format!(
                    "{key}: {name} is {:?}, and was {:?}",
                    other.get(name),
                    item.get(name)
                )),
            }
        }
    }
    let new = ours.into_keys();
    found
        .unknown
        .extend(new.map(|key| format!("{key}: is new")));
    let same = listed.iter().map(|it| (it.key, it.attribute));
    found.unknown.extend(
        same.map(|(key, name)| format!("{key}: {name} is the same, and named as a difference")),
    );
    found
}

/// Sets have no order.
fn same(one: Option<&AttributeValue>, other: Option<&AttributeValue>) -> bool {
    let text = |value: Option<&AttributeValue>| {
        value.map(|value| to_json(&[Item::from([(String::new(), value.clone())])]))
    };
    text(one) == text(other)
}

fn key_of<M: Model>(item: &Item) -> String {
    let key = &<M::Schema as Schema>::SCHEMA.key;
    let names = key.pk.iter().chain(key.sk).map(|attribute| attribute.name);
    let values = names.map(|name| match item.get(name) {
        Some(AttributeValue::S(text) | AttributeValue::N(text)) => text.as_str(),
        _ => "",
    });
    values.collect::<Vec<_>>().join(" / ")
}
