//! Numbers that DynamoDB adds up.

use crate::codec::{EncodeError, kind};
use aws_sdk_dynamodb::types::AttributeValue;

/// A type that is stored as a number. Implement it for one of your own that is.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` is not known to be a number",
    label = "`add` and `subtract` are for numbers",
    note = "implement `dyna_runtime::expr::Numeric` for a type of your own that is stored as a number"
)]
pub trait Numeric {}

macro_rules! numbers {
    ($($type:ty),*) => {$(impl Numeric for $type {})*};
}

numbers!(
    u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64
);

impl<T: Numeric> Numeric for Option<T> {}

#[cfg(feature = "rust_decimal")]
impl Numeric for rust_decimal::Decimal {}

/// The value, if it is a number.
pub(crate) fn checked(value: AttributeValue) -> Result<AttributeValue, EncodeError> {
    match value {
        AttributeValue::N(_) => Ok(value),
        AttributeValue::S(_) => Err(EncodeError::new(
            "is stored as text, and DynamoDB adds numbers: a `Decimal` is one with `#[serde(with = \"dyna_runtime::serde::decimal\")]`",
        )),
        other => Err(EncodeError::new(format!(
            "expected a number, found {}",
            kind(&other)
        ))),
    }
}

/// The number with its sign changed.
pub(crate) fn negated(value: AttributeValue) -> AttributeValue {
    match value {
        AttributeValue::N(number) => AttributeValue::N(match number.strip_prefix('-') {
            Some(positive) => positive.to_owned(),
            None => format!("-{number}"),
        }),
        other => other,
    }
}
