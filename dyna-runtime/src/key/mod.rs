//! Keys: the types that templates accept, building keys, parsing them, and ranges over them.
//!
//! Nothing here knows of requests or of DynamoDB's client.

mod args;
mod buf;
mod build;
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
mod calendar;
mod civil;
mod functions;
mod numbers;
mod optional;
mod parsed;
mod part;
pub(crate) mod range;
mod raw;
#[doc(hidden)]
pub mod rfc3339;
mod stored_key;
mod templates;
#[cfg(all(
    test,
    feature = "chrono",
    feature = "jiff",
    feature = "time",
    feature = "ulid",
    feature = "uuid"
))]
mod tests;
mod types;

pub use args::AsKeyPart;
pub(crate) use args::Unbounded;
#[doc(hidden)]
pub use args::sealed::Token as KeyToken;
#[doc(hidden)]
pub use args::{AsNativeValue, IndexOf, KeyOf, lookup};
pub(crate) use args::{IndexParts, KeyArg, PartVisitor, Parts};
pub use buf::KeyBuf;
pub(crate) use buf::{BuiltKey, Cut};
pub(crate) use build::{
    KeyId, KeyValue, MAX_PK, MAX_SK, build, build_part, build_texts, native_length, partition, sort,
};
pub use civil::{CivilDateTime, DatePart};
#[cfg(test)]
pub(crate) use functions::hex_of;
#[doc(hidden)]
pub use functions::{
    Function, FunctionResult, FunctionValue, Lower, Sha256, Shard, Then, Trim, Upper, apply,
    function_value, in_bucket, lower, of, sha256, shape_of, shape_of_certain, shape_of_part, shard,
    shards, text_of, trim, upper,
};
#[doc(hidden)]
pub use optional::{OptionalArg, OptionalPart, optional, or_empty};
#[doc(hidden)]
pub use parsed::{ParsedKey, ParsedPart};
pub use part::Ordered;
#[doc(hidden)]
pub use part::{
    FinalRange, Padded, SortableKeyPart, TextPart, TextPrefix, date_shape, layout_runs, native,
    padded, plain, rest, sized,
};
pub use range::{
    KeyRange, RangeAtEnd, RangeBeforeMore, RangeFixedWidth, RangeOfPlain, RangeOfText, SharedRange,
};
pub use raw::RawKeyPart;
pub(crate) use raw::raw_key;
pub use stored_key::StoredKey;
pub use templates::KeyTemplates;

/// Layouts of dates and times in keys.
pub mod layout {
    pub use super::civil::{DATE, RFC3339_MILLIS};
}

use crate::schema::ScalarType;
use crate::shape::Shape;
use std::fmt;

/// The last code point. It closes ranges (`BETWEEN "MSG#" AND "MSG#\u{10FFFF}"`), so no key may contain it.
pub(crate) const LAST: char = '\u{10FFFF}';

/// A type that can be used in a key template.
///
/// Text, unsigned integers and [`Ordered`] integers implement it, and with the features of the same name
/// `uuid::Uuid`, `ulid::Ulid` and the date and time types of `jiff`, `chrono` and `time`. Your own newtypes
/// and fieldless enums derive it:
///
/// ```
/// use dyna_runtime::KeyPart;
///
/// #[derive(KeyPart)]
/// pub struct ChannelId(String);
///
/// #[derive(KeyPart)]
/// pub enum Status {
///     Open,
///     Closed,
/// }
/// ```
///
/// By hand, say which texts you write ([`SHAPE`](Self::SHAPE)) and write them. A value that does not have the promised
/// shape is an error of the request, never a key:
///
/// ```
/// use dyna_runtime::{KeyBuf, KeyPart};
/// use dyna_runtime::shape::Shape;
///
/// /// A country by its two letters.
/// pub struct Country([u8; 2]);
///
/// impl KeyPart for Country {
///     const SHAPE: Shape = Shape::Sized(2);
///
///     fn encode(&self, out: &mut KeyBuf) {
///         out.text(&String::from_utf8_lossy(&self.0));
///     }
///
///     fn decode(text: &str) -> Option<Self> {
///         text.as_bytes().try_into().ok().map(Country)
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of a DynamoDB key",
    label = "used in a key template, but has no key encoding",
    note = "in a key: text, `u8` to `u128` (`u64` for a `usize`), and your own newtypes and fieldless enums with `#[derive(KeyPart)]`",
    note = "with a feature of `dyna-runtime`: `Uuid` (feature `uuid`), `Ulid` (`ulid`), dates and times (`jiff`, `chrono`, `time`)",
    note = "not in a text key: floats (no text form that sorts), signed integers (wrap them: `Ordered<i64>`), `bool` (use an enum), `Option` (only in an index)",
    note = "a newtype of a float, a signed integer or a `Decimal` can be a number key: write `#[dyna(number)]` below its derive"
)]
pub trait KeyPart: Sized {
    /// Every text that [`encode`](Self::encode) can write.
    const SHAPE: Shape;

