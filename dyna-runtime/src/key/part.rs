//! `KeyPart` of the standard library's types, and which of them sort.

use super::{KeyBuf, KeyPart};
use crate::schema::{IndexSchema, KeyAttribute};
use crate::shape::{DIGIT, LayoutItem, Run, Shape, byte, run, same};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// Key parts of a fixed width whose text sorts as their values do, anywhere in the key.
///
/// Text does not: `"a" < "a!"`, but `"a#…" > "a!#…"`, because `!` sorts before `#`.
#[diagnostic::on_unimplemented(
    message = "no range over `{Self}` here: before the last field of a sort key, only fixed-width values have ranges",
    label = "needs a fixed width: a padded integer, a date, a `Ulid`, text with `:len=`",
    note = "text can be ranged over where it is the last placeholder of the sort key"
)]
pub trait SortableKeyPart: KeyPart {}

/// Key parts whose text sorts as their values do at the end of a key: the [`SortableKeyPart`]s and text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no order in a key, so there is no range over it",
    label = "text, integers, dates and ids have ranges; the words of an enum do not"
)]
pub trait FinalRange {}

/// Unsigned integers, and newtypes of them: what a width such as `<n:013>` can be given to.
#[diagnostic::on_unimplemented(
    message = "a width such as `:013`, and `:plain`, are for `u8`, `u16`, `u32`, `u64` and `u128`, not for `{Self}`",
    label = "`{Self}` is no unsigned integer",
    note = "for a `usize`, whose width differs between machines, use `u64`; for signed integers, `Ordered<i64>`, which needs no width",
    note = "for text of a fixed length, such as a timestamp kept as text, write `:len=24`"
)]
pub trait Padded: KeyPart {
    /// The digits of the largest value.
    const DIGITS: u16;
}

/// Text: what a fixed length such as `<at:len=24>`, or `<path..>`, can be given to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not text",
    label = "`:len=..`, `..` and `starts_with` are for text"
)]
pub trait TextPart: KeyPart {
    /// Only there to be named where the trait is required.
    #[doc(hidden)]
    const IS_TEXT: bool = true;
}

macro_rules! text {
    ($($type:ty),*) => {$(
        impl KeyPart for $type {
            const SHAPE: Shape = Shape::Text;
            const TRUSTED: bool = true;

            #[inline]
            fn encode(&self, out: &mut KeyBuf) {
                out.text(self);
            }

            fn decode(text: &str) -> Option<Self> {
                Some(text.to_owned().into())
            }
        }

        impl TextPart for $type {}
        impl FinalRange for $type {}
    )*};
}

