//! The functions of templates: `|lower`, `|upper`, `|trim`, `|sha256`, `|shard(16)` and those of the user.

use super::build::{ANY_TEXT, MAX_PK, fits};
use super::{Cut, KeyArg, KeyBuf, KeyErrorKind, KeyPart, build_part};
use crate::shape::{HEX, Shape, run};
use sha2::Digest;
use std::cell::Cell;
use std::marker::PhantomData;

/// The result of a function of the user's, as a part of a key.
#[derive(Debug)]
pub struct Applied<T>(T);

impl<T: FunctionResult> KeyArg for Applied<T> {
    #[inline]
    fn put(&self, out: &mut KeyBuf) {
        match self.0.part() {
            Some(part) => build_part(part, out),
            None => out.fail(KeyErrorKind::NotIndexed),
        }
    }

    #[inline]
    fn is_absent(&self) -> bool {
        self.0.part().is_none()
    }
}

/// The result of a function of an index template: a key part, or an `Option` of one. `None` leaves the item out of the index.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of a DynamoDB key",
    label = "used in a key template, but has no key encoding",
    note = "in a key: text, `u8` to `u128` (`u64` for a `usize`), and your own newtypes and fieldless enums with `#[derive(KeyPart)]`",
    note = "with a feature of `dyna-runtime`: `Uuid` (feature `uuid`), `Ulid` (`ulid`), dates and times (`jiff`, `chrono`, `time`)",
    note = "not in a text key: floats (no text form that sorts), signed integers (wrap them: `Ordered<i64>`), `bool` (use an enum)"
)]
pub trait FunctionResult {
    /// The part that is written to the key.
    type Part: KeyPart;

    /// The part, if there is one.
    fn part(&self) -> Option<&Self::Part>;
}

impl<T: KeyPart> FunctionResult for T {
    type Part = T;

    #[inline]
    fn part(&self) -> Option<&T> {
        Some(self)
    }
}

impl<T: KeyPart> FunctionResult for Option<T> {
    type Part = T;

    #[inline]
    fn part(&self) -> Option<&T> {
        self.as_ref()
    }
}

/// Takes the result of a function of the user's.
pub fn apply<T: FunctionResult>(value: T) -> Applied<T> {
    Applied(value)
}

/// The shape of a user's function in an index key.
pub const fn shape_of<T: ?Sized, R: FunctionResult>(_: fn(&T) -> R) -> Shape {
    R::Part::SHAPE
}

/// The shape of a user's function in a primary key, which always has a value.
pub const fn shape_of_part<T: ?Sized, R: KeyPart>(_: fn(&T) -> R) -> Shape {
    R::SHAPE
}

/// The result of a function in an index that holds every item, because a field is stored there alone: a key part.
#[diagnostic::on_unimplemented(
    message = "`{Self}` leaves items out of this index, and a field is stored in its key alone",
    label = "a function of this template gives an `Option`",
    note = "make the `key_only` field of this index an `Option`, or remove its `key_only`"
)]
pub trait CertainResult: FunctionResult {}

#[diagnostic::do_not_recommend]
impl<T: KeyPart> CertainResult for T {}

/// The shape of the result of a user's function in the key of an index that holds every item.
pub const fn shape_of_certain<T: ?Sized, R: CertainResult>(_: fn(&T) -> R) -> Shape {
    <R::Part as KeyPart>::SHAPE
}

/// The argument of a query for a function of several fields: its result, as any value of the same text.
#[diagnostic::on_unimplemented(
    message = "expected the result of the template function, found `{Self}`",
    label = "a function of several fields is queried by its result: text, or a `KeyPart`"
)]
pub trait FunctionValue {
    /// Writes it.
    #[doc(hidden)]
    fn put(&self, out: &mut KeyBuf);
}

impl<T: KeyPart> FunctionValue for T {
    fn put(&self, out: &mut KeyBuf) {
        build_part(self, out);
    }
}

macro_rules! function_texts {
    ($($text:ty),*) => {$(
        impl FunctionValue for $text {
            fn put(&self, out: &mut KeyBuf) {
                out.text(self);
            }
        }
    )*};
}

function_texts!(&str, &String);

/// The result of a function, given by a caller.
#[derive(Debug)]
pub struct Claimed<'a, A>(&'a A);

impl<A: FunctionValue> KeyArg for Claimed<'_, A> {
    fn put(&self, out: &mut KeyBuf) {
        let start = out.text.len();
        self.0.put(out);
        // The function never gives a text of another shape.
        if !out.measuring && !fits(out, start) {
            out.fail(KeyErrorKind::TemplateMismatch);
        }
    }
}

/// Takes the result of a function from a caller.
pub fn function_value<A: FunctionValue>(argument: &A) -> Claimed<'_, A> {
    Claimed(argument)
}

