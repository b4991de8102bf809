//! Arguments of key functions: values, references and `&str` for a key field, and tuples of them.

use super::{KeyBuf, KeyError, KeyPart, ParsedPart, build_part};
use crate::schema::{BinaryKey as B, NoSort, NumberKey as N, StringKey as S};
use crate::shape::Shape;
use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

/// Arguments for a key field of type `T`: a `T`, a `&T`, and for text any of `&str`, `String`, `Cow<str>`,
/// `Box<str>`, `Arc<str>` and references to them.
#[diagnostic::on_unimplemented(
    message = "expected a `{T}`, found `{Self}`",
    label = "this key field is a `{T}`"
)]
pub trait AsKeyPart<T> {
    /// Writes the value. The last argument is for this crate and its derives, so that no one goes around the checks of [`KeyPart`].
    #[doc(hidden)]
    fn put(&self, out: &mut KeyBuf, _: sealed::Token);
}

pub(super) mod sealed {
    /// Only this crate has one.
    #[derive(Debug, Clone, Copy)]
    pub struct Token(pub(super) ());
}

impl<T: KeyPart> AsKeyPart<T> for T {
    #[inline]
    fn put(&self, out: &mut KeyBuf, _: sealed::Token) {
        build_part(self, out);
    }
}

impl<T: KeyPart> AsKeyPart<T> for &T {
    #[inline]
    fn put(&self, out: &mut KeyBuf, _: sealed::Token) {
        build_part(*self, out);
    }
}

/// The items of iterators over references.
#[diagnostic::do_not_recommend]
impl<T: KeyPart> AsKeyPart<T> for &&T {
    #[inline]
    fn put(&self, out: &mut KeyBuf, _: sealed::Token) {
        build_part(**self, out);
    }
}

/// A field of a sparse index is looked up by its value.
#[diagnostic::do_not_recommend]
impl<T: KeyPart> AsKeyPart<Option<T>> for T {
    #[inline]
    fn put(&self, out: &mut KeyBuf, _: sealed::Token) {
        build_part(self, out);
    }
}

#[diagnostic::do_not_recommend]
impl<T: KeyPart> AsKeyPart<Option<T>> for &T {
    #[inline]
    fn put(&self, out: &mut KeyBuf, _: sealed::Token) {
        build_part(*self, out);
    }
}

#[diagnostic::do_not_recommend]
impl<T: KeyPart> AsKeyPart<Option<T>> for &&T {
    #[inline]
    fn put(&self, out: &mut KeyBuf, _: sealed::Token) {
        build_part(**self, out);
    }
}

/// The ends of `..`, which has none.
#[derive(Debug)]
pub enum Unbounded {}

#[diagnostic::do_not_recommend]
impl<T> AsKeyPart<T> for Unbounded {
    fn put(&self, _: &mut KeyBuf, _: sealed::Token) {
        match *self {}
    }
}

impl AsKeyPart<String> for &str {
    #[inline]
    fn put(&self, out: &mut KeyBuf, _: sealed::Token) {
        out.text(self);
    }
}

macro_rules! as_text {
    ($($type:ty: $($lookup:ty),*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl AsKeyPart<$type> for $lookup {
            #[inline]
            fn put(&self, out: &mut KeyBuf, _: sealed::Token) {
                out.text(self);
            }
        }

        as_text!(optional $type: $lookup);
    )*)*};
    (optional $type:ty: $lookup:ty) => {
        #[diagnostic::do_not_recommend]
        impl AsKeyPart<Option<$type>> for $lookup {
            #[inline]
            fn put(&self, out: &mut KeyBuf, _: sealed::Token) {
                out.text(self);
            }
        }

        #[diagnostic::do_not_recommend]
        impl AsNativeValue<$type> for $lookup {
            fn value(&self) -> NativeValue<'_, $type> {
                let text: &str = self;
                NativeValue::Owned(text.to_owned().into())
            }
        }
    };
}

as_text!(optional String: &str);
// The types themselves, and references to them, are taken as every key part is.
as_text! {
    String: &&str, Box<str>, &Box<str>, Arc<str>, &Arc<str>, Cow<'_, str>, &Cow<'_, str>;
    Box<str>: &str, &&str, String, &String, Arc<str>, &Arc<str>, Cow<'_, str>, &Cow<'_, str>;
    Arc<str>: &str, &&str, String, &String, Box<str>, &Box<str>, Cow<'_, str>, &Cow<'_, str>;
    Cow<'static, str>: &str, &&str, String, &String, Box<str>, &Box<str>, Arc<str>, &Arc<str>;
}

