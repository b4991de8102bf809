//! A key under construction, and what it refuses.

use super::{CivilDateTime, KeyArg, KeyError, KeyErrorKind, LAST};
use crate::codec::number::StoredNumber;
use crate::shape::{LayoutItem, Part, Shape};

/// A key up to and with a field.
pub(crate) struct BuiltKey {
    pub(crate) text: String,
    /// The field, if it is bytes.
    pub(crate) bytes: Vec<u8>,
    /// Whether the text says less than the value that it was made from.
    pub(crate) truncated: bool,
    /// Whether it is a number that may have a fraction.
    pub(crate) is_decimal: bool,
}

/// Where the beginning of a text is cut from the rest. A capital sigma is lower-cased in another way at the end of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Between two words, or at the end of the text.
    WordEnds,
    /// Within a word.
    WordGoesOn,
}

/// A key under construction: what [`KeyPart::encode`](super::KeyPart::encode) writes to.
///
/// The first error stays; the key is then never sent.
#[derive(Debug)]
pub struct KeyBuf {
    pub(super) text: String,
    /// The whole of a binary key, which is never empty.
    pub(super) bytes: Vec<u8>,
    /// The field that was refused first, and why.
    pub(super) error: Option<(&'static str, KeyErrorKind)>,
    /// The last date or time, and how it was written.
    civil: Option<(CivilDateTime, &'static [LayoutItem])>,
    pub(super) delimiter: u8,
    pub(super) part: &'static Part,
    /// Whether a number was written that may have a fraction.
    is_decimal: bool,
    /// Whether nothing is written or refused, but only counted.
    pub(super) measuring: bool,
    /// Where the text is cut, if only the beginning of it is written.
    pub(crate) cut: Option<Cut>,
    pub(super) measured: usize,
}

impl KeyBuf {
    /// A key whose text is known up to a field.
    #[inline]
    pub(crate) fn new(delimiter: u8, text: String) -> Self {
        const ANY: &Part = &Part::new("", Shape::Text);
        Self {
            text,
            bytes: Vec::new(),
            error: None,
            civil: None,
            delimiter,
            part: ANY,
            is_decimal: false,
            measuring: false,
            cut: None,
            measured: 0,
        }
    }

    /// A key of which only the length is wanted.
    #[inline]
    pub(super) fn measure() -> Self {
        Self {
            measuring: true,
            ..Self::new(0, String::new())
        }
    }

    /// Goes on to a placeholder. Without one the key is an error: the shape of the placeholder before would check nothing.
    #[inline]
    pub(super) fn enter(&mut self, part: Option<&'static Part>) {
        match part {
            Some(part) => self.part = part,
            None => self.fail(KeyErrorKind::Internal),
        }
    }

    /// Writes the value of a placeholder.
    #[inline]
    pub(crate) fn put(&mut self, part: Option<&'static Part>, value: &(impl KeyArg + ?Sized)) {
        self.enter(part);
        value.put(self);
    }

    /// Returns the key, or the first error.
    pub(crate) fn finish(self, entity: &'static str) -> Result<BuiltKey, Box<KeyError>> {
        if let Some((field, kind)) = self.error {
            return Err(Box::new(KeyError::new(entity, field, kind)));
        }
        let truncated = self.is_truncated();
        Ok(BuiltKey {
            text: self.text,
            bytes: self.bytes,
            truncated,
            is_decimal: self.is_decimal,
        })
    }

    /// Whether the last date or time has more than what is written of it.
    pub(super) fn is_truncated(&self) -> bool {
        self.civil
            .is_some_and(|(civil, layout)| civil.exceeds(layout))
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
        // Most text has one of these shapes, and nothing in it that is refused.
        let delimiter = match self.part.shape {
            Shape::Text => Some(self.delimiter),
            Shape::Rest => Some(LAST_LEAD_BYTE),
            _ => None,
        };
        let is_fine = delimiter.is_some_and(|delimiter| {
            !text.is_empty() && !has_either(text.as_bytes(), delimiter, LAST_LEAD_BYTE)
        });
        if !is_fine {
            self.check(text);
        }
        self.text.push_str(text);
    }

    #[inline(never)]
    fn check(&mut self, text: &str) {
        let shape = self.part.shape.of_value();
        let delimiter = match shape {
            Shape::Rest => LAST_LEAD_BYTE,
            _ => self.delimiter,
        };
        if has_either(text.as_bytes(), delimiter, LAST_LEAD_BYTE) || text.is_empty() {
            self.refuse_text(text);
        }
        if let Shape::Sized(expected) = shape
            && text.len() != usize::from(expected)
            && !(self.cut.is_some() && text.len() < usize::from(expected))
        {
            self.fail(KeyErrorKind::WrongLength {
                expected,
                found: text.len(),
            });
        }
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
        if let Shape::Digits(width) | Shape::Optional(&Shape::Digits(width)) = self.part.shape {
            match usize::from(width).checked_sub(digits.len()) {
                None => self.fail(KeyErrorKind::TooManyDigits { width }),
                // The widest number there is has 39 digits, and no template gives more.
                Some(missing) => match ZEROS.get(..missing) {
                    Some(zeros) => self.fixed(zeros),
                    None => self.fail(KeyErrorKind::Internal),
                },
            }
        }
        self.fixed(digits);
    }

    /// Writes a date or a time in the layout of the template, or in this one if it has none.
    pub fn date_time(&mut self, civil: CivilDateTime, layout: &'static [LayoutItem]) {
        let layout = match self.part.layout {
            [] => layout,
            given => given,
        };
        if self.measuring {
            let widths = layout.iter().map(|item| usize::from(item.width()));
            self.measured += widths.sum::<usize>();
            return;
        }
        self.civil = Some((civil, layout));
        if !civil.write(layout, &mut self.text) {
            self.fail(KeyErrorKind::YearOutOfRange);
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
    pub(super) fn signed(&mut self, number: i128) {
        match i64::try_from(number) {
            Ok(number) => self.fixed(itoa::Buffer::new().format(number)),
            Err(_) => self.fixed(itoa::Buffer::new().format(number)),
        }
    }

    /// A number with a fraction as the whole of a number key, in the one text of its value; what is written as no number is not finite.
    pub(super) fn decimal(&mut self, text: &str) {
        if self.measuring {
            self.measured += text.len();
            return;
        }
        self.is_decimal = true;
        match StoredNumber::parse(text) {
            None => self.fail(KeyErrorKind::NotFinite),
            Some(number) if !number.is_storable() => self.fail(KeyErrorKind::NumberOutOfRange),
            Some(number) => self.text.push_str(&number.to_string()),
        }
    }

    /// The whole of a binary key.
    pub(super) fn binary(&mut self, bytes: &[u8]) {
        if self.measuring {
            return;
        }
        if bytes.is_empty() {
            self.fail(KeyErrorKind::Empty);
        }
        self.bytes = bytes.to_vec();
    }

    #[cold]
    fn refuse_text(&mut self, text: &str) {
        if text.is_empty() {
            if self.cut.is_none() {
                self.fail(KeyErrorKind::Empty);
            }
        } else if text.contains(LAST) {
            self.fail(KeyErrorKind::ReservedCharacter);
        } else if !matches!(self.part.shape, Shape::Rest)
            && text.as_bytes().contains(&self.delimiter)
        {
            self.fail(KeyErrorKind::ContainsDelimiter(char::from(self.delimiter)));
        }
    }

    #[cold]
    pub(super) fn fail(&mut self, kind: KeyErrorKind) {
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
pub(super) fn has_either(bytes: &[u8], a: u8, b: u8) -> bool {
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
