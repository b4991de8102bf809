//! What fields are compared with: values of their own type.

use crate::codec::{EncodeError, to_value};
use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use std::borrow::Cow;
use std::sync::Arc;

/// What can be given where a value of a field of type `T` is expected: a `T`, a `&T`, `&str` for text, and for an `Option` what it
/// holds.
#[diagnostic::on_unimplemented(
    message = "expected a `{T}`, found `{Self}`",
    label = "this field holds `{T}`",
    note = "a field takes a value of its own type or a reference to one; text takes `&str`, and an `Option` what is in it"
)]
pub trait Operand<T> {
    /// The value as the field stores it.
    #[doc(hidden)]
    fn encode(self, encoding: Encoding<T>) -> Result<AttributeValue, EncodeError>;
}

impl<T> Operand<T> for T {
    fn encode(self, encoding: Encoding<T>) -> Result<AttributeValue, EncodeError> {
        encoding.write(&self)
    }
}

impl<T> Operand<T> for &T {
    fn encode(self, encoding: Encoding<T>) -> Result<AttributeValue, EncodeError> {
        encoding.write(self)
    }
}

impl<T> Operand<Option<T>> for T {
    fn encode(self, encoding: Encoding<Option<T>>) -> Result<AttributeValue, EncodeError> {
        encoding.write(&Some(self))
    }
}

impl<T: Clone> Operand<Option<T>> for &T {
    fn encode(self, encoding: Encoding<Option<T>>) -> Result<AttributeValue, EncodeError> {
        encoding.write(&Some(self.clone()))
    }
}

macro_rules! text {
    ($($type:ty),*) => {$(
        impl Operand<$type> for &str {
            fn encode(self, encoding: Encoding<$type>) -> Result<AttributeValue, EncodeError> {
                if encoding.plain {
                    Ok(AttributeValue::S(self.to_owned()))
                } else {
                    encoding.write(&self.to_owned().into())
                }
            }
        }

        impl IntoField<$type> for &str {
            fn into_field(self) -> $type {
                self.to_owned().into()
            }
        }

        impl IntoField<Option<$type>> for &str {
            fn into_field(self) -> Option<$type> {
                Some(self.to_owned().into())
            }
        }

        impl Operand<Option<$type>> for &str {
            fn encode(self, encoding: Encoding<Option<$type>>) -> Result<AttributeValue, EncodeError> {
                if encoding.plain {
                    Ok(AttributeValue::S(self.to_owned()))
                } else {
                    encoding.write(&Some(self.to_owned().into()))
                }
            }
        }
    )*};
}

text!(String, Box<str>, Arc<str>, Cow<'static, str>);

/// What can be given where a field of type `T` is set with others of its index: a `T`, a `&T`, `&str` for text, and for an `Option`
/// what it holds.
#[diagnostic::on_unimplemented(
    message = "expected a `{T}`, found `{Self}`",
    label = "this field holds `{T}`",
    note = "a field takes a value of its own type or a reference to one; text takes `&str`, and an `Option` what is in it"
)]
pub trait IntoField<T> {
    /// The value of the field.
    #[doc(hidden)]
    fn into_field(self) -> T;
}

impl<T> IntoField<T> for T {
    fn into_field(self) -> T {
        self
    }
}

impl<T: Clone> IntoField<T> for &T {
    fn into_field(self) -> T {
        self.clone()
    }
}

impl<T> IntoField<Option<T>> for T {
    fn into_field(self) -> Option<T> {
        Some(self)
    }
}

/// How a field stores its values: as their type serializes, or by the function of `#[serde(with = "..")]`.
pub struct Encoding<T> {
    write: fn(&T) -> Result<AttributeValue, EncodeError>,
    /// Whether it is the type's own `Serialize`.
    plain: bool,
}

impl<T> Encoding<T> {
    pub(crate) const fn plain() -> Self
    where
        T: Serialize,
    {
        Self {
            write: to_value::<T>,
            plain: true,
        }
    }

    pub(super) const fn with(write: fn(&T) -> Result<AttributeValue, EncodeError>) -> Self {
        Self {
            write,
            plain: false,
        }
    }

    pub(crate) fn write(self, value: &T) -> Result<AttributeValue, EncodeError> {
        (self.write)(value)
    }
}

impl<T> Clone for Encoding<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Encoding<T> {}

impl<T> std::fmt::Debug for Encoding<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Encoding")
    }
}
