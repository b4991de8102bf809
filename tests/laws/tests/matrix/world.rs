//! A table on the embedded engine, and the model of what it must hold.

use super::case::Case;
use super::known::{is_known, tell};
use super::plain::{Item, Plain, list, normal, number, text};
use dyna_runtime::{Error, Put, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// The items by their primary keys.
pub(crate) type Model<C> = BTreeMap<(String, String), C>;

/// What a law says of a write.
#[derive(Debug, Clone)]
pub(crate) struct Want<C> {
    pub(crate) must: Must,
    /// What is stored if it succeeds.
    pub(crate) after: Model<C>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Must {
    Succeed,
    Fail,
    /// What was loaded is not what is stored: it may be refused, but not go wrong.
    Either,
}

pub(crate) struct World<C: Case> {
    pub(crate) db: Table<C::Tab>,
    pub(crate) model: Model<C>,
    pub(crate) sides: Vec<C::Side>,
    /// A thing in the partition of the sides.
    pub(crate) beside: C,
    millis: Arc<AtomicU64>,
}

/// What went wrong.
pub(crate) type Checked = Result<(), String>;

impl<C: Case> World<C> {
    /// With two items of another entity in a partition.
    pub(crate) async fn new(beside: C) -> Self {
        let millis = Arc::new(AtomicU64::new(1_000_000));
        let told = Arc::clone(&millis);
        let now =
            move || SystemTime::UNIX_EPOCH + Duration::from_millis(told.load(Ordering::Relaxed));
        let db = Table::<C::Tab>::embedded().await.unwrap().with_clock(now);
        let sides = vec![beside.side(1), beside.side(2)];
        for side in &sides {
            Put::new(side).send(&db).await.unwrap();
        }
        Self {
            db,
            model: Model::new(),
            sides,
            beside,
            millis,
        }
    }

    pub(crate) fn now(&self) -> i64 {
        self.millis.load(Ordering::Relaxed).try_into().unwrap()
    }

    pub(crate) fn tick(&self) {
        self.millis.fetch_add(1_001, Ordering::Relaxed);
    }

    /// Holds the outcome of a write to what it must be, and the table to the model.
    pub(crate) async fn settle(&mut self, want: Want<C>, sent: Result<(), Error>) -> Checked {
        match (want.must, &sent) {
            (Must::Succeed, Err(error)) => return Err(format!("failed: {error}")),
            (Must::Fail, Ok(())) => {
                // Which shows what it did besides.
                let changed = self.compare().await;
                return Err(format!("succeeded, and must not; {changed:?}"));
            }
            (Must::Fail | Must::Either, Err(error)) if !is_clear(error) => {
                return Err(format!("failed in another way: {error}"));
            }
            _ => {}
        }
        if sent.is_ok() {
            self.model = want.after;
        }
        self.compare().await
    }

    pub(crate) async fn raw(&self) -> Vec<Item> {
        let scan = self.db.client().scan().table_name(self.db.name().unwrap());
        let items = scan.send().await.unwrap().items.unwrap();
        items.into_iter().map(Item::of_raw).collect()
    }

    pub(crate) async fn put_raw(&self, item: Item) {
        let put = self.db.client().put_item();
        let put = put.table_name(self.db.name().unwrap());
        put.set_item(Some(item.into_raw())).send().await.unwrap();
    }

    /// Compares what is stored with the model.
    pub(crate) async fn compare(&self) -> Checked {
        let (pk, mut expected) = (C::KEYS[0].pk[0].0, BTreeMap::new());
        for thing in self.model.values() {
            expected.insert(thing.id(), thing.stored());
            // An expired item holds no values, though a sentinel of its own may still be there.
            let held = if self.has_expired(thing) {
                Vec::new()
            } else {
                thing.unique()
            };
            for (field, value) in held {
                let (id, sentinel) = sentinel(thing, field, &value);
                if expected.insert(id, sentinel).is_some() {
                    return Err("the model has a unique value twice".to_owned());
                }
            }
        }
        for side in &self.sides {
            let mut item = C::side_item(side);
            item.insert(pk, text(&self.beside.id().0));
            expected.insert((item.text(pk), item.text("sk")), item);
        }
        for item in self.raw().await {
            let id = id_of(pk, &item);
            let Some(mut wanted) = expected.remove(&id) else {
                // DynamoDB deletes it; until then it counts as none.
                if self.is_expired_sentinel(&item) {
                    continue;
                }
                return Err(format!("stored, and must not be: {item:?}"));
            };
            let item = Self::tolerate(item, &mut wanted);
            if item != wanted {
                return Err(difference(&item, &wanted));
            }
        }
        match expected.values().next() {
            Some(lost) => Err(format!("not stored: {lost:?}")),
            None => Ok(()),
        }
    }

    fn is_expired_sentinel(&self, item: &Item) -> bool {
        let expired = match item.0.get("ttl") {
            Some(Plain::N(at)) => whole(at).is_some_and(|at| at * 1_000 <= self.now()),
            _ => false,
        };
        expired && item.0.contains_key("dyna:owner")
    }

    pub(crate) fn has_expired(&self, thing: &C) -> bool {
        let ends = thing.ends().map(|ends| i64::try_from(ends).unwrap());
        ends.is_some_and(|ends| ends * 1_000 <= self.now())
    }

    /// Leaves out what is known to be wrong.
    fn tolerate(mut item: Item, wanted: &mut Item) -> Item {
        let pk = C::KEYS[0].pk[0].0;
        let is_sentinel = item.0.get("sk") == Some(&text("UNIQUE"));
        if is_sentinel {
            let (id, _) = id_of(pk, &item);
            item.insert(pk, text(&id));
            if is_known(4) && wanted.0.contains_key("ttl") && !item.0.contains_key("ttl") {
                tell(
                    4,
                    "the sentinel of an item that expires has no time of expiry",
                );
                wanted.0.remove("ttl");
            }
        }
        if is_known(12) {
            let (without, dropped) = item.clone().without_nulls();
            if dropped && without == wanted.clone().without_nulls().0 && item != *wanted {
                tell(12, "`None` is stored as NULL");
                return wanted.clone();
            }
        }
        item
    }

    /// Whether no two items of a model have one unique value; expired items have none.
    pub(crate) fn is_unique(&self, model: &Model<C>) -> bool {
        let mut seen = BTreeSet::new();
        let holders = model.values().filter(|thing| !self.has_expired(thing));
        let mut values = holders.flat_map(Case::unique);
        values.all(|value| seen.insert(value))
    }

    /// Whether an item has expired and has a unique value that another has which has not.
    pub(crate) fn is_outlived(&self, thing: &C, model: &Model<C>) -> bool {
        let others = model.values().filter(|other| !self.has_expired(other));
        let taken: BTreeSet<_> = others.flat_map(Case::unique).collect();
        self.has_expired(thing) && thing.unique().iter().any(|value| taken.contains(value))
    }
}

/// Refused before the request, or by a condition of ours.
fn is_clear(error: &Error) -> bool {
    let expected = [
        "ConditionalCheckFailedException",
        "TransactionCanceledException",
    ];
    error.code().is_none_or(|code| expected.contains(&code))
}

/// The item that stands for a unique value, and its key.
fn sentinel<C: Case>(owner: &C, field: &str, value: &Plain) -> ((String, String), Item) {
    let value = match value {
        Plain::S(text) | Plain::N(text) => text,
        other => panic!("{other:?}"),
    };
    // The key of this one is declared, with a tag, and as other software it has no owner unless it expires.
    let is_declared = field == "badge";
    let pk = if is_declared {
        format!("BADGE#{value}")
    } else {
        format!("UNIQUE#Thing#{field}#{value}")
    };
    let id = (pk, "UNIQUE".to_owned());
    let (pk, sk) = owner.id();
    let mut item = Item::default();
    item.insert(C::KEYS[0].pk[0].0, text(&id.0));
    item.insert("sk", text(&id.1));
    if is_declared {
        item.insert("entityType", text("Badge"));
    }
    if !is_declared || C::FEATURES.contains(&"ttl") {
        item.insert("dyna:owner", list([text(&pk), text(&sk)].into_iter()));
    }
    item.option("ttl", owner.ends().map(number));
    (id, item)
}

/// A number as `normal` writes it, if it is a whole one.
fn whole(number: &str) -> Option<i64> {
    let (digits, power) = number.split_once('E').unwrap_or((number, "0"));
    let scale = 10_i64.checked_pow(power.parse().ok()?)?;
    digits.parse::<i64>().ok()?.checked_mul(scale)
}

/// The primary key of a stored item; of the sentinel of a number, with the number as the model writes it.
fn id_of(pk: &str, item: &Item) -> (String, String) {
    let (pk, sk) = (item.text(pk), item.text("sk"));
    match pk.strip_prefix("UNIQUE#Thing#serial#") {
        Some(number) if sk == "UNIQUE" => (format!("UNIQUE#Thing#serial#{}", normal(number)), sk),
        _ => (pk, sk),
    }
}

fn difference(item: &Item, wanted: &Item) -> String {
    let names = item.0.keys().chain(wanted.0.keys());
    let names = names.filter(|name| item.0.get(*name) != wanted.0.get(*name));
    let differ: BTreeSet<_> = names
        .map(|name| {
            format!(
                "{name}: {:?}, not {:?}",
                item.0.get(name),
                wanted.0.get(name)
            )
        })
        .collect();
    format!("stored otherwise: {differ:?}")
}
