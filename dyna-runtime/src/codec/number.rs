//! Numbers as DynamoDB has them: decimal, up to 38 digits, compared by value and never rounded.

use super::error::{EncodeError, kind};
use aws_sdk_dynamodb::types::AttributeValue;
use std::cmp::Ordering;
use std::fmt;

/// Digits of the longest number that DynamoDB stores.
pub(crate) const MAX_DIGITS: u16 = 38;

/// The value `0.digits × 10^exponent`, with a sign. There is one for each value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Number {
    negative: bool,
    exponent: i64,
    /// Neither the first nor the last is a zero; none for zero.
    digits: Vec<u8>,
}

impl Number {
    /// The number that is written so: `-12.5`, `1E+3`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (text, power) = match text.split_once(['e', 'E']) {
            Some((text, power)) => (text, power.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let negative = text.starts_with('-');
        let text = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let all = || whole.bytes().chain(fraction.bytes());
        if all().next().is_none() || !all().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let zeros = all().take_while(|digit| *digit == b'0').count();
        let mut digits: Vec<u8> = all().skip(zeros).collect();
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        if digits.is_empty() {
            return Some(Self {
                negative: false,
                exponent: 0,
                digits,
            });
        }
        let point = i64::try_from(whole.len()).ok()? - i64::try_from(zeros).ok()?;
        Some(Self {
            negative,
            exponent: power.checked_add(point)?,
            digits,
        })
    }

    /// How many digits it takes to write it, without the zeros around them.
    pub(crate) fn significant(&self) -> usize {
        self.digits.len()
    }

    /// Whether it has a part below one.
    pub(crate) fn has_fraction(&self) -> bool {
        i64::try_from(self.digits.len()).is_ok_and(|digits| digits > self.exponent)
    }

    /// Whether DynamoDB stores a number of this magnitude: zero, or 1E-130 to 9.99E+125.
    pub(crate) fn is_storable(&self) -> bool {
        self.digits.is_empty() || (-129..=126).contains(&self.exponent)
    }

    fn sign(&self) -> i8 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }
}

/// Exponents between which a number is written without one. DynamoDB stores none beyond.
const PLAIN: std::ops::RangeInclusive<i64> = -130..=130;

/// One text for each value: `0`, `-1.1`, `100`.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.digits.is_empty() {
            return f.write_str("0");
        }
        f.write_str(if self.negative { "-" } else { "" })?;
        let digits: String = self.digits.iter().copied().map(char::from).collect();
        if !PLAIN.contains(&self.exponent) {
            return write!(f, "0.{digits}E{}", self.exponent);
        }
        let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or_default());
        match usize::try_from(self.exponent) {
            Ok(whole) if whole > 0 => match digits.split_at_checked(whole) {
                Some((whole, "")) => f.write_str(whole),
                Some((whole, fraction)) => write!(f, "{whole}.{fraction}"),
                None => {
                    let missing = whole.saturating_sub(digits.len());
                    write!(f, "{digits}{}", "0".repeat(missing))
                }
            },
            _ => write!(f, "0.{}{digits}", zeros(-self.exponent)),
        }
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        let size = || (self.exponent, &self.digits).cmp(&(other.exponent, &other.digits));
        self.sign().cmp(&other.sign()).then_with(|| {
            if self.negative {
                size().reverse()
            } else {
                size()
            }
        })
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

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

#[cfg(test)]
mod tests {
    use super::Number;
    use proptest::prelude::*;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    #[test]
    fn each_value_has_one_form() {
        for texts in [
            &["0", "-0", "0.00", "0E9", "+0"][..],
            &["100", "1E2", "1e+2", "0100.0", "0.1E3"],
            &["-0.05", "-5E-2", "-.05", "-00.050"],
        ] {
            for text in texts {
                assert_eq!(number(text), number(texts[0]), "{text}");
            }
        }
    }

    #[test]
    fn each_value_has_one_text() {
        for (text, expected) in [
            ("0", "0"),
            ("-0.00", "0"),
            ("7", "7"),
            ("1.10", "1.1"),
            ("-1E2", "-100"),
            ("1.2345E2", "123.45"),
            ("0.1", "0.1"),
            ("-.0050", "-0.005"),
            ("100000.0", "100000"),
            ("1E-130", &format!("0.{}1", "0".repeat(129))),
            ("1E999999999", "0.1E1000000000"),
        ] {
            assert_eq!(number(text).to_string(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "", "-", ".", "1.2.3", "1E", "1E1.5", "x", "1x", "--1", "1 ", "NaN",
        ] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
        assert_eq!(Number::parse(&format!("1E{}", i64::MAX)), None);
    }

    #[test]
    fn order_is_by_value_beyond_what_floats_tell_apart() {
        let ascending = [
            "-1E125",
            "-123456789012345678901234567890123456789E-1",
            "-10",
            "-9.5",
            "-1E-130",
            "0",
            "1E-130",
            "0.5",
            "9",
            "10",
            "99999999999999999999999999999999999998",
            "99999999999999999999999999999999999999",
            "1E38",
        ];
        for pair in ascending.windows(2) {
            assert!(number(pair[0]) < number(pair[1]), "{pair:?}");
        }
    }

    proptest! {
        #[test]
        fn a_number_is_the_value_of_its_text(digits in "[0-9]{1,38}", power in -140_i64..140, negative: bool) {
            let sign = if negative { "-" } else { "" };
            let it = number(&format!("{sign}{digits}E{power}"));
            prop_assert_eq!(number(&it.to_string()), it);
        }

        #[test]
        fn order_is_that_of_integers(a: i128, b: i128, c in -9_i8..9, d in -9_i8..9) {
            prop_assert_eq!(number(&a.to_string()).cmp(&number(&b.to_string())), a.cmp(&b));
            prop_assert_eq!(number(&c.to_string()).cmp(&number(&d.to_string())), c.cmp(&d));
        }

        #[test]
        fn digits_are_those_between_the_zeros(n in 1..u64::MAX, zeros in 0..20_usize) {
            let text = n.to_string();
            let expected = text.trim_end_matches('0').len();
            prop_assert_eq!(number(&(text + &"0".repeat(zeros))).significant(), expected);
        }
    }
}
