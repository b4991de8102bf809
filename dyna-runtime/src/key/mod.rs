//! Keys: what may stand in a template, how it becomes text, and what is refused on the way.
//!
//! Nothing here knows of requests or of DynamoDB's client.

mod arg;
mod buf;
mod build;
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
mod calendar;
#[cfg(feature = "chrono")]
mod chrono;
mod function;
#[cfg(feature = "jiff")]
mod jiff;
mod parsed;
mod part;
pub(crate) mod range;
#[doc(hidden)]
pub mod rfc3339;
mod stored;
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
#[cfg(feature = "time")]
mod time;
mod timestamp;
#[cfg(feature = "ulid")]
mod ulid;
#[cfg(feature = "uuid")]
mod uuid;

pub use arg::AsKeyPart;
pub(crate) use arg::NoEnd;
pub(crate) use arg::{Arg, IndexParts, Parts, Pass};
#[doc(hidden)]
pub use arg::{AsValue, IndexOf, KeyOf, given};
pub(crate) use buf::Ending;
pub use buf::KeyBuf;
pub(crate) use build::{
    KeyId, KeyValue, MAX_PK, MAX_SK, build, build_part, build_text, native_length, partition, sort,
};
#[cfg(test)]
pub(crate) use function::hex_of;
#[doc(hidden)]
pub use function::{
    Function, Lower, Sha256, Shard, Upper, apply, lower, sha256, shape_of, shard, shards, upper,
};
#[doc(hidden)]
pub use parsed::{Found, Parsed};
pub use part::Ordered;
#[doc(hidden)]
pub use part::{
    FinalRange, Padded, SortableKeyPart, TextPart, TextPrefix, laid_out, padded, rest, sized,
};
pub use range::{FixedRange, InnerRange, KeyRange, LastRange};
pub use stored::StoredKey;
pub use templates::KeyTemplates;
pub use timestamp::{CivilDateTime, DatePart};

/// Layouts of dates and times in keys.
pub mod layout {
    pub use super::timestamp::{DATE, RFC3339_MILLIS};
}

use crate::shape::Shape;
use std::fmt;

/// The last code point. It closes ranges (`BETWEEN "MSG#" AND "MSG#\u{10FFFF}"`), so no key may contain it.
pub(crate) const LAST: char = '\u{10FFFF}';

/// A type that can stand in a key template.
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
    note = "not in a key: floats (no text form that sorts), signed integers (wrap them: `Ordered<i64>`), `bool` (use an enum), `Option` (only in an index)"
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

    /// What is wrong with it.
    pub fn kind(&self) -> KeyErrorKind {
        self.kind
    }
}

/// What is wrong with a key field.
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
    /// The text must have exactly this many bytes.
    WrongLength {
        /// The bytes that the template gives it.
        expected: u16,
        /// The bytes of the value.
        found: usize,
    },
    /// The date is outside of the years 0000 to 9999, which have four digits.
    YearOutOfRange,
    /// A hand-written `KeyPart` wrote a text that its `SHAPE` does not have.
    ShapeMismatch,
    /// The whole key is longer than DynamoDB takes.
    TooLong {
        /// Bytes of the key.
        length: usize,
        /// Bytes that DynamoDB takes.
        max: usize,
    },
    /// A stored key does not fit its template.
    TemplateMismatch,
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
                write!(f, "needs more than the {width} digits that it can have")
            }
            Self::WrongLength { expected, found } => {
                write!(
                    f,
                    "has {found} bytes, and its template takes exactly {expected}"
                )
            }
            Self::YearOutOfRange => f.write_str("is a date outside of the years 0000 to 9999"),
            Self::ShapeMismatch => {
                f.write_str("was written in another shape than its `KeyPart::SHAPE` promises")
            }
            Self::TooLong { length, max } => {
                write!(f, "is {length} bytes long; DynamoDB allows {max}")
            }
            Self::TemplateMismatch => f.write_str("does not fit its key template"),
        }
    }
}
