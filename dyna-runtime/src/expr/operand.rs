//! Operands of comparisons: values of the field's own type.

use crate::codec::absences::compare_absent;
use crate::codec::missing::read_without;
use crate::codec::{DecodeError, EncodeError, ValueReader, ValueWriter, readback, stored};
use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::sync::Arc;

/// Values that a field of type `T` can be set to and compared with: a `T`, a `&T`, `&str` for text, and for an `Option` the value in it.
#[diagnostic::on_unimplemented(
    message = "expected a `{T}`, found `{Self}`",
    label = "this field holds `{T}`",
    note = "a field takes a value of its own type or a reference to one; text takes `&str`, and an `Option` what is in it"
)]
pub trait Operand<T> {
    /// The value as the field stores it: nothing, if it is `None`.
    #[doc(hidden)]
    fn encode(self, encoding: Encoding<T>) -> Encoded;
}

impl<T> Operand<T> for T {
    fn encode(self, encoding: Encoding<T>) -> Encoded {
        encoding.write(&self)
    }
}

impl<T> Operand<T> for &T {
    fn encode(self, encoding: Encoding<T>) -> Encoded {
        encoding.write(self)
    }
}

impl<T> Operand<Option<T>> for T {
    fn encode(self, encoding: Encoding<Option<T>>) -> Encoded {
        encoding.write(&Some(self))
    }
}

impl<T: Clone> Operand<Option<T>> for &T {
    fn encode(self, encoding: Encoding<Option<T>>) -> Encoded {
        encoding.write(&Some(self.clone()))
    }
}

macro_rules! text {
    ($($type:ty),*) => {$(
        impl Operand<$type> for &str {
            fn encode(self, encoding: Encoding<$type>) -> Encoded {
                if encoding.plain {
                    Ok(Some(AttributeValue::S(self.to_owned())))
                } else {
                    encoding.write(&self.to_owned().into())
                }
            }
        }

        impl IntoFieldValue<$type> for &str {
            fn into_field(self) -> $type {
                self.to_owned().into()
            }
        }

        impl IntoFieldValue<Option<$type>> for &str {
            fn into_field(self) -> Option<$type> {
                Some(self.to_owned().into())
            }
        }

        impl Operand<Option<$type>> for &str {
            fn encode(self, encoding: Encoding<Option<$type>>) -> Encoded {
                if encoding.plain {
                    Ok(Some(AttributeValue::S(self.to_owned())))
                } else {
                    encoding.write(&Some(self.to_owned().into()))
                }
            }
        }
    )*};
}

text!(String, Box<str>, Arc<str>, Cow<'static, str>);

/// Arguments for a field of type `T` that is set with others of its index: a `T`, a `&T`, `&str` for text, and for an `Option`
/// what it holds.
#[diagnostic::on_unimplemented(
    message = "expected a `{T}`, found `{Self}`",
    label = "this field holds `{T}`",
    note = "a field takes a value of its own type or a reference to one; text takes `&str`, and an `Option` what is in it"
)]
pub trait IntoFieldValue<T> {
    /// The value of the field.
    #[doc(hidden)]
    fn into_field(self) -> T;
}

impl<T> IntoFieldValue<T> for T {
    fn into_field(self) -> T {
        self
    }
}

impl<T: Clone> IntoFieldValue<T> for &T {
    fn into_field(self) -> T {
        self.clone()
    }
}

impl<T> IntoFieldValue<Option<T>> for T {
    fn into_field(self) -> Option<T> {
        Some(self)
    }
}

/// How a field stores its values: as their type serializes, or by the function of `#[serde(with = "..")]`.
pub struct Encoding<T> {
    write: fn(&T, ValueWriter) -> Encoded,
    /// Whether it is the type's own `Serialize`.
    plain: bool,
    writer: ValueWriter,
    /// How the field is read, where a value has to come back as it was.
    read: Option<Read<T>>,
    /// Whether a value that would not come back is refused.
    is_checked: bool,
}

/// Reads the value of a field.
type Read<T> = fn(ValueReader<'_, '_>) -> Result<T, DecodeError>;

/// A value as a field stores it: nothing, if it is `None`.
pub(crate) type Encoded = Result<Option<AttributeValue>, EncodeError>;

impl<T> Encoding<T> {
    pub(crate) const fn plain() -> Self
    where
        T: Serialize,
    {
        Self {
            write: T::serialize,
            plain: true,
            writer: ValueWriter::OMITTING,
            read: None,
            is_checked: false,
        }
    }

    /// The same, of a value that can also be read.
    pub(crate) const fn both() -> Self
    where
        T: Serialize + DeserializeOwned,
    {
        Self {
            read: Some(|reader| T::deserialize(reader)),
            ..Self::plain()
        }
    }

    pub(super) const fn with(write: fn(&T, ValueWriter) -> Encoded, read: Read<T>) -> Self {
        Self {
            write,
            plain: false,
            writer: ValueWriter::OMITTING,
            read: Some(read),
            is_checked: false,
        }
    }

    /// The same, but a value that would be read as another one is refused.
    pub(crate) const fn checked(mut self) -> Self {
        self.is_checked = true;
        self
    }

    /// The same, inside of an attribute of this encoding.
    pub(crate) const fn inside<U>(mut self, outer: Encoding<U>) -> Self {
        self.writer = outer.writer;
        self
    }

    /// The same, of an attribute that stores `None` as NULL if it is told to.
    pub(super) const fn storing_null(mut self, stores_null: bool) -> Self {
        self.writer = ValueWriter::new(stores_null);
        self
    }

    pub(crate) fn write(self, value: &T) -> Encoded {
        readback::forget();
        let written = (self.write)(value, self.writer)?;
        match (&written, self.read) {
            (Some(written), Some(read)) if self.is_checked && readback::peek().is_some() => {
                self.read_back(value, written, read)?;
            }
            _ => {}
        }
        Ok(written)
    }

    /// Reads what is to be stored of a value, and compares what is absent in both.
    #[cold]
    fn read_back(
        self,
        value: &T,
        written: &AttributeValue,
        read: Read<T>,
    ) -> Result<(), EncodeError> {
        let noted = readback::noted();
        let read = read_without(written.clone(), read).map_err(EncodeError::unreadable)?;
        let storing = ValueWriter::new(true);
        let (own, read) = ((self.write)(value, storing)?, (self.write)(&read, storing)?);
        readback::renote(noted);
        compare_absent(&stored(Ok(own))?, &stored(Ok(read))?)
    }

    /// Whether an absent value is stored as NULL.
    pub(crate) const fn stores_null(self) -> bool {
        self.writer.stores_null
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
