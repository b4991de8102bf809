//! Sets of bytes, and the fixed layouts made of them.

/// A set of bytes: exact on ASCII, all or nothing from 0x80 on.
///
/// No shape tells two non-ASCII bytes apart, so one flag is enough for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes {
    pub(super) ascii: u128,
    pub(super) high: bool,
}

impl Bytes {
    /// No byte at all.
    pub const NONE: Bytes = Bytes {
        ascii: 0,
        high: false,
    };

    /// Every byte.
    pub const ANY: Bytes = Bytes {
        ascii: u128::MAX,
        high: true,
    };

    /// Just this byte (from 0x80 on: all of those).
    #[must_use]
    pub const fn one(byte: u8) -> Bytes {
        Bytes::range(byte, byte)
    }

    /// The bytes from `low` to `high`, both included.
    #[must_use]
    pub const fn range(low: u8, high: u8) -> Bytes {
        let last = if high < 128 { high } else { 127 };
        let ascii = if low > last {
            0
        } else {
            u128::MAX >> (127 - (last - low)) << low
        };
        Bytes {
            ascii,
            high: high >= 128 && low <= high,
        }
    }

    /// The bytes in either set.
    #[must_use]
    pub const fn or(self, other: Bytes) -> Bytes {
        Bytes {
            ascii: self.ascii | other.ascii,
            high: self.high | other.high,
        }
    }

    /// The bytes in both sets.
    #[must_use]
    pub const fn and(self, other: Bytes) -> Bytes {
        Bytes {
            ascii: self.ascii & other.ascii,
            high: self.high & other.high,
        }
    }

    /// The set without one ASCII byte.
    #[must_use]
    pub const fn without(self, byte: u8) -> Bytes {
        Bytes {
            ascii: self.ascii & !Bytes::one(byte).ascii,
            high: self.high,
        }
    }

    /// Is this byte in the set?
    #[must_use]
    pub const fn contains(self, byte: u8) -> bool {
        if byte < 128 {
            self.ascii >> byte & 1 == 1
        } else {
            self.high
        }
    }

    /// Is no byte in the set?
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.ascii == 0 && !self.high
    }

    /// The set as two ranges, their ends included, of which one may be the other; if it can be told so, and has ASCII bytes alone.
    pub(crate) fn two_ranges(self) -> Option<[(u8, u8); 2]> {
        let (first, rest) = self.first_range()?;
        if rest.is_empty() {
            return Some([first, first]);
        }
        let (second, rest) = rest.first_range()?;
        rest.is_empty().then_some([first, second])
    }

    /// The first bytes without a gap, and the set without them; if it has ASCII bytes alone.
    fn first_range(self) -> Option<((u8, u8), Bytes)> {
        if self.high || self.ascii == 0 {
            return None;
        }
        let first = first_bit(self.ascii);
        let last = first_bit(!(self.ascii >> first)) + first - 1;
        let ascii = self.ascii & !Bytes::range(first, last).ascii;
        Some(((first, last), Bytes { ascii, ..self }))
    }

    /// The set in 64 bits, for hashing.
    #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
    pub(super) const fn fold(self) -> u64 {
        let (low, high) = (self.ascii as u64, (self.ascii >> 64) as u64);
        low.rotate_left(16) ^ high.rotate_left(40) ^ (self.high as u64) << 63
    }

    /// The member that reads best in an example key.
    pub(super) const fn nicest(self) -> u8 {
        const ORDER: &[u8] = b"x0a1A-_.";
        let mut i = 0;
        while i < ORDER.len() {
            if self.contains(ORDER[i]) {
                return ORDER[i];
            }
            i += 1;
        }
        // Letters and digits before punctuation, punctuation before control bytes.
        let tiers = [
            Bytes::range(b'a', b'z')
                .or(Bytes::range(b'A', b'Z'))
                .or(DIGIT),
            Bytes::range(b' ', b'~'),
            Bytes::ANY,
        ];
        let mut tier = 0;
        while tier < tiers.len() {
            let members = self.ascii & tiers[tier].ascii;
            if members != 0 {
                return first_bit(members);
            }
            tier += 1;
        }
        b'?'
    }
}

#[expect(clippy::cast_possible_truncation, reason = "at most 128")]
const fn first_bit(set: u128) -> u8 {
    set.trailing_zeros() as u8
}

/// `0` to `9`.
pub const DIGIT: Bytes = Bytes::range(b'0', b'9');

/// Lowercase hexadecimal: `0` to `9`, `a` to `f`.
pub const HEX: Bytes = DIGIT.or(Bytes::range(b'a', b'f'));

/// Crockford's base 32, uppercase: digits and letters without `I`, `L`, `O` and `U`.
pub const CROCKFORD: Bytes = DIGIT
    .or(Bytes::range(b'A', b'Z'))
    .without(b'I')
    .without(b'L')
    .without(b'O')
    .without(b'U');

/// Exactly `n` bytes, each out of `set`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The values that each byte can have.
    pub set: Bytes,
    /// How many bytes.
    pub n: u16,
}

/// Exactly `n` bytes of `set`.
#[must_use]
pub const fn run(set: Bytes, n: u16) -> Run {
    Run { set, n }
}

/// Exactly this one byte.
#[must_use]
pub const fn byte(b: u8) -> Run {
    run(Bytes::one(b), 1)
}
