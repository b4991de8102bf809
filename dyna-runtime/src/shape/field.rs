//! Fields of a template, between two delimiters, with the code that decides most comparisons.

use super::{LayoutItem, Part, Seg, Shape, short};

/// The part of a template between two delimiters.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Literals of up to 7 bytes: `LIT` and the text itself. Longer ones: `LIT | LONG` and a hash.
    /// Everything else: flags, a hash in bits 32..60, the least length in bits 16..32 and the
    /// greatest in bits 0..16.
    ///
    /// Equal codes without `LONG` and `REST` count as meeting, so that a hash collision can only
    /// make a proof too strict.
    pub(super) code: u64,
    pub(super) kind: Kind,
}

/// The three kinds of [`Field`].
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Text, possibly empty.
    Lit(&'static str),
    /// One placeholder.
    Part(Part),
    /// Text and placeholders, or several placeholders: `v<major>.<minor>`.
    Mixed(&'static [Seg]),
}

/// A literal.
pub(super) const LIT: u64 = 1 << 63;
/// Not a literal: may produce the delimiter.
pub(super) const REST: u64 = 1 << 62;
/// A literal whose code is a hash: equal codes do not prove equal texts.
pub(super) const LONG: u64 = 1 << 61;
/// One placeholder that can be any digits of its lengths, so two of them meet where lengths do.
pub(super) const PLAIN: u64 = 1 << 60;

/// Whether two fields produce the same texts, as far as their codes tell: the same literals, the same shapes.
pub(crate) const fn same_shape(a: &Field, b: &Field) -> bool {
    a.code == b.code
}

impl Field {
    /// A field that is this text.
    #[must_use]
    pub const fn lit(text: &'static str) -> Field {
        Field {
            code: literal_code(text.as_bytes()),
            kind: Kind::Lit(text),
        }
    }

    /// A field that is one placeholder.
    #[must_use]
    pub const fn part(part: Part) -> Field {
        let flags = match part.shape {
            Shape::Text | Shape::Sized(_) | Shape::Digits(_) | Shape::Number(_) => PLAIN,
            Shape::Rest | Shape::Opaque => REST,
            Shape::Fixed(_) | Shape::OneOf(_) | Shape::Optional(_) => 0,
        };
        Field {
            code: code(flags, hash_shape(SEED, part.shape), part.shape.lengths()),
            kind: Kind::Part(part),
        }
    }

    /// A field of several pieces.
    #[must_use]
    pub const fn mixed(segs: &'static [Seg]) -> Field {
        let (mut flags, mut hash, mut least, mut most, mut i) = (0, SEED, 0u16, 0u16, 0);
        while i < segs.len() {
            let (low, high) = match segs[i] {
                Seg::Lit(text) => {
                    hash = hash_text(hash, text.as_bytes());
                    (short(text.len()), short(text.len()))
                }
                Seg::Part(part) => {
                    if matches!(part.shape, Shape::Rest | Shape::Opaque) {
                        flags = REST;
                    }
                    hash = hash_shape(hash, part.shape);
                    part.shape.lengths()
                }
            };
            least = least.saturating_add(low);
            most = most.saturating_add(high);
            i += 1;
        }
        Field {
            code: code(flags, hash, (least, most)),
            kind: Kind::Mixed(segs),
        }
    }

    /// Text, one placeholder, or a mixture.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Is this a whole number or binary key?
    pub(super) const fn is_opaque(&self) -> bool {
        matches!(self.kind, Kind::Part(part) if matches!(part.shape, Shape::Opaque))
    }

    /// The least and the greatest length in bytes; `u16::MAX` means unlimited.
    pub(super) const fn lengths(&self) -> (u64, u64) {
        match self.kind {
            Kind::Lit(text) => {
                let n = short(text.len()) as u64;
                (n, n)
            }
            _ => (self.code >> 16 & 0xffff, self.code & 0xffff),
        }
    }

    /// The length in bytes of every text of a placeholder, if they all have the same.
    pub(super) const fn width(&self) -> Option<u16> {
        let (least, most) = (
            (self.code >> 16 & 0xffff) as u16,
            (self.code & 0xffff) as u16,
        );
        if least == most && most != Shape::UNLIMITED {
            Some(least)
        } else {
            None
        }
    }
}

/// A field that is this text.
#[doc(hidden)]
pub const fn lit(text: &'static str) -> Field {
    Field::lit(text)
}

/// A field that is one placeholder.
#[doc(hidden)]
pub const fn part(name: &'static str, shape: Shape) -> Field {
    Field::part(Part::new(name, shape))
}

/// A field that is one placeholder with a layout.
#[doc(hidden)]
pub const fn date(name: &'static str, shape: Shape, layout: &'static [LayoutItem]) -> Field {
    Field::part(Part::new(name, shape).with_layout(layout))
}

/// A field of several pieces.
#[doc(hidden)]
pub const fn mixed(segs: &'static [Seg]) -> Field {
    Field::mixed(segs)
}

const fn literal_code(text: &[u8]) -> u64 {
    if text.len() > 7 {
        return LIT | LONG | hash_text(SEED, text) >> 4;
    }
    // The length in front keeps texts of different lengths apart.
    let (mut code, mut i) = (text.len() as u64, 0);
    while i < text.len() {
        code = code << 8 | text[i] as u64;
        i += 1;
    }
    LIT | code
}

const fn code(flags: u64, hash: u64, (least, most): (u16, u16)) -> u64 {
    flags | hash >> 36 << 32 | (least as u64) << 16 | most as u64
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// One step of FNV, a word at a time.
const fn mix(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3)
}

const fn hash_text(hash: u64, text: &[u8]) -> u64 {
    let (mut hash, mut i) = (mix(hash, text.len() as u64), 0);
    while i < text.len() {
        hash = mix(hash, text[i] as u64);
        i += 1;
    }
    hash
}

const fn hash_shape(hash: u64, shape: Shape) -> u64 {
    let mut i = 0;
    match shape {
        Shape::Text => mix(hash, 1 << 16),
        Shape::Sized(n) => mix(hash, 2 << 16 | n as u64),
        Shape::Rest | Shape::Opaque => mix(hash, 3 << 16),
        Shape::Digits(n) => mix(hash, 4 << 16 | n as u64),
        Shape::Number(n) => mix(hash, 5 << 16 | n as u64),
        Shape::Optional(shape) => hash_shape(mix(hash, 8 << 16), *shape),
        Shape::Fixed(runs) => {
            let mut hash = mix(hash, 6 << 16);
            while i < runs.len() {
                hash = mix(hash, runs[i].set.fold() ^ runs[i].n as u64);
                i += 1;
            }
            hash
        }
        Shape::OneOf(words) => {
            let mut hash = mix(hash, 7 << 16);
            while i < words.len() {
                hash = hash_text(hash, words[i].as_bytes());
                i += 1;
            }
            hash
        }
    }
}
