//! Numbers as DynamoDB stores them: decimal, up to 38 digits, of limited magnitude.

use aws_sdk_dynamodb::types::AttributeValue;

use super::error::{EncodeError, kind};
use crate::number::{MAX_DIGITS, Number};

/// A newtype struct of this name marks the text inside it as a number: serde has none wide enough.
pub(super) const NUMBER: &str = "\0dyna::number";

/// A number, unless it has more digits than DynamoDB keeps.
pub(super) fn within_digits(number: String) -> Result<AttributeValue, EncodeError> {
    let Some(parsed) = Number::parse(&number) else {
        return Ok(AttributeValue::N(number));
    };
    let significant = parsed.significant();
    if significant > usize::from(MAX_DIGITS) {
        return Err(EncodeError::new(format!(
            "expected a number of at most {MAX_DIGITS} digits, found {significant}"
        )));
    }
    if !parsed.is_storable() {
        return Err(out_of_range());
    }
    Ok(AttributeValue::N(number))
}

/// Whether DynamoDB stores a float: its magnitude is zero, or from 1E-130 to below 1E+126.
#[inline]
pub(super) fn is_in_range(float: f64) -> bool {
    float == 0.0 || (1e-130..1e126).contains(&float.abs())
}

/// Fails for a float that DynamoDB does not store.
pub(super) fn in_range(float: f64) -> Result<(), EncodeError> {
    if is_in_range(float) {
        Ok(())
    } else if float.is_finite() {
        Err(out_of_range())
    } else {
        Err(EncodeError::new(
            "expected a finite number, found NaN or infinity",
        ))
    }
}

#[cold]
fn out_of_range() -> EncodeError {
    EncodeError::new(
        "expected zero or a number between 1E-130 and 9.99E+125, positive or negative, found another",
    )
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