/// Types that can be a whole key attribute of kind `K`: any [`KeyPart`] of a string key, a number of a
/// number key, bytes of a binary key.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of a DynamoDB key",
    label = "used in the template of a `{K}`",
    note = "in a key: text, `u8` to `u128` (`u64` for a `usize`), and your own newtypes and fieldless enums with `#[derive(KeyPart)]`",
    note = "with a feature of `dyna-runtime`: `Uuid` (feature `uuid`), `Ulid` (`ulid`), dates and times (`jiff`, `chrono`, `time`)",
    note = "not in a text key: floats (no text form that sorts), signed integers (wrap them: `Ordered<i64>`), `bool` (use an enum), `Option` (only in an index)",
    note = "a `NumberKey` holds one number and a `BinaryKey` one `Vec<u8>`: their template is exactly `<field>`"
)]
pub trait KeyOf<K>: Sized {
    /// The texts of the key.
    const SHAPE: Shape;

    /// The field of an entity as a part of its key.
    #[doc(hidden)]
    #[inline]
    fn own(&self) -> StoredArg<'_, Self> {
        StoredArg(self, Self::put_part)
    }

    /// The value of a placeholder of a stored key.
    #[doc(hidden)]
    fn read(found: ParsedPart<'_>) -> Result<Self, KeyError> {
        found
            .text
            .and_then(Self::decode)
            .ok_or_else(|| found.foreign())
    }

    /// Writes the value.
    #[doc(hidden)]
    fn put_part(&self, out: &mut KeyBuf);

    /// The value that was written as `text`.
    #[doc(hidden)]
    fn decode(text: &str) -> Option<Self>;
}

impl<T: KeyPart> KeyOf<S> for T {
    const SHAPE: Shape = T::SHAPE;

    #[inline]
    fn put_part(&self, out: &mut KeyBuf) {
        build_part(self, out);
    }

    fn decode(text: &str) -> Option<Self> {
        T::decode(text)
    }
}

impl KeyOf<B> for Vec<u8> {
    const SHAPE: Shape = Shape::Opaque;

    fn put_part(&self, out: &mut KeyBuf) {
        out.binary(self);
    }

    /// Bytes have no text form to read them from.
    fn decode(_: &str) -> Option<Self> {
        None
    }
}

/// A sort key that is not there is refused with a message of its own, so it takes anything here.
impl<T> KeyOf<NoSort> for T {
    const SHAPE: Shape = Shape::Opaque;

    fn put_part(&self, _: &mut KeyBuf) {}

    fn decode(_: &str) -> Option<Self> {
        None
    }
}

impl<T> IndexOf<NoSort> for T {
    type Part = T;

    fn own(&self) -> Option<StoredArg<'_, T>> {
        None
    }
}

macro_rules! as_bytes {
    ($($type:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl AsKeyPart<Vec<u8>> for $type {
            fn put(&self, out: &mut KeyBuf, _: sealed::Token) {
                out.binary(self);
            }
        }
    )*};
}

as_bytes!(Vec<u8>, &Vec<u8>);

impl AsKeyPart<Vec<u8>> for &[u8] {
    fn put(&self, out: &mut KeyBuf, _: sealed::Token) {
        out.binary(self);
    }
}

/// Types that are allowed in an index template: those of any key, or an `Option` of one. `None` leaves the
/// item out of the index: the index is sparse.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of a DynamoDB key",
    label = "used in the template of a `{K}`",
    note = "in a key: text, `u8` to `u128` (`u64` for a `usize`), and your own newtypes and fieldless enums with `#[derive(KeyPart)]`",
    note = "with a feature of `dyna-runtime`: `Uuid` (feature `uuid`), `Ulid` (`ulid`), dates and times (`jiff`, `chrono`, `time`)",
    note = "not in a text key: floats (no text form that sorts), signed integers (wrap them: `Ordered<i64>`), `bool` (use an enum), `Option` (only in an index)",
    note = "a `NumberKey` holds one number and a `BinaryKey` one `Vec<u8>`: their template is exactly `<field>`"
)]
pub trait IndexOf<K> {
    /// The type without the `Option`.
    type Part: KeyOf<K>;

    /// The texts of the key.
    const SHAPE: Shape = <Self::Part as KeyOf<K>>::SHAPE;

    /// Whether it is an `Option`, so that an item may not be in the index.
    #[doc(hidden)]
    const IS_OPTION: bool = false;

    /// The field of an entity as a part of an index key, if it has a value.
    #[doc(hidden)]
    fn own(&self) -> Option<StoredArg<'_, Self::Part>>;
}

macro_rules! index_of {
    ($($kind:ty),*) => {$(
        impl<T: KeyOf<$kind>> IndexOf<$kind> for T {
            type Part = T;

            #[inline]
            fn own(&self) -> Option<StoredArg<'_, T>> {
                Some(KeyOf::own(self))
            }
        }

        impl<T: KeyOf<$kind>> IndexOf<$kind> for Option<T> {
            type Part = T;
            const IS_OPTION: bool = true;

            #[inline]
            fn own(&self) -> Option<StoredArg<'_, T>> {
                self.as_ref().map(KeyOf::own)
            }
        }
    )*};
}

