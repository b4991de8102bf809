//! A query under construction: the partition, the sort key so far, and how to read.

use crate::codec::number::MAX_DIGITS;
use crate::entity::collection::{DynaCollection, Own};
use crate::entity::fill::is_live;
use crate::entity::{Entity, EntityMeta};
use crate::error::{Error, Result};
use crate::expr::Expr;
use crate::key::KeyTemplates;
use crate::key::range::{End, KeyRange, SortCondition, between, between_numbers};
use crate::key::{
    Arg, Ending, KeyBuf, KeyError, KeyErrorKind, KeyValue, MAX_SK, Parts, given, partition,
};
use crate::proof::Foreign;
use crate::read::{Direction, Expired, ReadOptions};
use crate::request::query::{NoSteps, Query, Steps};
use crate::schema::{IndexSchema, KeyAttribute, ScalarType};
use crate::shape::Template;
use std::borrow::Cow;
use std::ops::Bound;
use std::time::SystemTime;

/// Starts a query of the entity's primary key, or with `space > 0` of its index `space - 1`.
pub fn query<E: Entity, K, S: Steps>(space: usize, pk: impl Parts) -> Query<E, K, S> {
    Query::new(draft::<E>(space, pk))
}

/// Starts a query of several partitions, which `add` adds to it, those of one element of the list at a time.
pub fn query_many<E: Entity, K, S: Steps, P>(
    space: usize,
    list: impl IntoIterator<Item = P>,
    add: impl Fn(&mut Draft, P),
) -> Query<E, K, S> {
    let mut draft = Draft::new(E::META, space);
    for element in list {
        add(&mut draft, element);
    }
    Query::new(draft)
}

/// How many requests of a query over several partitions are made at once, unless told otherwise.
const CONCURRENCY: usize = 8;

/// A query of one partition, whose sort key is not narrowed down by any value.
pub fn draft<E: Entity>(space: usize, pk: impl Parts) -> Draft {
    let mut draft = Draft::new(E::META, space);
    draft.partition(pk);
    draft
}

/// Makes the query of the first member of a collection one of them all.
pub fn collect<C: DynaCollection, K>(mut draft: Draft) -> Query<C, K, NoSteps> {
    draft.own = Own::Members(C::META);
    draft.fixed.clear();
    (draft.prefix, draft.condition) = C::META.condition();
    Query::new(draft)
}

/// A query under construction.
#[derive(Clone)]
pub struct Draft {
    /// The entity, or the first of a collection.
    pub(super) meta: &'static EntityMeta,
    /// Whose items are read.
    pub(super) own: Own,
    /// 0 is the primary key, `n + 1` the index `n` of the entity.
    pub(super) space: usize,
    /// The values of each partition key's attributes, or what keeps the query from being made.
    pub(super) partitions: Result<Vec<Vec<KeyValue>>, Box<KeyError>>,
    /// The values of the sort key's attributes that are fixed as a whole, with another one after them.
    pub(super) fixed: Vec<KeyValue>,
    /// The text of the next attribute of the sort key up to its next field.
    prefix: String,
    /// The whole of that attribute, if it is bytes.
    binary: Vec<u8>,
    pub(super) condition: SortCondition,
    pub(super) options: ReadOptions,
    pub(super) direction: Direction,
    /// How many requests are made at once.
    pub(super) concurrency: usize,
    /// Whether partitions are read one after the other, instead of merged.
    pub(super) sequential: bool,
}

impl Draft {
    fn new(meta: &'static EntityMeta, space: usize) -> Self {
        let mut draft = Self {
            meta,
            own: Own::One(meta),
            space,
            partitions: Ok(Vec::new()),
            fixed: Vec::new(),
            prefix: String::new(),
            binary: Vec::new(),
            condition: SortCondition::All,
            options: ReadOptions::new(),
            direction: Direction::Ascending,
            concurrency: CONCURRENCY,
            sequential: false,
        };
        draft.enter();
        draft
    }

