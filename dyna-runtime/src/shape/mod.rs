//! Key templates as const data, and the questions we ask about them.
//!
//! A template such as `"USER#<id>"` stands for a set of strings: literals as they are, and every
//! placeholder as the [`Shape`] of its type. Whether two entities can write the same key, or
//! whether a prefix query of one returns items of another, is then a question about two such sets,
//! and a `const fn` answers it while the user's crate is checked.
//!
//! No placeholder but a `<rest..>`, which only parts of a fixed width may follow, ever produces the delimiter, so the fields between
//! delimiters line up one to one and are compared one by one. [`Field`] carries a precomputed code
//! that settles most pairs; only fields that mix text and placeholders (`v<major>.<minor>`) are
//! compared by automata.
//!
//! Every approximation errs towards "these can meet": a proof may be refused, never wrong.
//! The macro upholds what is assumed here: literals do not contain the delimiter, and
//! [`ambiguity`] has accepted every template.

mod bytes;
mod check;
mod const_string;
mod field;
mod intersect;
mod layout;
mod lockstep;
mod message;
mod nfa;
mod overlap;
mod parse;
mod search;
#[cfg(test)]
mod tests;

pub use bytes::{Bytes, CROCKFORD, DIGIT, HEX, Run, byte, run};
#[doc(hidden)]
pub use check::{
    Ambiguity, Keys, ambiguity, assert_disjoint, assert_sortable, assert_unambiguous, collide,
    is_open, unsortable,
};
#[doc(hidden)]
pub use const_string::ConstString;
pub(crate) use field::same_shape;
#[doc(hidden)]
pub use field::{Field, Kind, date, lit, mixed, part};
#[doc(hidden)]
pub use intersect::{intersect, prefix_intersects, witness};
pub(crate) use layout::{ConstLayout, KeyLayout, Layout};
#[doc(hidden)]
pub use parse::split;
pub(crate) use parse::surely_matches;
pub use parse::{fits, matches};

/// The strings a placeholder can become.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// One or more characters, never the delimiter (checked when a key is built).
    Text,
    /// Exactly this many bytes of text, never the delimiter: `<at:len=24>`.
    Sized(u16),
    /// One or more characters, the delimiter included: `<path..>`. What follows it has a fixed width.
    Rest,
    /// Exactly this many decimal digits: `<n:020>`.
    Digits(u16),
    /// One to this many decimal digits, as many as the number needs.
    Number(u16),
    /// A fixed layout: UUIDs, ULIDs, dates.
    Fixed(&'static [Run]),
    /// One word of a closed set: fieldless enums.
    OneOf(&'static [&'static str]),
    /// A whole number or binary key, which may equal any other key; only alone in its template.
    Opaque,
    /// This, or nothing: `<city?>`, only before a delimiter or at the end.
    Optional(&'static Self),
}

impl Shape {
    /// Stands for "no limit" in [`Shape::lengths`].
    const UNLIMITED: u16 = u16::MAX;

    /// Is every text of this shape equally long?
    #[must_use]
    pub const fn is_fixed_width(self) -> bool {
        self.width().is_some()
    }

    /// The length in bytes of every text of this shape, if they all have the same.
    #[must_use]
    pub const fn width(self) -> Option<u16> {
        let (least, most) = self.lengths();
        if least == most && most != Shape::UNLIMITED {
            Some(least)
        } else {
            None
        }
    }

    /// Can the type itself produce this byte? Asked about the delimiter.
    ///
    /// `false` for `Text` and `Sized`, which refuse the delimiter when a key is built; `true` for
    /// `Rest` and `Opaque`, whose place in the template makes it harmless.
    #[must_use]
    pub const fn can_contain(self, byte: u8) -> bool {
        match self {
            Shape::Text | Shape::Sized(_) => false,
            Shape::Rest | Shape::Opaque => true,
            Shape::Optional(shape) => shape.can_contain(byte),
            Shape::Digits(_) | Shape::Number(_) => byte.is_ascii_digit(),
            Shape::Fixed(runs) => {
                let mut i = 0;
                while i < runs.len() {
                    if runs[i].n > 0 && runs[i].set.contains(byte) {
                        return true;
                    }
                    i += 1;
                }
                false
            }
            Shape::OneOf(words) => {
                let mut i = 0;
                while i < words.len() {
                    if contains_byte(words[i], byte) {
                        return true;
                    }
                    i += 1;
                }
                false
            }
        }
    }

    /// The texts of a value, where there is one.
    #[must_use]
    pub const fn of_value(self) -> Self {
        match self {
            Shape::Optional(shape) => *shape,
            shape => shape,
        }
    }

