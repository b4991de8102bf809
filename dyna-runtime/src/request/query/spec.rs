//! A query under construction: the partition, the sort key so far, and how to read.

use crate::codec::number::{MAX_DIGITS, StoredNumber};
use crate::entity::KeyRef;
use crate::entity::collection::{CollectionMeta, DynaCollection, Owner};
use crate::entity::fill::is_live;
use crate::entity::{Entity, EntityMeta};
use crate::error::{Error, Result};
use crate::expr::Expr;
use crate::key::KeyTemplates;
use crate::key::range::{
    Follows, KeyRange, RangeEnd, SortCondition, between, between_decimals, between_numbers,
    starting_with,
};
use crate::key::{
    BuiltKey, Cut, Function, KeyArg, KeyBuf, KeyError, KeyErrorKind, KeyValue, MAX_SK, Parts,
    lookup, of, partition,
};
use crate::proof::Overlap;
use crate::read::{Direction, Expired, ReadOptions};
use crate::request::query::{NoSteps, Query, Steps};
use crate::schema::{IndexSchema, KeyAttribute, ScalarType};
use crate::shape::{KeyLayout, Part, Template};
use std::borrow::Cow;
use std::ops::Bound;
use std::time::SystemTime;

/// Starts a query by a key of the entity.
pub fn query<E: Entity, K, S: Steps>(key: KeyRef, pk: impl Parts) -> Query<E, K, S> {
    Query::new(query_spec::<E>(key, pk))
}

/// Starts a query of several partitions, which `add` adds to it, those of one element of the list at a time.
pub fn query_many<E: Entity, K, S: Steps, P>(
    key: KeyRef,
    list: impl IntoIterator<Item = P>,
    add: impl Fn(&mut QuerySpec, P),
) -> Query<E, K, S> {
    let mut spec = QuerySpec::new(E::META, key);
    for element in list {
        add(&mut spec, element);
    }
    Query::new(spec)
}

/// How many requests of a query over several partitions are made at once, unless told otherwise.
const CONCURRENCY: usize = 8;

/// A query of one partition, whose sort key is not narrowed down by any value.
pub fn query_spec<E: Entity>(key: KeyRef, pk: impl Parts) -> QuerySpec {
    let mut spec = QuerySpec::new(E::META, key);
    spec.partition(pk);
    spec
}

/// Makes the query of the first member of a collection one of them all.
pub fn collect<C: DynaCollection, K, S: Steps>(mut spec: QuerySpec) -> Query<C, K, S> {
    spec.owner = Owner::Members(C::META);
    spec.fixed.clear();
    spec.placeholders = 0;
    (spec.prefix, spec.condition) = C::META.condition();
    Query::new(spec)
}

/// A query under construction.
#[derive(Clone)]
pub struct QuerySpec {
    /// The entity, or the first of a collection.
    pub(super) meta: &'static EntityMeta,
    /// The entity or collection that is read.
    pub(super) owner: Owner,
    /// The key that is queried: the primary key or an index.
    pub(super) key: KeyRef,
    /// The values of each partition key's attributes, or what keeps the query from being made.
    pub(super) partitions: Result<Vec<Vec<KeyValue>>, Box<KeyError>>,
    /// The values of the sort key's attributes that are fixed as a whole, with another one after them.
    pub(super) fixed: Vec<KeyValue>,
    /// The text of the next attribute of the sort key up to its next field.
    prefix: String,
    /// How many placeholders of that attribute are in the prefix.
    placeholders: usize,
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

/// The items that a query can meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Only items of the entity or collection that is queried.
    Own,
    /// Items of other entities too, which are left out by their tags.
    Shared,
}