    /// Adds a partition, unless it is there already: two days of a month are one.
    pub fn partition(&mut self, pk: impl Parts) {
        let (schema, keys) = (self.schema(), self.keys());
        let mut values = Vec::with_capacity(schema.pk.len());
        let built = partition(self.meta.name, schema, keys, &pk, |_, value| {
            values.push(value);
        });
        match (built, &mut self.partitions) {
            (Ok(()), Ok(partitions)) => {
                if !partitions.contains(&values) {
                    partitions.push(values);
                }
            }
            (Err(error), _) => self.fail(error),
            (Ok(()), Err(_)) => {}
        }
    }

    /// Begins the next attribute of the sort key, and goes on past those that are known: they have no fields.
    fn enter(&mut self) {
        while let Some(template) = self.template() {
            self.prefix.clear();
            self.binary.clear();
            template.literals_after(None, &mut self.prefix);
            if !self.step(template.parts().count() == 0) {
                break;
            }
        }
    }

    /// The condition once the prefix is written, and whether that completes an attribute with another one after it.
    fn step(&mut self, complete: bool) -> bool {
        self.condition = match (complete, self.prefix.is_empty()) {
            (true, _) => SortCondition::Equals(self.prefix.clone()),
            (false, true) => SortCondition::All,
            (false, false) => SortCondition::BeginsWith(self.prefix.clone()),
        };
        let goes_on = complete && self.fixed.len() + 1 < self.keys().sk.len();
        if goes_on {
            self.fixed.push(self.value(&self.prefix));
        }
        goes_on
    }

    /// Fixes field `n` of the sort key.
    pub fn fix<E, K, S: Steps>(&self, n: usize, value: impl Arg) -> Query<E, K, S> {
        Query::new(self.fixed_at(n, &value))
    }

    fn fixed_at(&self, n: usize, value: &dyn Arg) -> Self {
        let mut draft = self.clone();
        if let Some(template) = self.template() {
            (draft.prefix, draft.binary) = match draft.end(n, value) {
                Some((end, bytes)) => (end.text, bytes),
                None => Default::default(),
            };
            if draft.step(template.parts().count() == self.within(n) + 1) {
                draft.enter();
            }
        }
        draft
    }

    /// Limits field `n` of the sort key to a range.
    pub fn range<T, R: KeyRange<T>, E, K>(&self, n: usize, range: R) -> Query<E, K, NoSteps> {
        let (low, high) = range.ends();
        let (low, high) = (
            low.as_ref().map(given::<T, _>),
            high.as_ref().map(given::<T, _>),
        );
        let (low, high) = (low.as_ref().map(erased), high.as_ref().map(erased));
        Query::new(self.between(n, low, high))
    }

    fn between(&self, n: usize, low: Bound<&dyn Arg>, high: Bound<&dyn Arg>) -> Self {
        let mut draft = self.clone();
        let mut end = |bound: Bound<&dyn Arg>| {
            let (value, included) = match bound {
                Bound::Included(value) => (value, true),
                Bound::Excluded(value) => (value, false),
                Bound::Unbounded => return Bound::Unbounded,
            };
            match draft.end(n, value) {
                // What shares the text of a truncated value may lie on either side of it.
                Some((end, _)) if included || end.truncated => Bound::Included(end),
                Some((end, _)) => Bound::Excluded(end),
                None => Bound::Unbounded,
            }
        };
        let (low, high) = (end(low), end(high));
        draft.condition = match self.attribute() {
            Some(KeyAttribute {
                kind: ScalarType::N,
                name,
                ..
            }) => match (number(low), number(high)) {
                (Some(low), Some(high)) => between_numbers(low, high),
                _ => {
                    let kind = KeyErrorKind::TooManyDigits { width: MAX_DIGITS };
                    draft.fail(Box::new(KeyError::new(self.meta.name, name, kind)));
                    SortCondition::Nothing
                }
            },
            _ => between(self.prefix.clone(), low, high),
        };
        draft.check_length();
        draft
    }