/// A function of ours.
pub trait Function {
    /// The shape of its result.
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

impl<F: Function, A: KeyArg> KeyArg for Of<F, A> {
    fn put(&self, out: &mut KeyBuf) {
        if out.measuring {
            // As long as what it makes of it, if that is ASCII; of a fixed length, it is not asked for.
            return self.0.put(out);
        }
        // The argument as it would stand in a key that takes any text.
        let mut raw = KeyBuf::new(0, SCRATCH.take());
        raw.text.clear();
        raw.cut = out.cut;
        raw.put(Some(ANY_TEXT), &self.0);
        raw.write_by::<F>(out);
        if raw.text.capacity() <= MAX_PK {
            SCRATCH.set(raw.text);
        }
    }
}

impl KeyBuf {
    /// Writes what a function makes of the text, unless that was refused. What comes out of the function is looked at again.
    fn write_by<F: Function>(&mut self, out: &mut KeyBuf) {
        match self.error {
            None | Some((_, KeyErrorKind::ReservedCharacter)) => F::write(&mut self.text, out),
            Some((_, kind)) => out.fail(kind),
        }
    }
}

/// Applies a function of ours.
#[inline]
pub fn of<F: Function, A: KeyArg>(part: A) -> Of<F, A> {
    Of(part, PhantomData)
}

/// A function of ours after another: `|trim|lower`.
#[derive(Debug)]
pub struct Then<F, G>(PhantomData<fn(F) -> G>);

impl<F: Function, G: Function> Function for Then<F, G> {
    const SHAPE: Shape = G::SHAPE;

    fn write(text: &mut String, out: &mut KeyBuf) {
        let mut between = KeyBuf::new(0, String::new());
        between.part = ANY_TEXT;
        between.cut = out.cut;
        F::write(text, &mut between);
        between.write_by::<G>(out);
    }
}

/// The text of a part, for a function of the user's that comes after one of ours.
pub fn text_of(part: impl KeyArg) -> String {
    let mut out = KeyBuf::new(0, String::new());
    out.put(Some(ANY_TEXT), &part);
    out.text
}

/// `|trim`: the text without white space around it.
#[derive(Debug)]
pub enum Trim {}

impl Function for Trim {
    const SHAPE: Shape = Shape::Text;

    fn write(text: &mut String, out: &mut KeyBuf) {
        // White space at the end of a prefix may stand in the middle of a text.
        let trimmed = if out.cut.is_some() {
            text.trim_start()
        } else {
            text.trim()
        };
        out.text(trimmed);
    }
}

/// `|trim`
#[inline]
pub fn trim<A: KeyArg>(part: A) -> Of<Trim, A> {
    Of(part, PhantomData)
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
            lower_beyond_ascii(text, out);
        }
    }
}

#[inline(never)]
fn lower_beyond_ascii(text: &mut String, out: &mut KeyBuf) {
    if out.cut != Some(Cut::WordGoesOn) {
        out.text(&text.to_lowercase());
        return;
    }
    // Any letter stands for the rest of the word.
    text.push('a');
    let lower = text.to_lowercase();
    out.text(lower.strip_suffix('a').unwrap_or(&lower));
}

/// `|lower`
#[inline]
pub fn lower<A: KeyArg>(part: A) -> Of<Lower, A> {
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
pub fn upper<A: KeyArg>(part: A) -> Of<Upper, A> {
    Of(part, PhantomData)
}

/// `|sha256`: the SHA-256 of the text, as 64 lower-case hex digits.
#[derive(Debug)]
pub enum Sha256 {}

impl Function for Sha256 {
    const SHAPE: Shape = Shape::Fixed(&[run(HEX, 64)]);

    fn write(text: &mut String, out: &mut KeyBuf) {
        out.fixed(&hex_of(text));
    }
}

/// `|sha256`
#[inline]
pub fn sha256<A: KeyArg>(part: A) -> Of<Sha256, A> {
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
pub(crate) fn hex_of(text: &str) -> String {
    let mut digits = String::with_capacity(64);
    for byte in sha2::Sha256::digest(text) {
        digits.extend(HEX_PAIRS[usize::from(byte)].map(char::from));
    }
    digits
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

impl<const N: u16> KeyArg for Shard<N> {
    fn put(&self, out: &mut KeyBuf) {
        out.number(self.0);
    }
}

/// `|shard(N)`
#[inline]
pub fn shard<const N: u16>(part: impl KeyArg) -> Of<Shard<N>, impl KeyArg> {
    Of(part, PhantomData)
}

/// All buckets of `|shard(N)`, in order.
pub fn shards<const N: u16>() -> impl Iterator<Item = Shard<N>> {
    (0..N.max(1)).map(Shard)
}

/// The result of a function that `|shard(4, with = ..)` names.
#[diagnostic::on_unimplemented(
    message = "a function of `shard(.., with = ..)` returns the number of a bucket, not `{Self}`",
    label = "returns `u8`, `u16`, `u32`, `u64` or `usize`, from zero"
)]
pub trait BucketNumber {
    /// The number, if it is small enough for a bucket.
    fn bucket(self) -> Option<u16>;
}

macro_rules! bucket_number {
    ($($type:ty),*) => {$(
        impl BucketNumber for $type {
            fn bucket(self) -> Option<u16> {
                self.try_into().ok()
            }
        }
    )*};
}

bucket_number!(u8, u16, u32, u64, usize);

/// The bucket that a function of the user's returns, of N.
#[derive(Debug)]
pub struct Bucket<const N: u16>(Option<u16>);

impl<const N: u16> KeyArg for Bucket<N> {
    fn put(&self, out: &mut KeyBuf) {
        match self.0.filter(|bucket| *bucket < N) {
            Some(bucket) => out.number(bucket),
            None => out.fail(KeyErrorKind::NoSuchBucket { buckets: N }),
        }
    }
}

/// `|shard(N, with = ..)`
pub fn in_bucket<const N: u16>(bucket: impl BucketNumber) -> Bucket<N> {
    Bucket(bucket.bucket())
}
