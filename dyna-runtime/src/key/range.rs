//! Sort-key conditions from Rust ranges: one condition, exact at both ends, never outside of the entity's own prefix.
//!
//! DynamoDB takes one condition, and `BETWEEN` includes both ends. Ends are made exact by U+10FFFF, the last code point,
//! which no key contains: it sorts after everything that starts with what stands before it.

use crate::codec::number::StoredNumber;
use crate::key::{AsKeyPart, FinalRange, KeyPart, LAST, SortableKeyPart, TextPart, Unbounded};
use std::cmp::Ordering;
use std::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// A condition on the sort key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SortCondition {
    /// The whole partition.
    All,
    /// One sort key.
    Equals(String),
    /// All with this prefix.
    BeginsWith(String),
    /// All from here on.
    AtLeast(String),
    /// All up to here.
    AtMost(String),
    /// All between, both ends included.
    Between(String, String),
    /// Nothing can match: no request is made.
    Nothing,
}

/// One end of a range: the text of the key up to and with the ranged part.
#[derive(Debug, Clone)]
pub(crate) struct RangeEnd {
    pub(crate) text: String,
    pub(crate) follows: Follows,
    /// Whether the text says less than the value that it was made from.
    pub(crate) truncated: bool,
    /// Whether it is a number of a type that has fractions.
    pub(crate) is_decimal: bool,
}

/// What follows the text of an end in the keys that start with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Follows {
    /// Nothing: the text is a key.
    Nothing,
    /// Other fields: the text is a prefix of keys, and not one itself.
    Fields,
    /// Fields that may all be empty, so that the text is a prefix of keys, and may be one itself: `<rank:03>#<street?>`.
    MaybeNothing,
}

/// All keys that start with `prefix` and lie between the ends, which start with it themselves.
pub(crate) fn between(
    prefix: String,
    low: Bound<RangeEnd>,
    high: Bound<RangeEnd>,
) -> SortCondition {
    let is_key = |end: &RangeEnd| end.follows == Follows::Nothing;
    let low_is_key = match &low {
        Bound::Included(end) | Bound::Excluded(end) => is_key(end),
        Bound::Unbounded => true,
    };
    let low = match low {
        Bound::Unbounded => None,
        Bound::Included(end) => Some(end.text),
        // The next text after a whole key.
        Bound::Excluded(end) if is_key(&end) => Some(end.text + "\0"),
        Bound::Excluded(end) => Some(last_of(end.text)),
    };
    let high = match high {
        Bound::Unbounded => None,
        Bound::Included(end) if is_key(&end) => Some(end.text),
        Bound::Included(end) => Some(last_of(end.text)),
        // What starts with the text is longer, and after it.
        Bound::Excluded(end) if end.follows == Follows::Fields => Some(end.text),
        Bound::Excluded(end) => Some(before(end.text)),
    };
    match (low, high) {
        // A range is one of values, and a value is never empty: every key is longer than the prefix.
        (_, Some(high)) if high.len() <= prefix.len() => SortCondition::Nothing,
        (None, None) if prefix.is_empty() => SortCondition::All,
        (None, None) => SortCondition::BeginsWith(prefix),
        (Some(low), None) if prefix.is_empty() => SortCondition::AtLeast(low),
        (None, Some(high)) if prefix.is_empty() => SortCondition::AtMost(high),
        (low, high) => {
            let high = high.unwrap_or_else(|| last_of(prefix.clone()));
            let low = low.unwrap_or(prefix);
            match low.cmp(&high) {
                Ordering::Less => SortCondition::Between(low, high),
                // One key, unless the ends are only the beginnings of keys.
                Ordering::Equal if low_is_key => SortCondition::Between(low, high),
                Ordering::Equal | Ordering::Greater => SortCondition::Nothing,
            }
        }
    }
}

/// All keys that start with one of two texts, which differ in one character at most; `None` if no one condition is met by just these.
pub(crate) fn starting_with(one: String, other: String) -> Option<SortCondition> {
    if one == other {
        return Some(if one.is_empty() {
            SortCondition::All
        } else {
            SortCondition::BeginsWith(one)
        });
    }
    let (low, high) = if one < other {
        (one, other)
    } else {
        (other, one)
    };
    let (mut before, mut after) = (low.chars(), high.chars());
    let (last, next) = (before.next_back()?, after.next_back()?);
    let is_next = u32::from(last) + 1 == u32::from(next);
    let are_neighbours = is_next && before.as_str() == after.as_str();
    are_neighbours.then(|| SortCondition::Between(low, last_of(high)))
}

