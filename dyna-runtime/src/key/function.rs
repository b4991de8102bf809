//! The functions of templates: `|sha256`, `|lower`, `|upper`, `|shard(16)` and those of the user.

use super::build::{ANY_TEXT, MAX_PK};
use super::{Arg, KeyBuf, KeyErrorKind, KeyPart, build_part};
use crate::shape::{HEX, Shape, run};
use sha2::Digest;
use std::cell::Cell;
use std::marker::PhantomData;

/// The result of a function of the user's, as a part of a key.
#[derive(Debug)]
pub struct Applied<T>(T);

impl<T: KeyPart> Arg for Applied<T> {
    #[inline]
    fn put(&self, out: &mut KeyBuf) {
        build_part(&self.0, out);
    }
}

/// Takes the result of a function of the user's.
pub fn apply<T: KeyPart>(value: T) -> Applied<T> {
    Applied(value)
}

/// What a function of the user's writes.
pub const fn shape_of<T: ?Sized, R: KeyPart>(_: fn(&T) -> R) -> Shape {
    R::SHAPE
}

/// A function of ours.
pub trait Function {
    /// What it writes.
    const SHAPE: Shape;

    /// Writes what it makes of a text.
    fn write(text: &mut String, out: &mut KeyBuf);
}

/// A function of ours, and what it is applied to.
#[derive(Debug)]
pub struct Of<F, A>(A, PhantomData<fn() -> F>);

thread_local! {
    /// Where the arguments of functions are written.
    static SCRATCH: Cell<String> = const { Cell::new(String::new()) };
}

impl<F: Function, A: Arg> Arg for Of<F, A> {
    fn put(&self, out: &mut KeyBuf) {
        if out.measuring {
            // As long as what it makes of it, if that is ASCII; of a fixed length, it is not asked for.
            return self.0.put(out);
        }
        // The argument as it would stand in a key that takes any text.
        let mut raw = KeyBuf::new(0, SCRATCH.take());
        raw.text.clear();
        raw.put(Some(ANY_TEXT), &self.0);
        match raw.error {
            // What comes out of the function is looked at again.
            None | Some((_, KeyErrorKind::ReservedCharacter)) => F::write(&mut raw.text, out),
            Some((_, kind)) => out.fail(kind),
        }
        if raw.text.capacity() <= MAX_PK {
            SCRATCH.set(raw.text);
        }
    }
}

/// `|lower`: the text in lower case.
#[derive(Debug)]
pub enum Lower {}

impl Function for Lower {
    const SHAPE: Shape = Shape::Text;

    fn write(text: &mut String, out: &mut KeyBuf) {
        if text.is_ascii() {
            text.make_ascii_lowercase();
            out.text(text);
        } else {
            out.text(&text.to_lowercase());
        }
    }
}

/// `|lower`
#[inline]
pub fn lower<A: Arg>(part: A) -> Of<Lower, A> {
    Of(part, PhantomData)
}

/// `|upper`: the text in upper case.
#[derive(Debug)]
pub enum Upper {}

impl Function for Upper {
    const SHAPE: Shape = Shape::Text;

    fn write(text: &mut String, out: &mut KeyBuf) {
        if text.is_ascii() {
            text.make_ascii_uppercase();
            out.text(text);
        } else {
            out.text(&text.to_uppercase());
        }
    }
}

/// `|upper`
#[inline]
pub fn upper<A: Arg>(part: A) -> Of<Upper, A> {
    Of(part, PhantomData)
}

/// `|sha256`: the SHA-256 of the text, as 64 lower-case hex digits.
#[derive(Debug)]
pub enum Sha256 {}

impl Function for Sha256 {
    const SHAPE: Shape = Shape::Fixed(&[run(HEX, 64)]);

    fn write(text: &mut String, out: &mut KeyBuf) {
        out.fixed(hex_of(text, &mut [0; 64]));
    }
}

/// `|sha256`
#[inline]
pub fn sha256<A: Arg>(part: A) -> Of<Sha256, A> {
    Of(part, PhantomData)
}

/// The two lower-case hex digits of each byte.
pub(super) const HEX_PAIRS: &[[u8; 2]; 256] = &{
    let digits = b"0123456789abcdef";
    let (mut pairs, mut byte) = ([[0; 2]; 256], 0);
    while byte < 256 {
        pairs[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    pairs
};

/// The SHA-256 of a text, as 64 lower-case hex digits.
pub(crate) fn hex_of<'d>(text: &str, digits: &'d mut [u8; 64]) -> &'d str {
    let hash = sha2::Sha256::digest(text);
    for (pair, byte) in digits.as_chunks_mut().0.iter_mut().zip(hash) {
        *pair = HEX_PAIRS[usize::from(byte)];
    }
    str::from_utf8(digits).unwrap_or_default()
}

/// `|shard(N)`: one of N buckets by the hash of the text, from zero, padded to the width of the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard<const N: u16>(u16);

impl<const N: u16> Function for Shard<N> {
    const SHAPE: Shape = Shape::Digits(match N {
        0..=10 => 1,
        11..=100 => 2,
        101..=1000 => 3,
        1001..=10000 => 4,
        _ => 5,
    });

    /// The hash is FNV-1a of 64 bits, folded: stored keys depend on it, so it never changes.
    fn write(text: &mut String, out: &mut KeyBuf) {
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        out.number((hash ^ (hash >> 32)) % u64::from(N.max(1)));
    }
}

impl<const N: u16> Arg for Shard<N> {
    fn put(&self, out: &mut KeyBuf) {
        out.number(self.0);
    }
}

/// `|shard(N)`
#[inline]
pub fn shard<const N: u16>(part: impl Arg) -> Of<Shard<N>, impl Arg> {
    Of(part, PhantomData)
}

/// All buckets of `|shard(N)`, in order.
pub fn shards<const N: u16>() -> impl Iterator<Item = Shard<N>> {
    (0..N.max(1)).map(Shard)
}