    /// The least and the greatest length in bytes.
    const fn lengths(self) -> (u16, u16) {
        match self {
            Shape::Text | Shape::Rest | Shape::Opaque => (1, Shape::UNLIMITED),
            Shape::Sized(n) | Shape::Digits(n) => (n, n),
            Shape::Number(n) => (1, n),
            Shape::Optional(shape) => (0, shape.lengths().1),
            Shape::Fixed(runs) => {
                let (mut width, mut i) = (0u16, 0);
                while i < runs.len() {
                    width = width.saturating_add(runs[i].n);
                    i += 1;
                }
                (width, width)
            }
            Shape::OneOf(words) => {
                let (mut least, mut most, mut i) = (Shape::UNLIMITED, 0, 0);
                while i < words.len() {
                    let n = short(words[i].len());
                    least = if n < least { n } else { least };
                    most = if n > most { n } else { most };
                    i += 1;
                }
                (least, most)
            }
        }
    }
}

/// A placeholder: the field it names and the strings it can become.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The field's name.
    pub name: &'static str,
    /// The strings it can become.
    pub shape: Shape,
    /// How a timestamp is spelled out; empty for everything else.
    pub layout: &'static [LayoutItem],
}

impl Part {
    /// Whether it writes nothing where it has no value: `<city?>`.
    pub(crate) const fn may_be_empty(&self) -> bool {
        matches!(self.shape, Shape::Optional(_))
    }

    /// A placeholder without a timestamp layout.
    #[must_use]
    pub const fn new(name: &'static str, shape: Shape) -> Part {
        Part {
            name,
            shape,
            layout: &[],
        }
    }

    /// The same placeholder, spelled out by `layout`.
    #[must_use]
    pub const fn with_layout(self, layout: &'static [LayoutItem]) -> Part {
        Part { layout, ..self }
    }
}

/// One piece of a timestamp's layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutItem {
    /// This text.
    Literal(&'static str),
    /// The year, four digits.
    Year,
    /// The month, two digits.
    Month,
    /// The day of the month, two digits.
    Day,
    /// The hour, two digits.
    Hour,
    /// The minute, two digits.
    Minute,
    /// The second, two digits.
    Second,
    /// Milliseconds within the second, three digits.
    Millis,
    /// Microseconds within the second, six digits.
    Micros,
    /// Nanoseconds within the second, nine digits.
    Nanos,
    /// The day of the year, three digits.
    DayOfYear,
}

impl LayoutItem {
    /// The bytes that it is written in.
    pub(crate) const fn width(&self) -> u16 {
        match self {
            Self::Literal(text) => short(text.len()),
            Self::Month | Self::Day | Self::Hour | Self::Minute | Self::Second => 2,
            Self::Millis | Self::DayOfYear => 3,
            Self::Year => 4,
            Self::Micros => 6,
            Self::Nanos => 9,
        }
    }

    /// Whether it is of the time of day.
    pub(crate) const fn is_time(&self) -> bool {
        match self {
            Self::Literal(_) | Self::Year | Self::Month | Self::Day | Self::DayOfYear => false,
            Self::Hour
            | Self::Minute
            | Self::Second
            | Self::Millis
            | Self::Micros
            | Self::Nanos => true,
        }
    }
}

/// One piece of a field that mixes text and placeholders.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Seg {
    /// This text.
    Lit(&'static str),
    /// A placeholder.
    Part(Part),
}

/// A key template, split at its delimiter.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// The template as the user wrote it, for messages.
    pub text: &'static str,
    /// The ASCII byte between two fields.
    pub delimiter: u8,
    /// The parts between the delimiters.
    pub fields: &'static [Field],
}

/// A length as 16 bits; what does not fit counts as unlimited.
#[expect(clippy::cast_possible_truncation, reason = "the value is checked")]
const fn short(n: usize) -> u16 {
    if n < Shape::UNLIMITED as usize {
        n as u16
    } else {
        Shape::UNLIMITED
    }
}

// The loops below take slices apart by patterns: in `const`, every call costs more than a byte, that of `len` too.

const fn contains_byte(s: &str, byte: u8) -> bool {
    let mut s = s.as_bytes();
    while let [first, rest @ ..] = s {
        if *first == byte {
            return true;
        }
        s = rest;
    }
    false
}

const fn starts_with(mut s: &[u8], mut prefix: &[u8]) -> bool {
    while let ([a, more @ ..], [b, rest @ ..]) = (s, prefix) {
        if *a != *b {
            return false;
        }
        (s, prefix) = (more, rest);
    }
    matches!(prefix, [])
}

pub(crate) const fn same(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    while let ([x, more @ ..], [y, rest @ ..]) = (a, b) {
        if *x != *y {
            return false;
        }
        (a, b) = (more, rest);
    }
    matches!((a, b), ([], []))
}
