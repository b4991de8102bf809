//! A key under construction, and what it refuses.

use super::{Arg, CivilDateTime, KeyError, KeyErrorKind, LAST};
use crate::shape::{LayoutItem, Part, Shape};

/// A key up to and with a field.
pub(crate) struct Ending {
    pub(crate) text: String,
    /// The field, if it is bytes.
    pub(crate) bytes: Vec<u8>,
    /// Whether the text says less than the value that it was made from.
    pub(crate) truncated: bool,
}

/// A key under construction: what [`KeyPart::encode`](super::KeyPart::encode) writes to.
///
/// The first error stays; the key is then never sent.
#[derive(Debug)]
pub struct KeyBuf {
    pub(super) text: String,
    pub(super) bytes: Option<Vec<u8>>,
    /// The field that was refused first, and why.
    pub(super) error: Option<(&'static str, KeyErrorKind)>,
    /// The last date or time, and how it was written.
    civil: Option<(CivilDateTime, &'static [LayoutItem])>,
    pub(super) delimiter: u8,
    pub(super) part: &'static Part,
    /// Whether nothing is written or refused, but only counted.
    pub(super) measuring: bool,
    pub(super) measured: usize,
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
    pub(super) fn measure() -> Self {
        Self {
            measuring: true,
            ..Self::new(0, String::new())
        }
    }

    /// Writes the value of a placeholder.
    #[inline]
    pub(crate) fn put(&mut self, part: Option<&'static Part>, value: &(impl Arg + ?Sized)) {
        self.part = part.unwrap_or(self.part);
        value.put(self);
    }

    /// What was written, unless a value was refused.
    pub(crate) fn finish(self, entity: &'static str) -> Result<Ending, Box<KeyError>> {
        if let Some((field, kind)) = self.error {
            return Err(Box::new(KeyError::new(entity, field, kind)));
        }
        let truncated = self.is_truncated();
        Ok(Ending {
            text: self.text,
            bytes: self.bytes.unwrap_or_default(),
            truncated,
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
            self.fail(KeyErrorKind::WrongLength {
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
                None => self.fail(KeyErrorKind::TooManyDigits { width }),
                // The widest number there is has 39 digits, and no template gives more.
                Some(missing) => self.fixed(ZEROS.get(..missing).unwrap_or(ZEROS)),
            }
        }
        self.fixed(digits);
    }

    /// Writes a date or a time in the layout of the template, or in this one if it has none.
    pub fn civil(&mut self, civil: CivilDateTime, layout: &'static [LayoutItem]) {
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

    /// The whole of a binary key.
    pub(super) fn binary(&mut self, bytes: &[u8]) {
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
