//! Numbers as whole number keys: integers, floats, decimals.

use super::args::sealed::Token;
use super::{AsKeyPart, FinalRange, KeyBuf, KeyOf};
use crate::codec::number::StoredNumber;
use crate::schema::NumberKey as N;
use crate::shape::Shape;
#[cfg(feature = "rust_decimal")]
use rust_decimal::Decimal;
use std::str::FromStr;

/// The value of a stored number, in whichever form it was written: `7`, `7.0`, `7E0`.
fn read<T: FromStr>(text: &str) -> Option<T> {
    let parsed = text.parse().ok();
    parsed.or_else(|| StoredNumber::parse(text)?.to_string().parse().ok())
}

macro_rules! number_key {
    ($($type:ty),*: $value:ident, $out:ident => $write:expr, $read:expr) => {$(
        impl KeyOf<N> for $type {
            const SHAPE: Shape = Shape::Opaque;

            #[inline]
            fn put_part(&self, $out: &mut KeyBuf) {
                let $value = *self;
                $write
            }

            fn decode(text: &str) -> Option<Self> {
                $read(text)
            }
        }
    )*};
}

/// Numbers that are no part of a text, but whole number keys.
macro_rules! number_only {
    ($($type:ty),*: $value:ident, $out:ident => $write:expr, $read:expr) => {$(
        number_key!($type: $value, $out => $write, $read);

        impl FinalRange for $type {}

        #[diagnostic::do_not_recommend]
        impl AsKeyPart<$type> for $type {
            fn put(&self, out: &mut KeyBuf, _: Token) {
                <$type as KeyOf<N>>::put_part(self, out);
            }
        }

        #[diagnostic::do_not_recommend]
        impl AsKeyPart<$type> for &$type {
            fn put(&self, out: &mut KeyBuf, _: Token) {
                <$type as KeyOf<N>>::put_part(self, out);
            }
        }

        #[diagnostic::do_not_recommend]
        impl AsKeyPart<Option<$type>> for $type {
            fn put(&self, out: &mut KeyBuf, _: Token) {
                <$type as KeyOf<N>>::put_part(self, out);
            }
        }

        #[diagnostic::do_not_recommend]
        impl AsKeyPart<Option<$type>> for &$type {
            fn put(&self, out: &mut KeyBuf, _: Token) {
                <$type as KeyOf<N>>::put_part(self, out);
            }
        }
    )*};
}

number_key!(u8, u16, u32, u64, u128: value, out => out.number(value), read);
number_only!(i8, i16, i32, i64: value, out => out.signed(value.into()), read);
number_only!(i128: value, out => out.signed(value), read);
number_only!(f32, f64: value, out => out.decimal(&value.to_string()), read_float);
#[cfg(feature = "rust_decimal")]
number_only!(Decimal: value, out => out.decimal(&value.to_string()), crate::codec::decimal::exact);

/// A float is read from a number, and from nothing else that `FromStr` takes.
fn read_float<T: FromStr>(text: &str) -> Option<T> {
    StoredNumber::parse(text).and_then(|_| text.parse().ok())
}