impl QuerySpec {
    fn new(meta: &'static EntityMeta, key: KeyRef) -> Self {
        let mut spec = Self {
            meta,
            owner: Owner::One(meta),
            key,
            partitions: Ok(Vec::new()),
            fixed: Vec::new(),
            prefix: String::new(),
            placeholders: 0,
            binary: Vec::new(),
            condition: SortCondition::All,
            options: ReadOptions::new(),
            direction: Direction::Ascending,
            concurrency: CONCURRENCY,
            sequential: false,
        };
        spec.enter();
        spec
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
            self.placeholders = 0;
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
    pub fn fix<E, K, S: Steps>(&self, n: usize, value: impl KeyArg) -> Query<E, K, S> {
        Query::new(self.fixed_at(n, &value))
    }

    /// The same, with another field to be given before it is a query.
    pub fn fixed_at(&self, n: usize, value: &dyn KeyArg) -> Self {
        let mut spec = self.clone();
        if let Owner::Members(collection) = self.owner {
            spec.fix_shared(collection, n, value);
        } else if let Some(template) = self.template() {
            spec.placeholders = self.within(n) + 1;
            (spec.prefix, spec.binary) = match spec.end(n, value) {
                Some((end, bytes)) => (end.text, bytes),
                None => Default::default(),
            };
            if spec.step(template.parts().count() == self.within(n) + 1) {
                spec.enter();
            }
        }
        spec
    }

    /// Fixes field `n` of the sort keys of all members.
    fn fix_shared(&mut self, collection: &CollectionMeta, n: usize, value: &dyn KeyArg) {
        let Some(template) = self.template() else {
            return;
        };
        let mut out = KeyBuf::new(template.delimiter, self.prefix.clone());
        out.put(template.parts().nth(n), value);
        match out.finish(self.meta.name) {
            Ok(BuiltKey { mut text, .. }) => {
                self.condition = collection.narrowed(n, &text);
                collection.after(n, &mut text);
                self.check_text(&text);
                self.check_length();
                self.prefix = text;
            }
            Err(error) => self.fail(error),
        }
    }

    /// Limits field `n` of the sort key to a range.
    pub fn range<T, R: KeyRange<T>, E, K>(&self, n: usize, range: R) -> Query<E, K, NoSteps> {
        let (low, high) = range.ends();
        let (low, high) = (
            low.as_ref().map(lookup::<T, _>),
            high.as_ref().map(lookup::<T, _>),
        );
        let (low, high) = (low.as_ref().map(erased), high.as_ref().map(erased));
        Query::new(self.between(n, low, high))
    }

    /// The same, of what a function makes of the field: the ends go through it.
    pub fn range_by<F: Function, T, R: KeyRange<T>, E, K>(
        &self,
        n: usize,
        range: R,
    ) -> Query<E, K, NoSteps> {
        let (low, high) = range.ends();
        let (low, high) = (
            low.as_ref().map(|end| of::<F, _>(lookup::<T, _>(end))),
            high.as_ref().map(|end| of::<F, _>(lookup::<T, _>(end))),
        );
        let (low, high) = (low.as_ref().map(erased), high.as_ref().map(erased));
        Query::new(self.between(n, low, high))
    }

    fn between(&self, n: usize, low: Bound<&dyn KeyArg>, high: Bound<&dyn KeyArg>) -> Self {
        let mut spec = self.clone();
        let mut end = |bound: Bound<&dyn KeyArg>| {
            let (value, included) = match bound {
                Bound::Included(value) => (value, true),
                Bound::Excluded(value) => (value, false),
                Bound::Unbounded => return Bound::Unbounded,
            };
            match spec.end(n, value) {
                // What shares the text of a truncated value may lie on either side of it.
                Some((end, _)) if included || end.truncated => Bound::Included(end),
                Some((end, _)) => Bound::Excluded(end),
                None => Bound::Unbounded,
            }
        };
        let (mut low, high) = (end(low), end(high));
        if let Bound::Unbounded = low
            && self.may_be_empty(n)
        {
            low = self.first_value();
        }
        let is_decimal = |end: &Bound<RangeEnd>| matches!(end, Bound::Included(end) | Bound::Excluded(end) if end.is_decimal);
        spec.condition = match self.attribute() {
            _ if is_decimal(&low) || is_decimal(&high) => {
                // What is no number has been refused.
                let ends = decimal(&low).zip(decimal(&high));
                ends.map_or(SortCondition::Nothing, |(low, high)| {
                    between_decimals(low, high)
                })
            }
            Some(KeyAttribute {
                kind: ScalarType::N,
                name,
                ..
            }) => match (number(&low), number(&high)) {
                (Some(low), Some(high)) => between_numbers(low, high),
                _ => {
                    let kind = KeyErrorKind::TooManyDigits { width: MAX_DIGITS };
                    spec.fail(Box::new(KeyError::new(self.meta.name, name, kind)));
                    SortCondition::Nothing
                }
            },
            _ => between(self.prefix.clone(), low, high),
        };
        spec.check_length();
        spec
    }

    /// Whether field `n` of the sort key writes nothing where it has no value.
    fn may_be_empty(&self, n: usize) -> bool {
        let template = self.template();
        let part = template.and_then(|template| template.parts().nth(self.within(n)));
        part.is_some_and(Part::may_be_empty)
    }

    /// Limits field `n` of the sort key, which is text, to those with a prefix.
    pub fn starts_with<E, K>(&self, n: usize, prefix: &str) -> Query<E, K, NoSteps> {
        Query::new(self.with_prefix(n, &lookup::<String, _>(&prefix)))
    }

    /// The same, of what a function makes of the field: the prefix goes through it.
    pub fn starts_with_by<F: Function, E, K>(
        &self,
        n: usize,
        prefix: &str,
    ) -> Query<E, K, NoSteps> {
        Query::new(self.with_prefix(n, &of::<F, _>(lookup::<String, _>(&prefix))))
    }

    fn with_prefix(&self, n: usize, prefix: &dyn KeyArg) -> Self {
        let mut spec = self.clone();
        let Some(template) = self.template() else {
            return spec;
        };
        let part = template.parts().nth(self.within(n));
        let texts = [Cut::WordEnds, Cut::WordGoesOn].map(|cut| {
            let mut out = KeyBuf::new(template.delimiter, self.prefix.clone());
            out.cut = Some(cut);
            out.put(part, prefix);
            out.finish(self.meta.name).map(|built| built.text)
        });
        let condition = match texts {
            [Ok(ends), Ok(_)] if ends == self.prefix && self.may_be_empty(n) => self.any_value(n),
            [Ok(ends), Ok(goes_on)] => {
                spec.check_text(&ends);
                starting_with(ends, goes_on).ok_or(KeyErrorKind::AmbiguousPrefix)
            }
            [Err(error), _] | [_, Err(error)] => {
                spec.fail(error);
                return spec;
            }
        };
        match condition {
            Ok(condition) => spec.condition = condition,
            Err(kind) => {
                let field = part.map_or("", |part| part.name);
                spec.fail(Box::new(KeyError::new(self.meta.name, field, kind)));
            }
        }
        spec.check_length();
        spec
    }

    /// All values of field `n`, which may have none. Before other fields, what has none is not on one side of what has one.
    fn any_value(&self, n: usize) -> Result<SortCondition, KeyErrorKind> {
        let is_last = |template: &Template| {
            let mut after = String::new();
            template.literals_after(Some(self.within(n)), &mut after);
            after.is_empty() && template.parts().count() == self.within(n) + 1
        };
        if self.template().is_some_and(is_last) {
            let prefix = self.prefix.clone();
            Ok(between(prefix, self.first_value(), Bound::Unbounded))
        } else {
            Err(KeyErrorKind::Empty)
        }
    }

    /// The low end of all values of a field that may have none. A range is one of values: what has none is before the first of them.
    fn first_value(&self) -> Bound<RangeEnd> {
        Bound::Included(RangeEnd {
            text: format!("{}\0", self.prefix),
            follows: Follows::Nothing,
            truncated: false,
            is_decimal: false,
        })
    }

    /// The text of the sort key up to and with field `n`, and what stands after it before the next field; and the bytes of a
    /// binary key. `None` if the value is refused.
    fn end(&mut self, n: usize, value: &dyn KeyArg) -> Option<(RangeEnd, Vec<u8>)> {
        let template = self.template()?;
        let n = self.within(n);
        let mut out = KeyBuf::new(template.delimiter, self.prefix.clone());
        out.put(template.parts().nth(n), value);
        match out.finish(self.meta.name) {
            Ok(BuiltKey {
                mut text,
                bytes,
                truncated,
                is_decimal,
            }) => {
                // A literal after the last field completes the key.
                let follows = match self.owner {
                    Owner::Members(collection) => {
                        collection.after(n, &mut text);
                        // The rest may be empty in some members.
                        if collection.goes_on(n) {
                            Follows::MaybeNothing
                        } else {
                            Follows::Nothing
                        }
                    }
                    Owner::One(_) | Owner::Table(_) => {
                        template.literals_after(Some(n), &mut text);
                        let more = || template.parts().skip(n + 1);
                        if more().next().is_none() {
                            Follows::Nothing
                        } else if more().all(Part::may_be_empty) {
                            Follows::MaybeNothing
                        } else {
                            Follows::Fields
                        }
                    }
                };
                self.check_text(&text);
                Some((
                    RangeEnd {
                        text,
                        follows,
                        truncated,
                        is_decimal,
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
        let mut spec = self.clone();
        spec.filter(is_live(self.meta, now));
        Cow::Owned(spec)
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
        self.meta.index(self.key)
    }

    fn keys(&self) -> &'static KeyTemplates {
        self.meta.templates(self.key)
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

    /// The number of sort-key field `n` within its own template.
    fn within(&self, n: usize) -> usize {
        let before = self.keys().sk.iter().take(self.fixed.len());
        n - before
            .map(|template| template.parts().count())
            .sum::<usize>()
    }

    /// Whether items of other entities are in its reach.
    pub(super) fn reach(&self, overlap: Overlap, listed: &[&'static EntityMeta]) -> Reach {
        let is_near = match self.owner {
            Owner::Members(collection) => collection.may_meet(&self.condition, listed),
            Owner::One(_) | Owner::Table(_) => true,
        };
        if overlap.reach(self.key, self.fixed_fields()) && is_near {
            Reach::Shared
        } else {
            Reach::Own
        }
    }

    /// Whether the sort key is that of the condition, so that it fits.
    pub(super) fn has_sort_key(&self) -> bool {
        matches!(
            (self.owner, &self.condition),
            (Owner::One(_), SortCondition::Equals(_))
        )
    }

    /// How many whole fields of the sort key are fixed.
    fn fixed_fields(&self) -> usize {
        let before = self.keys().sk.iter().take(self.fixed.len());
        let before: usize = before.map(|template| template.fields.len()).sum();
        let Some(template) = self.template() else {
            return before;
        };
        before
            + match (&self.condition, self.owner) {
                (SortCondition::Equals(_), _) => template.fields.len(),
                (_, Owner::One(_)) => KeyLayout::of(template).field_of(self.placeholders),
                // The text that all members begin with.
                _ => {
                    let delimiters = self.prefix.bytes();
                    let delimiters = delimiters.filter(|byte| *byte == template.delimiter);
                    delimiters.count()
                }
            }
    }

    /// The identity of this query in its partition, for cursors: the entity and the sort-key condition.
    pub(super) fn scope(&self) -> String {
        let mut scope = self.owner.name().to_owned();
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
impl std::fmt::Debug for QuerySpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "QuerySpec({})", self.owner.name())
    }
}

/// A value as text that ends where it ends, whatever is in it.
fn quoted(value: KeyValue) -> String {
    match value {
        KeyValue::S(text) | KeyValue::N(text) => format!("{text:?}"),
        KeyValue::B(bytes) => format!("{bytes:?}"),
    }
}

fn erased<A: KeyArg>(value: &A) -> &dyn KeyArg {
    value
}

/// The end of a range over a number key, whose type has no fractions.
fn number(end: &Bound<RangeEnd>) -> Option<Bound<i128>> {
    parsed(end, |text| text.parse().ok())
}

/// The same, of a type that has.
fn decimal(end: &Bound<RangeEnd>) -> Option<Bound<StoredNumber>> {
    parsed(end, StoredNumber::parse)
}

fn parsed<T>(end: &Bound<RangeEnd>, parse: impl Fn(&str) -> Option<T>) -> Option<Bound<T>> {
    Some(match end {
        Bound::Included(end) => Bound::Included(parse(&end.text)?),
        Bound::Excluded(end) => Bound::Excluded(parse(&end.text)?),
        Bound::Unbounded => Bound::Unbounded,
    })
}
