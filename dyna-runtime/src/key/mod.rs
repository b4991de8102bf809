//! Keys: what may stand in a template, how it becomes text, and what is refused on the way.
//!
//! Nothing here knows of requests or of DynamoDB's client.

mod arg;
mod build;
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
mod calendar;
#[cfg(feature = "chrono")]
mod chrono;
mod function;
#[cfg(feature = "jiff")]
mod jiff;
mod part;
pub mod rfc3339;
mod stored;
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

pub(crate) use arg::NoEnd;
pub(crate) use arg::{Arg, IndexParts, Parts, Pass};
pub use arg::{AsPart, AsValue, IndexOf, KeyOf, given};
pub use build::{Found, Key, Parsed};
pub(crate) use build::{
    KeyId, KeyValue, MAX_SK, build_part, build_text, check_native, partition, sort,
};
#[cfg(any(test, feature = "schema"))]
pub(crate) use function::hex_of;
pub use function::{
    Function, Lower, Sha256, Shard, Upper, apply, lower, sha256, shape_of, shard, shards, upper,
};
pub use part::{
    FinalRange, Ordered, Padded, SortableKeyPart, TextPart, TextPrefix, laid_out, padded, rest,
    sized,
};
pub use stored::StoredKey;
pub use timestamp::{Civil, DATE, DatePart, RFC3339_MILLIS};

use crate::shape::{LayoutItem, Part, Shape};
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
    note = "in a key: text, unsigned integers, `Uuid`, `Ulid`, dates and times (by feature), and your own newtypes and fieldless enums with `#[derive(KeyPart)]`",
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
    Delimiter(char),
    /// The text contains U+10FFFF, which closes ranges.
    Reserved,
    /// The number has more digits than its template allows.
    TooWide {
        /// The digits that the template gives it.
        width: u16,
    },
    /// The text must have exactly this many bytes.
    Length {
        /// The bytes that the template gives it.
        expected: u16,
        /// The bytes of the value.
        found: usize,
    },
    /// The date is outside of the years 0000 to 9999, which have four digits.
    Year,
    /// A hand-written `KeyPart` wrote a text that its `SHAPE` does not have.
    Shape,
    /// The whole key is longer than DynamoDB takes.
    TooLong {
        /// Bytes of the key.
        length: usize,
        /// Bytes that DynamoDB takes.
        max: usize,
    },
    /// A stored key does not fit its template.
    Foreign,
}

impl fmt::Display for KeyErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("is empty"),
            Self::Delimiter(delimiter) => write!(f, "contains the delimiter '{delimiter}'"),
            Self::Reserved => {
                f.write_str("contains U+10FFFF, which is reserved for the ends of ranges")
            }
            Self::TooWide { width } => {
                write!(f, "needs more than the {width} digits that it can have")
            }
            Self::Length { expected, found } => {
                write!(
                    f,
                    "has {found} bytes, and its template takes exactly {expected}"
                )
            }
            Self::Year => f.write_str("is a date outside of the years 0000 to 9999"),
            Self::Shape => {
                f.write_str("was written in another shape than its `KeyPart::SHAPE` promises")
            }
            Self::TooLong { length, max } => {
                write!(f, "is {length} bytes long, and DynamoDB takes {max}")
            }
            Self::Foreign => f.write_str("does not fit its key template"),
        }
    }
}

/// A key up to and with a field.
pub(crate) struct Ending {
    pub(crate) text: String,
    /// The field, if it is bytes.
    pub(crate) bytes: Vec<u8>,
    /// Whether the text says less than the value that it was made from.
    pub(crate) truncated: bool,
}