/// [`between`] on a number key, whose values are integers.
pub(crate) fn between_numbers(low: Bound<i128>, high: Bound<i128>) -> SortCondition {
    let low = match low {
        Bound::Unbounded => Some(None),
        Bound::Included(low) => Some(Some(low)),
        Bound::Excluded(low) => low.checked_add(1).map(Some),
    };
    let high = match high {
        Bound::Unbounded => Some(None),
        Bound::Included(high) => Some(Some(high)),
        Bound::Excluded(high) => high.checked_sub(1).map(Some),
    };
    match (low, high) {
        (Some(None), Some(None)) => SortCondition::All,
        (Some(Some(low)), Some(None)) => SortCondition::AtLeast(low.to_string()),
        (Some(None), Some(Some(high))) => SortCondition::AtMost(high.to_string()),
        (Some(Some(low)), Some(Some(high))) if low <= high => {
            SortCondition::Between(low.to_string(), high.to_string())
        }
        _ => SortCondition::Nothing,
    }
}

/// The same of numbers that may have fractions. `BETWEEN` includes both ends: one that is excluded is the next number that DynamoDB can
/// store, which has 38 digits.
pub(crate) fn between_decimals(
    low: Bound<StoredNumber>,
    high: Bound<StoredNumber>,
) -> SortCondition {
    // The last storable number has no neighbour: then nothing is in the range.
    let end = |bound, next: fn(&StoredNumber) -> Option<StoredNumber>| match bound {
        Bound::Unbounded => Some(None),
        Bound::Included(end) => Some(Some(end)),
        Bound::Excluded(end) => next(&end).map(Some),
    };
    let ends = (
        end(low, StoredNumber::above),
        end(high, StoredNumber::below),
    );
    match ends {
        (Some(None), Some(None)) => SortCondition::All,
        (Some(Some(low)), Some(None)) => SortCondition::AtLeast(low.to_string()),
        (Some(None), Some(Some(high))) => SortCondition::AtMost(high.to_string()),
        (Some(Some(low)), Some(Some(high))) if low <= high => {
            SortCondition::Between(low.to_string(), high.to_string())
        }
        _ => SortCondition::Nothing,
    }
}

/// Sorts after every key that starts with `prefix`, and is none itself.
fn last_of(mut prefix: String) -> String {
    prefix.push(LAST);
    prefix
}

/// The last of the texts before `text` that a key can be: no key contains U+10FFFF.
fn before(mut text: String) -> String {
    let last = text.pop();
    // A range of characters leaves out the surrogates below U+E000, which are none.
    if let Some(previous) = last.and_then(|last| ('\0'..last).next_back()) {
        text.push(previous);
        text.push(LAST);
    }
    text
}

/// A range over a key field: `a..b`, `a..=b`, `a..`, `..b`, `..=b`, `..`, or a pair of bounds. A field of an index that is an `Option`
/// is ranged over by what is in it.
#[diagnostic::on_unimplemented(
    message = "expected a range of `{T}`, found `{Self}`",
    label = "write `a..b`, `a..=b`, `a..`, `..b` or `..=b` with ends of type `{T}`"
)]
pub trait KeyRange<T> {
    /// The type of the ends.
    #[doc(hidden)]
    type End: AsKeyPart<T>;

    /// The ends.
    #[doc(hidden)]
    fn ends(self) -> (Bound<Self::End>, Bound<Self::End>);
}

macro_rules! ranges {
    ($($range:ident: $ends:expr;)*) => {$(
        impl<T, A: AsKeyPart<T>> KeyRange<T> for $range<A> {
            type End = A;

            fn ends(self) -> (Bound<A>, Bound<A>) {
                let ends: fn($range<A>) -> (Bound<A>, Bound<A>) = $ends;
                ends(self)
            }
        }
    )*};
}