    /// Limits field `n` of the sort key, which is its last and text, to those with a prefix.
    pub fn starts_with<E, K>(&self, n: usize, prefix: &str) -> Query<E, K, NoSteps> {
        let mut draft = self.clone();
        let text = match prefix {
            "" => self.prefix.clone(),
            prefix => {
                let end = draft.end(n, &given::<String, _>(&prefix));
                end.map(|(end, _)| end.text).unwrap_or_default()
            }
        };
        draft.condition = if text.is_empty() {
            SortCondition::All
        } else {
            SortCondition::BeginsWith(text)
        };
        Query::new(draft)
    }

    /// The text of the sort key up to and with field `n`, and what stands after it before the next field; and the bytes of a
    /// binary key. `None` if the value is refused.
    fn end(&mut self, n: usize, value: &dyn Arg) -> Option<(End, Vec<u8>)> {
        let template = self.template()?;
        let n = self.within(n);
        let mut out = KeyBuf::new(template.delimiter, self.prefix.clone());
        out.put(template.parts().nth(n), value);
        match out.finish(self.meta.name) {
            Ok(Ending {
                mut text,
                bytes,
                truncated,
            }) => {
                template.literals_after(Some(n), &mut text);
                self.check_text(&text);
                // A literal after the last field completes the key.
                let more_follows = template.parts().count() > n + 1;
                Some((
                    End {
                        text,
                        more_follows,
                        truncated,
                    },
                    bytes,
                ))
            }
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    /// Both ends of a range are no longer than a key, also with what closes them.
    fn check_length(&mut self) {
        let ends = match &self.condition {
            SortCondition::AtLeast(end) | SortCondition::AtMost(end) => vec![end.clone()],
            SortCondition::Between(low, high) => vec![low.clone(), high.clone()],
            _ => return,
        };
        for end in ends {
            self.check_text(&end);
        }
    }

    fn check_text(&mut self, text: &str) {
        if let (true, Some(sk)) = (text.len() > MAX_SK, self.attribute()) {
            let kind = KeyErrorKind::TooLong {
                length: text.len(),
                max: MAX_SK,
            };
            self.fail(Box::new(KeyError::new(self.meta.name, sk.name, kind)));
        }
    }

    /// Adds a condition to the filter.
    pub(super) fn filter(&mut self, condition: Expr) {
        let (index, table) = (self.schema(), &self.meta.schema.key);
        let condition = condition.refuse_keys(index).refuse_absent(index, table);
        self.options.filter = std::mem::take(&mut self.options.filter).and(condition);
    }

    /// The query without the items that have expired by now, if they are to be left out.
    pub(super) fn at(&self, now: SystemTime) -> Cow<'_, Self> {
        if self.options.expired == Expired::Returned {
            return Cow::Borrowed(self);
        }
        let mut draft = self.clone();
        draft.filter(is_live(self.meta, now));
        Cow::Owned(draft)
    }

    /// Fails if the filter has a value that cannot be written.
    pub(super) fn check_filter(&self) -> Result<()> {
        self.options.filter.check().map_err(|source| Error::Encode {
            entity: self.meta.name,
            source,
        })
    }

    fn fail(&mut self, error: Box<KeyError>) {
        if self.partitions.is_ok() {
            self.partitions = Err(error);
        }
    }

    /// The index that is queried.
    pub(super) fn schema(&self) -> &'static IndexSchema {
        self.meta.schema_of(self.space)
    }