text!(String, Box<str>, Arc<str>, Cow<'static, str>);

macro_rules! unsigned {
    ($($type:ty: $digits:literal),*) => {$(
        impl KeyPart for $type {
            const SHAPE: Shape = Shape::Number($digits);
            const TRUSTED: bool = true;

            #[inline]
            fn encode(&self, out: &mut KeyBuf) {
                out.number(*self);
            }

            fn decode(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }

        impl Padded for $type {
            const DIGITS: u16 = $digits;
        }

        impl SortableKeyPart for $type {}
        impl FinalRange for $type {}
    )*};
}

unsigned!(u8: 3, u16: 5, u32: 10, u64: 20, u128: 39);

/// A signed integer for keys: moved up so that the smallest value is zero, and
/// padded to its full width, its text sorts by value.
///
/// It is stored as the plain number everywhere else.
///
/// ```
/// use dyna_runtime::Ordered;
///
/// let below: Ordered<i64> = Ordered(-1);
/// assert!(below < Ordered(0));
/// ```
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Ordered<T>(pub T);

macro_rules! signed {
    ($($type:ty as $unsigned:ty: $digits:literal),*) => {$(
        impl KeyPart for Ordered<$type> {
            const SHAPE: Shape = Shape::Digits($digits);
            const TRUSTED: bool = true;

            #[inline]
            fn encode(&self, out: &mut KeyBuf) {
                out.number(self.0.cast_unsigned() ^ <$type>::MIN.cast_unsigned());
            }

            fn decode(text: &str) -> Option<Self> {
                let moved: $unsigned = text.parse().ok()?;
                Some(Self((moved ^ <$type>::MIN.cast_unsigned()).cast_signed()))
            }
        }

        impl SortableKeyPart for Ordered<$type> {}
        impl FinalRange for Ordered<$type> {}
    )*};
}

signed!(i8 as u8: 3, i16 as u16: 5, i32 as u32: 10, i64 as u64: 20, i128 as u128: 39);

/// The shape of a number that its template gives a width.
pub const fn padded(_digits: u16, width: u16) -> Shape {
    Shape::Digits(width)
}

/// The shape of a number that its template does not pad: `<n:plain>`.
pub const fn plain(digits: u16) -> Shape {
    Shape::Number(digits)
}

/// The shape of text that its template gives a length.
pub const fn sized(_is_text: bool, length: u16) -> Shape {
    Shape::Sized(length)
}

/// The shape of a field that is a whole key. Text may contain the delimiter where the attribute is the field's own, and no key of another
/// entity or of a unique value, which `taken` may have, is stored in it.
pub const fn native(
    shape: Shape,
    field: &str,
    attributes: &[KeyAttribute],
    n: usize,
    taken: Option<&IndexSchema>,
) -> Shape {
    if n >= attributes.len() {
        return shape;
    }
    let attribute = attributes[n].name;
    let is_taken = matches!(taken, Some(key) if key.has_key(attribute));
    match shape {
        Shape::Text if same(attribute, field) && !is_taken => Shape::Rest,
        shape => shape,
    }
}

/// The shape of text that may contain the delimiter.
pub const fn rest(_is_text: bool) -> Shape {
    Shape::Rest
}

/// The shape of a date or a time that its template gives a layout.
///
/// # Panics
///
/// If the layout has a time of day and the type has none.
pub const fn date_shape(has_time: bool, layout: &[LayoutItem], runs: &'static [Run]) -> Shape {
    let mut at = 0;
    while at < layout.len() {
        assert!(
            has_time || !layout[at].is_time(),
            "a date has no time of day, so its layout has no %H, %M, %S or %3f"
        );
        at += 1;
    }
    Shape::Fixed(runs)
}

/// The bytes that a layout writes: each byte of a text is one run, the digits of a number are one.
///
/// # Panics
///
/// If there are not `N` of them.
pub const fn layout_runs<const N: usize>(layout: &[LayoutItem]) -> [Run; N] {
    let mut runs = [run(DIGIT, 0); N];
    let (mut at, mut next) = (0, 0);
    while at < layout.len() {
        if let LayoutItem::Literal(text) = layout[at] {
            let mut bytes = text.as_bytes();
            while let [first, rest @ ..] = bytes {
                runs[next] = byte(*first);
                (next, bytes) = (next + 1, rest);
            }
        } else {
            runs[next] = run(DIGIT, layout[at].width());
            next += 1;
        }
        at += 1;
    }
    assert!(next == N, "the layout has other runs");
    runs
}

/// The beginning of a text field: a `&str`, or any owner of text.
#[diagnostic::on_unimplemented(
    message = "expected the beginning of a text as `&str`, found `{Self}`",
    label = "this takes a `&str`, for a field of text"
)]
pub trait TextPrefix<T>: AsRef<str> {}
impl<T: TextPart> TextPrefix<T> for &str {}

macro_rules! text_prefix {
    ($($given:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: TextPart> TextPrefix<T> for $given {}
        #[diagnostic::do_not_recommend]
        impl<T: TextPart> TextPrefix<Option<T>> for $given {}
    )*};
}

#[diagnostic::do_not_recommend]
impl<T: TextPart> TextPrefix<Option<T>> for &str {}
text_prefix!(
    &&str,
    String,
    &String,
    Box<str>,
    &Box<str>,
    Arc<str>,
    &Arc<str>,
    Cow<'_, str>,
    &Cow<'_, str>
);