/// A key under construction: what [`KeyPart::encode`] writes to.
///
/// The first error stays; the key is then never sent.
#[derive(Debug)]
pub struct KeyBuf {
    text: String,
    bytes: Option<Vec<u8>>,
    /// The field that was refused first, and why.
    error: Option<(&'static str, KeyErrorKind)>,
    /// The last date or time, and how it was written.
    civil: Option<(Civil, &'static [LayoutItem])>,
    delimiter: u8,
    part: &'static Part,
    /// Whether nothing is written or refused, but only counted.
    measuring: bool,
    measured: usize,
}

impl KeyBuf {
    /// A key whose text is known up to a field.
    #[inline]
    pub(crate) fn new(delimiter: u8, text: String) -> Self {
        const ANY: &Part = &Part::new("", Shape::Text);
        Self {
            text,
            bytes: None,
            error: None,
            civil: None,
            delimiter,
            part: ANY,
            measuring: false,
            measured: 0,
        }
    }

    /// A key of which only the length is wanted.
    #[inline]
    fn measure() -> Self {
        Self {
            measuring: true,
            ..Self::new(0, String::new())
        }
    }

    /// Writes the value of a placeholder.
    #[inline]
    pub(crate) fn put(&mut self, part: Option<&'static Part>, value: &impl Arg) {
        self.part = part.unwrap_or(self.part);
        value.put(self);
    }

    /// What was written, unless a value was refused.
    pub(crate) fn finish(self, entity: &'static str) -> Result<Ending, Box<KeyError>> {
        if let Some((field, kind)) = self.error {
            return Err(Box::new(KeyError::new(entity, field, kind)));
        }
        let truncated = |(civil, layout): (Civil, _)| civil.exceeds(layout);
        Ok(Ending {
            text: self.text,
            bytes: self.bytes.unwrap_or_default(),
            truncated: self.civil.is_some_and(truncated),
        })
    }

    /// Writes text. The one place where a key is kept from being injected: text that is empty, or
    /// contains the delimiter or U+10FFFF, is refused.
    #[inline]
    pub fn text(&mut self, text: &str) {
        if self.measuring {
            self.measured += text.len();
        } else {
            self.checked(text);
        }
    }

    fn checked(&mut self, text: &str) {
        let delimiter = match self.part.shape {
            Shape::Rest => LAST_LEAD_BYTE,
            _ => self.delimiter,
        };
        if has_either(text.as_bytes(), delimiter, LAST_LEAD_BYTE) || text.is_empty() {
            self.refuse_text(text);
        }
        if let Shape::Sized(expected) = self.part.shape
            && text.len() != usize::from(expected)
        {
            self.fail(KeyErrorKind::Length {
                expected,
                found: text.len(),
            });
        }
        self.text.push_str(text);
    }

    /// Writes a number, with zeros in front if the template gives it a width.
    #[inline]
    pub fn number(&mut self, number: impl Into<u128>) {
        let number = number.into();
        // Nearly all numbers fit 64 bits, where division is cheap.
        match u64::try_from(number) {
            Ok(number) => self.small(number),
            Err(_) => self.digits(itoa::Buffer::new().format(number)),
        }
    }

    fn small(&mut self, number: u64) {
        self.digits(itoa::Buffer::new().format(number));
    }

    #[inline]
    fn digits(&mut self, digits: &str) {
        const ZEROS: &str = "0000000000000000000000000000000000000000";
        if let Shape::Digits(width) = self.part.shape {
            match usize::from(width).checked_sub(digits.len()) {
                None => self.fail(KeyErrorKind::TooWide { width }),
                // The widest number there is has 39 digits, and no template gives more.
                Some(missing) => self.fixed(ZEROS.get(..missing).unwrap_or(ZEROS)),
            }
        }
        self.fixed(digits);
    }

    /// Writes a date or a time in the layout of the template, or in this one if it has none.
    pub fn civil(&mut self, civil: Civil, layout: &'static [LayoutItem]) {
        let layout = match self.part.layout {
            [] => layout,
            given => given,
        };
        if self.measuring {
            self.measured += layout.iter().map(LayoutItem::width).sum::<usize>();
            return;
        }
        self.civil = Some((civil, layout));
        if !civil.write(layout, &mut self.text) {
            self.fail(KeyErrorKind::Year);
        }
    }

    /// Writes ASCII text of a fixed layout, such as a UUID.
    #[inline]
    pub fn fixed(&mut self, text: &str) {
        if self.measuring {
            self.measured += text.len();
        } else {
            self.text.push_str(text);
        }
    }

    /// A signed number as the whole of a number key.
    fn signed(&mut self, number: i128) {
        match i64::try_from(number) {
            Ok(number) => self.fixed(itoa::Buffer::new().format(number)),
            Err(_) => self.fixed(itoa::Buffer::new().format(number)),
        }
    }

    /// The whole of a binary key.
    fn binary(&mut self, bytes: &[u8]) {
        if self.measuring {
            return;
        }
        if bytes.is_empty() {
            self.fail(KeyErrorKind::Empty);
        }
        self.bytes = Some(bytes.to_vec());
    }

    #[cold]
    fn refuse_text(&mut self, text: &str) {
        if text.is_empty() {
            self.fail(KeyErrorKind::Empty);
        } else if text.contains(LAST) {
            self.fail(KeyErrorKind::Reserved);
        } else if !matches!(self.part.shape, Shape::Rest)
            && text.as_bytes().contains(&self.delimiter)
        {
            self.fail(KeyErrorKind::Delimiter(char::from(self.delimiter)));
        }
    }

    #[cold]
    fn fail(&mut self, kind: KeyErrorKind) {
        if !self.measuring {
            self.error.get_or_insert((self.part.name, kind));
        }
    }
}

/// First byte of U+100000 to U+10FFFF in UTF-8; the slow path tells them apart.
const LAST_LEAD_BYTE: u8 = 0xF4;

/// Whether one of two bytes occurs. Without branches over 16 or 8 bytes at a time, some of them for the second time.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch")]
fn has_either(bytes: &[u8], a: u8, b: u8) -> bool {
    if let Some(last) = bytes.last_chunk::<16>() {
        let has = |chunk: &[u8; 16]| {
            chunk
                .iter()
                .fold(false, |hit, &byte| hit | (byte == a) | (byte == b))
        };
        return bytes.as_chunks().0.iter().any(has) || has(last);
    }
    let (first, last) = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => (u64::from_ne_bytes(*first), u64::from_ne_bytes(*last)),
        _ => match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) => {
                let [first, last] = [first, last].map(|half| u64::from(u32::from_ne_bytes(*half)));
                let both = first | last << 32;
                (both, both)
            }
            _ => return bytes.iter().any(|&byte| byte == a || byte == b),
        },
    };
    zeros(first, a) | zeros(last, a) | zeros(first, b) | zeros(last, b) != 0
}

/// Not zero if one of the eight bytes is this one.
#[inline]
const fn zeros(word: u64, byte: u8) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    let word = word ^ u64::from_ne_bytes([byte; 8]);
    word.wrapping_sub(ONES) & !word & ONES << 7
}