    fn keys(&self) -> &'static KeyTemplates {
        self.meta.keys_of(self.space)
    }

    /// The template of the attribute of the sort key that comes next.
    fn template(&self) -> Option<&'static Template> {
        self.keys().sk.get(self.fixed.len())
    }

    /// The attribute of the sort key that comes next.
    fn attribute(&self) -> Option<&'static KeyAttribute> {
        self.schema().sk.get(self.fixed.len())
    }

    /// The attributes of the sort key that the condition names.
    pub(super) fn bounded(&self) -> &'static [KeyAttribute] {
        let next = usize::from(self.condition != SortCondition::All);
        let sk = self.schema().sk;
        sk.get(..self.fixed.len() + next).unwrap_or(sk)
    }

    /// Which field of its own template field `n` of the sort key is.
    fn within(&self, n: usize) -> usize {
        let before = self.keys().sk.iter().take(self.fixed.len());
        n - before
            .map(|template| template.parts().count())
            .sum::<usize>()
    }

    /// Whether items of other entities are in its reach.
    pub(super) fn meets(&self, foreign: Foreign) -> bool {
        foreign.reach(self.space, self.fixed_fields())
    }

    /// Whether the sort key is that of the condition, so that it fits.
    pub(super) fn has_sort_key(&self) -> bool {
        matches!(
            (self.own, &self.condition),
            (Own::One(_), SortCondition::Equals(_))
        )
    }

    /// How many whole fields of the sort key are fixed.
    fn fixed_fields(&self) -> usize {
        let before = self.keys().sk.iter().take(self.fixed.len());
        let before: usize = before.map(|template| template.fields.len()).sum();
        let Some(template) = self.template() else {
            return before;
        };
        let delimiters = self.prefix.bytes();
        before
            + match &self.condition {
                SortCondition::Equals(_) => template.fields.len(),
                _ => delimiters
                    .filter(|byte| *byte == template.delimiter)
                    .count(),
            }
    }

    /// What tells this query from others of the same partition: the entity and the sort-key condition.
    pub(super) fn scope(&self) -> String {
        let mut scope = self.own.name().to_owned();
        if let Some((condition, bounds)) = self.key_condition() {
            scope += condition;
            let bounds = bounds.into_iter().map(|(_, value)| value);
            for value in self.fixed.iter().cloned().chain(bounds) {
                scope.push('\0');
                scope += &quoted(value);
            }
        }
        scope
    }

    /// A value of the attribute of the sort key that comes next.
    fn value(&self, text: &str) -> KeyValue {
        match self.attribute().map_or(ScalarType::S, |sk| sk.kind) {
            ScalarType::S => KeyValue::S(text.to_owned()),
            ScalarType::N => KeyValue::N(text.to_owned()),
            ScalarType::B => KeyValue::B(self.binary.clone()),
        }
    }

    /// The key condition, and the values that bound the sort key.
    pub(super) fn key_condition(&self) -> Option<(&'static str, Vec<(&'static str, KeyValue)>)> {
        let conditions = self.schema().conditions.get(self.fixed.len())?;
        let one = |text| vec![(":s", self.value(text))];
        Some(match &self.condition {
            SortCondition::All => (conditions.all, vec![]),
            SortCondition::Equals(text) => (conditions.equals, one(text)),
            SortCondition::BeginsWith(text) => (conditions.begins_with, one(text)),
            SortCondition::AtLeast(text) => (conditions.at_least, one(text)),
            SortCondition::AtMost(text) => (conditions.at_most, one(text)),
            SortCondition::Between(low, high) => (
                conditions.between,
                vec![(":s", self.value(low)), (":t", self.value(high))],
            ),
            SortCondition::Nothing => return None,
        })
    }
}

/// Without the keys, which may be personal data.
impl std::fmt::Debug for Draft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Draft({})", self.own.name())
    }
}

/// A value as text that ends where it ends, whatever is in it.
fn quoted(value: KeyValue) -> String {
    match value {
        KeyValue::S(text) | KeyValue::N(text) => format!("{text:?}"),
        KeyValue::B(bytes) => format!("{bytes:?}"),
    }
}

fn erased<A: Arg>(value: &A) -> &dyn Arg {
    value
}

/// The end of a range over a number key.
fn number(end: Bound<End>) -> Option<Bound<i128>> {
    Some(match end {
        Bound::Included(end) => Bound::Included(end.text.parse().ok()?),
        Bound::Excluded(end) => Bound::Excluded(end.text.parse().ok()?),
        Bound::Unbounded => Bound::Unbounded,
    })
}