ranges! {
    Range: |range| (Bound::Included(range.start), Bound::Excluded(range.end));
    RangeFrom: |range| (Bound::Included(range.start), Bound::Unbounded);
    RangeTo: |range| (Bound::Unbounded, Bound::Excluded(range.end));
    RangeToInclusive: |range| (Bound::Unbounded, Bound::Included(range.end));
    RangeInclusive: |range| {
        let (low, high) = range.into_inner();
        (Bound::Included(low), Bound::Included(high))
    };
}

impl<T> KeyRange<T> for RangeFull {
    type End = Unbounded;

    fn ends(self) -> (Bound<Unbounded>, Bound<Unbounded>) {
        (Bound::Unbounded, Bound::Unbounded)
    }
}

impl<T, A: AsKeyPart<T>> KeyRange<T> for (Bound<A>, Bound<A>) {
    type End = A;

    fn ends(self) -> (Bound<A>, Bound<A>) {
        self
    }
}

/// A range over a field that something follows in the key.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "expected a range of `{T}`, found `{Self}`",
    label = "write `a..b`, `a..=b`, `a..`, `..b` or `..=b` with ends of type `{T}`"
)]
pub trait RangeBeforeMore<T>: KeyRange<T> {}
impl<T: SortableKeyPart, R: KeyRange<T>> RangeBeforeMore<T> for R {}
#[diagnostic::do_not_recommend]
impl<T: SortableKeyPart, R: KeyRange<Option<T>>> RangeBeforeMore<Option<T>> for R {}

/// A range over the last field of the key.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "expected a range of `{T}`, found `{Self}`",
    label = "write `a..b`, `a..=b`, `a..`, `..b` or `..=b` with ends of type `{T}`"
)]
pub trait RangeAtEnd<T>: KeyRange<T> {}
impl<T: FinalRange, R: KeyRange<T>> RangeAtEnd<T> for R {}
#[diagnostic::do_not_recommend]
impl<T: FinalRange, R: KeyRange<Option<T>>> RangeAtEnd<Option<T>> for R {}

/// A range over a field that its template gives a fixed width.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "expected a range of `{T}`, found `{Self}`",
    label = "write `a..b`, `a..=b`, `a..`, `..b` or `..=b` with ends of type `{T}`"
)]
pub trait RangeFixedWidth<T>: KeyRange<T> {}
impl<T: KeyPart, R: KeyRange<T>> RangeFixedWidth<T> for R {}
#[diagnostic::do_not_recommend]
impl<T: KeyPart, R: KeyRange<Option<T>>> RangeFixedWidth<Option<T>> for R {}

/// A range over a number without zeros in front: nothing implements it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "no range over `<n:plain>`: a `{T}` without zeros in front does not sort by its value",
    label = "as text, \"10\" is before \"9\"",
    note = "give it a width in the template, such as `<n:010>`: stored keys then change, and have zeros in front"
)]
pub trait RangeOfPlain<T>: KeyRange<T> {}

/// A range over what a function makes of a text.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "expected a range of `{T}`, found `{Self}`",
    label = "write `a..b`, `a..=b`, `a..`, `..b` or `..=b` with ends of type `{T}`"
)]
pub trait RangeOfText<T>: KeyRange<T> {}
impl<T: TextPart, R: KeyRange<T>> RangeOfText<T> for R {}
#[diagnostic::do_not_recommend]
impl<T: TextPart, R: KeyRange<Option<T>>> RangeOfText<Option<T>> for R {}

/// A range over a field of the sort key that all members of a collection have. What it asks of the type is one of the kinds below.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "expected a range of `{T}`, found `{Self}`",
    label = "write `a..b`, `a..=b`, `a..`, `..b` or `..=b` with ends of type `{T}`, whose texts sort as its values do"
)]
pub trait SharedRange<T, const KIND: u8>: KeyRange<T> {}
impl<T, R: RangeFixedWidth<T>> SharedRange<T, FIXED_WIDTH> for R {}
impl<T, R: RangeAtEnd<T>> SharedRange<T, AT_END> for R {}
impl<T, R: RangeBeforeMore<T>> SharedRange<T, BEFORE_MORE> for R {}

/// The template gives the field a fixed width.
pub(crate) const FIXED_WIDTH: u8 = 0;
/// Nothing follows the field.
pub(crate) const AT_END: u8 = 1;
/// A delimiter follows the field.
pub(crate) const BEFORE_MORE: u8 = 2;
/// There is no range over the field.
pub(crate) const NO_RANGE: u8 = 3;