    /// Whether `encode` is known to keep to `SHAPE`, so that no one has to look again.
    #[doc(hidden)]
    const TRUSTED: bool = false;

    /// Writes the value, with one call of a method of `out`. Also called to learn how long the key will be.
    fn encode(&self, out: &mut KeyBuf);

    /// The value that `encode` wrote as `text`.
    fn decode(text: &str) -> Option<Self>;
}

/// Why a key could not be built, or a stored key could not be read. Says where, never what the value was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{entity}: key field `{field}` {kind}")]
pub struct KeyError {
    entity: &'static str,
    field: &'static str,
    kind: KeyErrorKind,
}

impl KeyError {
    pub(crate) fn new(entity: &'static str, field: &'static str, kind: KeyErrorKind) -> Self {
        Self {
            entity,
            field,
            kind,
        }
    }

    /// The entity whose key it is.
    pub fn entity(&self) -> &'static str {
        self.entity
    }

    /// The field of the entity, or the key attribute if the key as a whole is at fault.
    pub fn field(&self) -> &'static str {
        self.field
    }

    /// The problem.
    pub fn kind(&self) -> KeyErrorKind {
        self.kind
    }
}

/// The problem of a key field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyErrorKind {
    /// The text is empty, and would address another key.
    Empty,
    /// The text contains the delimiter of the key, and could pose as another key.
    ContainsDelimiter(char),
    /// The text contains U+10FFFF, which closes ranges.
    ReservedCharacter,
    /// The number has more digits than its template allows.
    TooManyDigits {
        /// The digits that the template gives it.
        width: u16,
    },
    /// The number is NaN or infinite.
    NotFinite,
    /// The number is neither zero nor between 1E-130 and 9.99E+125, positive or negative.
    NumberOutOfRange,
    /// The text must have exactly this many bytes.
    WrongLength {
        /// The bytes that the template gives it.
        expected: u16,
        /// The bytes of the value.
        found: usize,
    },
    /// The function of `shard(.., with = ..)` returned a bucket that there is not.
    NoSuchBucket {
        /// The number of buckets.
        buckets: u16,
    },
    /// The date is outside of the years 0000 to 9999, which have four digits.
    YearOutOfRange,
    /// A hand-written `KeyPart` wrote a text that its `SHAPE` does not have.
    ShapeMismatch,
    /// The whole key is longer than DynamoDB allows.
    TooLong {
        /// Bytes of the key.
        length: usize,
        /// Bytes that DynamoDB takes.
        max: usize,
    },
    /// A mistake of Dyna itself: a value without its placeholder. Please report it.
    Internal,
    /// A stored key does not fit its template.
    TemplateMismatch,
    /// A key that was given as it is stored is not of the type that the table declares.
    WrongType {
        /// The type of the key attribute.
        expected: ScalarType,
    },
    /// The function of the template gives `None` for it: items with this value are not in the index.
    NotIndexed,
    /// The prefix is lower-cased in two ways, and no one range holds both: its last letter is a capital sigma, with marks or
    /// punctuation behind it.
    AmbiguousPrefix,
}

impl fmt::Display for KeyErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("is empty"),
            Self::ContainsDelimiter(delimiter) => write!(f, "contains the delimiter '{delimiter}'"),
            Self::ReservedCharacter => {
                f.write_str("contains U+10FFFF, which is reserved for the ends of ranges")
            }
            Self::TooManyDigits { width } => {
                write!(f, "has more than {width} digits")
            }
            Self::NotFinite => f.write_str("is NaN or infinite, and DynamoDB stores finite numbers"),
            Self::NumberOutOfRange => f.write_str(
                "is outside of the numbers that DynamoDB stores: zero, and 1E-130 to 9.99E+125, positive or negative",
            ),
            Self::WrongLength { expected, found } => {
                write!(
                    f,
                    "is {found} bytes long; its template requires exactly {expected}"
                )
            }
            Self::NoSuchBucket { buckets } => {
                write!(f, "has a bucket number outside 0..{buckets}")
            }
            Self::YearOutOfRange => f.write_str("is a date outside of the years 0000 to 9999"),
            Self::ShapeMismatch => f.write_str("does not match its `KeyPart::SHAPE`"),
            Self::TooLong { length, max } => {
                write!(f, "is {length} bytes long; DynamoDB allows {max}")
            }
            Self::WrongType { expected } => f.write_str(match expected {
                ScalarType::S => "is not a string; the table declares this key attribute as S",
                ScalarType::N => {
                    "is not a valid DynamoDB number; the table declares this key attribute as N"
                }
                ScalarType::B => "is not binary; the table declares this key attribute as B",
            }),
            Self::Internal => {
                f.write_str("is not where its template has it: internal; please report this")
            }
            Self::TemplateMismatch => f.write_str("does not fit its key template"),
            Self::NotIndexed => f.write_str(
                "is not in the index: its template function returns `None` for this value",
            ),
            Self::AmbiguousPrefix => f.write_str(
                "is given a prefix that is lower-cased in two ways: end it with the capital sigma, or with the letter after it",
            ),
        }
    }
}
