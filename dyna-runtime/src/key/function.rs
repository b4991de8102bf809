//! The functions of templates: `|sha256`, `|lower`, `|upper`, `|shard(16)` and those of the user.

use super::{Arg, KeyBuf, KeyErrorKind, KeyPart, build_part};
use crate::shape::{HEX, Part, Shape, run};
use sha2::Digest;

/// The result of a function, as a part of a key, or why its argument cannot stand in one.
#[derive(Debug)]
pub struct Applied<T>(Result<T, KeyErrorKind>);

impl<T: KeyPart> Arg for Applied<T> {
    #[inline]
    fn put(&self, out: &mut KeyBuf) {
        match &self.0 {
            Ok(value) => build_part(value, out),
            Err(kind) => out.fail(*kind),
        }
    }
}

/// Takes the result of a function of the user's.
pub fn apply<T: KeyPart>(value: T) -> Applied<T> {
    Applied(Ok(value))
}

/// What a function of the user's writes.
pub const fn shape_of<T: ?Sized, R: KeyPart>(_: fn(&T) -> R) -> Shape {
    R::SHAPE
}

/// The text of a part, as it would stand in a key that takes any text.
fn raw(part: &impl Arg) -> Result<String, KeyErrorKind> {
    let mut out = KeyBuf::new("", 0, String::new());
    out.part = Part::new("", Shape::Rest);
    part.put(&mut out);
    match out.error.map(|error| error.kind()) {
        // What comes out of the function is looked at again.
        None | Some(KeyErrorKind::Reserved) => Ok(out.text),
        Some(kind) => Err(kind),
    }
}

/// `|lower`: the text in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lower(String);

/// `|upper`: the text in upper case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upper(String);

macro_rules! cased {
    ($($type:ident),*) => {$(
        impl KeyPart for $type {
            const SHAPE: Shape = Shape::Text;
            const TRUSTED: bool = true;

            fn encode(&self, out: &mut KeyBuf) {
                out.text(&self.0);
            }

            fn decode(text: &str) -> Option<Self> {
                Some(Self(text.to_owned()))
            }
        }
    )*};
}

cased!(Lower, Upper);

/// `|lower`
pub fn lower(part: &impl Arg) -> Applied<Lower> {
    Applied(raw(part).map(|text| Lower(text.to_lowercase())))
}

/// `|upper`
pub fn upper(part: &impl Arg) -> Applied<Upper> {
    Applied(raw(part).map(|text| Upper(text.to_uppercase())))
}

/// `|sha256`: the SHA-256 of the text, as 64 lower-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sha256(String);

impl KeyPart for Sha256 {
    const SHAPE: Shape = Shape::Fixed(&[run(HEX, 64)]);

    fn encode(&self, out: &mut KeyBuf) {
        out.fixed(&self.0);
    }

    fn decode(text: &str) -> Option<Self> {
        Some(Self(text.to_owned()))
    }
}

/// `|sha256`
pub fn sha256(part: &impl Arg) -> Applied<Sha256> {
    Applied(raw(part).map(|text| Sha256(hex_of(&text))))
}

/// The SHA-256 of a text, as 64 lower-case hex digits.
pub(crate) fn hex_of(text: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut hex = String::with_capacity(64);
    for byte in sha2::Sha256::digest(text) {
        hex.push(char::from(DIGITS[usize::from(byte >> 4)]));
        hex.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    hex
}

/// `|shard(N)`: one of N buckets by the hash of the text, from zero, padded to the width of the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard<const N: u16>(u16);

impl<const N: u16> KeyPart for Shard<N> {
    const SHAPE: Shape = Shape::Digits(match N {
        0..=10 => 1,
        11..=100 => 2,
        101..=1000 => 3,
        1001..=10000 => 4,
        _ => 5,
    });
    const TRUSTED: bool = true;

    fn encode(&self, out: &mut KeyBuf) {
        out.number(self.0);
    }

    fn decode(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }
}

/// `|shard(N)`. The hash is FNV-1a of 64 bits, folded: stored keys depend on it, so it never changes.
pub fn shard<const N: u16>(part: &impl Arg) -> Applied<Shard<N>> {
    Applied(raw(part).map(|text| {
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let bucket = (hash ^ (hash >> 32)) % u64::from(N.max(1));
        // Less than `N`, which is a `u16`.
        Shard(u16::try_from(bucket).unwrap_or_default())
    }))
}

/// All buckets of `|shard(N)`, in order.
pub fn shards<const N: u16>() -> impl Iterator<Item = Applied<Shard<N>>> {
    (0..N.max(1)).map(|bucket| Applied(Ok(Shard(bucket))))
}
