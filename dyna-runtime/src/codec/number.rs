//! Numbers that are handed over as text, because serde has no wider ones.

use aws_sdk_dynamodb::types::AttributeValue;

use super::error::{EncodeError, kind};
use crate::number::{MAX_DIGITS, Number};

/// A newtype struct of this name marks the text inside it as a number.
pub(super) const NUMBER: &str = "\0dyna::number";

/// A number, unless it has more digits than DynamoDB keeps.
pub(super) fn within_digits(number: String) -> Result<AttributeValue, EncodeError> {
    let significant = Number::parse(&number).map_or(0, |number| number.significant());
    if significant > usize::from(MAX_DIGITS) {
        return Err(EncodeError::new(format!(
            "expected a number of at most {MAX_DIGITS} digits, found {significant}"
        )));
    }
    Ok(AttributeValue::N(number))
}

/// The number that was handed over as text.
pub(super) fn of_text(text: AttributeValue) -> Result<AttributeValue, EncodeError> {
    match text {
        AttributeValue::S(text) if Number::parse(&text).is_some() => within_digits(text),
        other => Err(EncodeError::new(format!(
            "expected a number, found {}",
            kind(&other)
        ))),
    }
}
