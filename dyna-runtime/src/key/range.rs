//! Sort-key conditions from Rust ranges: one condition, exact at both ends, never outside of the entity's own prefix.
//!
//! DynamoDB takes one condition, and `BETWEEN` includes both ends. Ends are made exact by U+10FFFF, the last code point,
//! which no key contains: it sorts after everything that starts with what stands before it.

use crate::key::{AsKeyPart, FinalRange, KeyPart, LAST, NoEnd, SortableKeyPart};
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
pub(crate) struct End {
    pub(crate) text: String,
    /// Whether another field follows in the key, so that the text is a prefix of keys and not one itself.
    pub(crate) more_follows: bool,
    /// Whether the text says less than the value that it was made from.
    pub(crate) truncated: bool,
}

/// All keys that start with `prefix` and lie between the ends, which start with it themselves.
pub(crate) fn between(prefix: String, low: Bound<End>, high: Bound<End>) -> SortCondition {
    let more_follows =
        matches!(&low, Bound::Included(end) | Bound::Excluded(end) if end.more_follows);
    let low = match low {
        Bound::Unbounded => None,
        Bound::Included(end) => Some(end.text),
        Bound::Excluded(end) if end.more_follows => Some(last_of(end.text)),
        // The next text after a whole key.
        Bound::Excluded(end) => Some(end.text + "\0"),
    };
    let high = match high {
        Bound::Unbounded => None,
        Bound::Included(end) if end.more_follows => Some(last_of(end.text)),
        Bound::Included(end) => Some(end.text),
        // A text that ends in the delimiter is no key: what follows it is never empty.
        Bound::Excluded(end) if end.more_follows => Some(end.text),
        Bound::Excluded(end) => Some(before(end.text)),
    };
    match (low, high) {
        // Every key is longer than the prefix.
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
                Ordering::Equal if !more_follows => SortCondition::Between(low, high),
                Ordering::Equal | Ordering::Greater => SortCondition::Nothing,
            }
        }
    }
}

/// The same on a number key, whose values are integers.
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

/// Sorts after every key that starts with `prefix`, and is none itself.
fn last_of(mut prefix: String) -> String {
    prefix.push(LAST);
    prefix
}

/// The last of the texts before `text` that a key can be: no key contains U+10FFFF.
fn before(mut text: String) -> String {
    match text.pop() {
        None | Some('\0') => {}
        Some(last) => {
            // Below U+E000 come the surrogates, which are no characters.
            let previous = match last {
                '\u{E000}' => '\u{D7FF}',
                last => char::from_u32(u32::from(last) - 1).unwrap_or('\0'),
            };
            text.push(previous);
            text.push(LAST);
        }
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
    /// What the ends are given as.
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
    type End = NoEnd;

    fn ends(self) -> (Bound<NoEnd>, Bound<NoEnd>) {
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
pub trait InnerRange<T>: KeyRange<T> {}
impl<T: SortableKeyPart, R: KeyRange<T>> InnerRange<T> for R {}
#[diagnostic::do_not_recommend]
impl<T: SortableKeyPart, R: KeyRange<Option<T>>> InnerRange<Option<T>> for R {}

/// A range over the last field of the key.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "expected a range of `{T}`, found `{Self}`",
    label = "write `a..b`, `a..=b`, `a..`, `..b` or `..=b` with ends of type `{T}`"
)]
pub trait LastRange<T>: KeyRange<T> {}
impl<T: FinalRange, R: KeyRange<T>> LastRange<T> for R {}
#[diagnostic::do_not_recommend]
impl<T: FinalRange, R: KeyRange<Option<T>>> LastRange<Option<T>> for R {}

/// A range over a field that its template gives a fixed width.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "expected a range of `{T}`, found `{Self}`",
    label = "write `a..b`, `a..=b`, `a..`, `..b` or `..=b` with ends of type `{T}`"
)]
pub trait FixedRange<T>: KeyRange<T> {}
impl<T: KeyPart, R: KeyRange<T>> FixedRange<T> for R {}
#[diagnostic::do_not_recommend]
impl<T: KeyPart, R: KeyRange<Option<T>>> FixedRange<Option<T>> for R {}