index_of!(S, N, B);

/// Arguments for a template function that takes a `T`: a `T`, a `&T`, and `&str` for text.
#[diagnostic::on_unimplemented(
    message = "expected a `{T}`, found `{Self}`",
    label = "the template function takes a `{T}`"
)]
pub trait AsNativeValue<T> {
    /// The value.
    #[doc(hidden)]
    fn value(&self) -> NativeValue<'_, T>;
}

impl<T> AsNativeValue<T> for T {
    fn value(&self) -> NativeValue<'_, T> {
        NativeValue::Borrowed(self)
    }
}

impl<T> AsNativeValue<T> for &T {
    fn value(&self) -> NativeValue<'_, T> {
        NativeValue::Borrowed(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T> AsNativeValue<T> for &&T {
    fn value(&self) -> NativeValue<'_, T> {
        NativeValue::Borrowed(self)
    }
}

/// A value that is lent, or was made from a `&str`.
#[derive(Debug)]
pub enum NativeValue<'a, T> {
    /// Lent.
    Borrowed(&'a T),
    /// Made.
    Owned(T),
}

impl<T> std::ops::Deref for NativeValue<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Borrowed(value) => value,
            Self::Owned(value) => value,
        }
    }
}

/// Something that writes itself as a part of a key.
pub trait KeyArg {
    /// Writes it.
    fn put(&self, out: &mut KeyBuf);

    /// Whether it leaves its item out of the index.
    #[inline]
    fn is_absent(&self) -> bool {
        false
    }
}

impl<A: KeyArg> KeyArg for &A {
    #[inline]
    fn put(&self, out: &mut KeyBuf) {
        (**self).put(out);
    }
}

/// An argument of a key builder.
#[derive(Debug)]
pub struct LookupArg<'a, T, A>(&'a A, PhantomData<fn() -> T>);

/// Takes an argument for a key field of type `T`.
#[inline]
pub fn lookup<T, A: AsKeyPart<T>>(argument: &A) -> LookupArg<'_, T, A> {
    LookupArg(argument, PhantomData)
}

impl<T, A: AsKeyPart<T>> KeyArg for LookupArg<'_, T, A> {
    #[inline]
    fn put(&self, out: &mut KeyBuf) {
        self.0.put(out, sealed::Token(()));
    }
}

/// A field of an entity, as a part of its key, with how it is written: whoever takes it needs nothing of the type.
#[derive(Debug)]
pub struct StoredArg<'a, T>(&'a T, fn(&T, &mut KeyBuf));

impl<T> KeyArg for StoredArg<'_, T> {
    #[inline]
    fn put(&self, out: &mut KeyBuf) {
        (self.1)(self.0, out);
    }
}

/// The values of a template's placeholders, in order.
pub trait Parts {
    /// Shows each value, with its number, to a pass over the key.
    #[doc(hidden)]
    fn each(&self, pass: &mut impl PartVisitor);
}

/// One pass over the values of a key: to measure it, or to write it.
pub trait PartVisitor {
    /// Takes the value of placeholder `n`.
    fn part(&mut self, n: usize, value: &impl KeyArg);
}

/// The values of an index template's placeholders: all of them, or the item is not in the index.
pub trait IndexParts {
    /// The values, when there are.
    type Parts: Parts;

    /// All values, or none.
    fn all(self) -> Option<Self::Parts>;
}

macro_rules! parts {
    ($($name:ident $n:tt),*) => {
        impl<$($name: KeyArg),*> Parts for ($($name,)*) {
            #[inline(always)]
            fn each(&self, pass: &mut impl PartVisitor) {
                let _ = &pass;
                $(pass.part($n, &self.$n);)*
            }
        }

        impl<$($name: KeyArg),*> IndexParts for ($(Option<$name>,)*) {
            type Parts = ($($name,)*);

            #[inline]
            fn all(self) -> Option<Self::Parts> {
                Some(($({
                    let part = self.$n?;
                    if part.is_absent() {
                        return None;
                    }
                    part
                },)*))
            }
        }
    };
}

parts!();
parts!(T0 0);
parts!(T0 0, T1 1);
parts!(T0 0, T1 1, T2 2);
parts!(T0 0, T1 1, T2 2, T3 3);
parts!(T0 0, T1 1, T2 2, T3 3, T4 4);
parts!(T0 0, T1 1, T2 2, T3 3, T4 4, T5 5);
parts!(T0 0, T1 1, T2 2, T3 3, T4 4, T5 5, T6 6);
parts!(T0 0, T1 1, T2 2, T3 3, T4 4, T5 5, T6 6, T7 7);
