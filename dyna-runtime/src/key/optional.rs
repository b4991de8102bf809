//! `<field?>`: the field of an index template that writes nothing where it has no value.

use super::args::{LookupArg, lookup};
use super::{KeyArg, KeyBuf, KeyPart};
use crate::shape::Shape;

/// The type of a field in `<field?>`: an `Option`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` always has a value, so its placeholder has no `?`",
    label = "not an `Option`",
    note = "remove the `?`, or make the field an `Option`"
)]
pub trait OptionalPart {
    /// Only there to be named where the trait is required.
    #[doc(hidden)]
    const IS_OPTION: bool = true;
}

impl<T> OptionalPart for Option<T> {}

/// The shape of a part that may be empty.
pub const fn optional(_is_option: bool, shape: &'static Shape) -> Shape {
    Shape::Optional(shape)
}

/// A part of a key, or nothing. A value never is nothing: empty text is refused.
#[derive(Debug)]
pub struct OrEmpty<A>(Option<A>);

impl<A: KeyArg> KeyArg for OrEmpty<A> {
    #[inline]
    fn put(&self, out: &mut KeyBuf) {
        if let Some(part) = &self.0 {
            part.put(out);
        }
    }
}

/// Takes a part that may be missing.
#[inline]
pub fn or_empty<A: KeyArg>(part: Option<A>) -> OrEmpty<A> {
    OrEmpty(part)
}

/// Arguments for `<field?>` of a `T`: a `T`, a `&T`, an `Option` of either, and `&str` for text. `None` is for items
/// without a value.
#[diagnostic::on_unimplemented(
    message = "expected a `{T}` or an `Option<{T}>`, found `{Self}`",
    label = "this key field is an `Option<{T}>`"
)]
pub trait OptionalArg<T> {
    /// The value as a part of a key.
    #[doc(hidden)]
    type Arg<'a>: KeyArg
    where
        Self: 'a;

    /// The value, if there is one.
    #[doc(hidden)]
    fn maybe(&self) -> Option<Self::Arg<'_>>;
}

impl<T: KeyPart> OptionalArg<T> for T {
    type Arg<'a>
        = LookupArg<'a, T, T>
    where
        Self: 'a;

    fn maybe(&self) -> Option<LookupArg<'_, T, T>> {
        Some(lookup(self))
    }
}

impl<T: KeyPart> OptionalArg<T> for Option<T> {
    type Arg<'a>
        = LookupArg<'a, T, T>
    where
        Self: 'a;

    fn maybe(&self) -> Option<LookupArg<'_, T, T>> {
        self.as_ref().map(lookup)
    }
}

#[diagnostic::do_not_recommend]
impl<T: KeyPart> OptionalArg<T> for &T {
    type Arg<'a>
        = LookupArg<'a, T, T>
    where
        Self: 'a;

    fn maybe(&self) -> Option<LookupArg<'_, T, T>> {
        Some(lookup(*self))
    }
}

#[diagnostic::do_not_recommend]
impl<T: KeyPart> OptionalArg<T> for &Option<T> {
    type Arg<'a>
        = LookupArg<'a, T, T>
    where
        Self: 'a;

    fn maybe(&self) -> Option<LookupArg<'_, T, T>> {
        self.as_ref().map(lookup)
    }
}

impl<'s> OptionalArg<String> for &'s str {
    type Arg<'a>
        = LookupArg<'a, String, &'s str>
    where
        Self: 'a;

    fn maybe(&self) -> Option<LookupArg<'_, String, &'s str>> {
        Some(lookup(self))
    }
}

#[diagnostic::do_not_recommend]
impl<'s> OptionalArg<String> for Option<&'s str> {
    type Arg<'a>
        = LookupArg<'a, String, &'s str>
    where
        Self: 'a;

    fn maybe(&self) -> Option<LookupArg<'_, String, &'s str>> {
        self.as_ref().map(lookup)
    }
}
