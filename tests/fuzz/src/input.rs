//! Values from the bytes of an input. When the bytes are used up, everything is zero or empty.

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use std::collections::HashMap;

/// Deepest list or map.
const DEPTH: u8 = 6;

/// The bytes that are left.
pub(crate) struct Input<'b>(pub(crate) &'b [u8]);

impl<'b> Input<'b> {
    pub(crate) fn byte(&mut self) -> u8 {
        match self.0 {
            [first, rest @ ..] => {
                self.0 = rest;
                *first
            }
            [] => 0,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A number below `most`.
    pub(crate) fn below(&mut self, most: u8) -> u8 {
        self.byte() % most
    }

    pub(crate) fn number(&mut self) -> u64 {
        let length = usize::from(self.below(9));
        let bytes = self.take(length);
        bytes.iter().fold(0, |n, byte| (n << 8) | u64::from(*byte))
    }

    /// So many bytes, or those that are left.
    pub(crate) fn take(&mut self, length: usize) -> &'b [u8] {
        let (taken, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// A short text; what is not UTF-8 becomes U+FFFD.
    pub(crate) fn text(&mut self) -> String {
        let length = usize::from(self.below(40));
        String::from_utf8_lossy(self.take(length)).into_owned()
    }

    /// All bytes that are left, as text.
    pub(crate) fn rest(&mut self) -> String {
        String::from_utf8_lossy(self.take(usize::MAX)).into_owned()
    }

    pub(crate) fn item(&mut self) -> HashMap<String, AttributeValue> {
        self.map(DEPTH)
    }

    fn map(&mut self, depth: u8) -> HashMap<String, AttributeValue> {
        let mut map = HashMap::new();
        for _ in 0..self.below(12) {
            let name = match self.below(16) {
                15 => self.text(),
                known => char::from(b'a' + known).to_string(),
            };
            map.insert(name, self.attribute(depth));
        }
        map
    }

    fn attribute(&mut self, depth: u8) -> AttributeValue {
        let kind = self.below(if depth == 0 { 8 } else { 10 });
        let few = |input: &mut Self| input.below(4);
        match kind {
            0 => AttributeValue::S(self.text()),
            1 => AttributeValue::N(self.digits()),
            2 => AttributeValue::B(self.blob()),
            3 => AttributeValue::Bool(self.byte() > 127),
            4 => AttributeValue::Null(true),
            5 => AttributeValue::Ss((0..few(self)).map(|_| self.text()).collect()),
            6 => AttributeValue::Ns((0..few(self)).map(|_| self.digits()).collect()),
            7 => AttributeValue::Bs((0..few(self)).map(|_| self.blob()).collect()),
            8 => AttributeValue::L((0..few(self)).map(|_| self.attribute(depth - 1)).collect()),
            _ => AttributeValue::M(self.map(depth - 1)),
        }
    }

    fn blob(&mut self) -> Blob {
        let length = usize::from(self.below(9));
        Blob::new(self.take(length))
    }

    /// A number, or what could be taken for one.
    fn digits(&mut self) -> String {
        let sign = if self.byte() > 127 { "-" } else { "" };
        match self.below(6) {
            0 => format!("{sign}{}", self.below(10)),
            1 => format!("{sign}{}", self.number()),
            2 => format!("{sign}{}.{}", self.byte(), self.number()),
            3 => format!("{sign}{}E{}", self.number(), i16::from(self.byte()) - 128),
            4 => format!("{sign}{}{}", self.number(), self.number()),
            _ => self.text(),
        }
    }
}
