//! Numbers as DynamoDB has them: decimal, up to 38 digits, compared by value and never rounded.

use super::error::{EncodeError, kind};
use aws_sdk_dynamodb::types::AttributeValue;
use std::cmp::Ordering;
use std::fmt;

/// Digits of the longest number that DynamoDB stores.
pub(crate) const MAX_DIGITS: u16 = 38;

/// Exponents of the numbers that DynamoDB stores, whose first digit is behind the point.
const MIN_EXPONENT: i64 = -129;
const MAX_EXPONENT: i64 = 126;

/// The value `0.digits × 10^exponent`, with a sign. There is one for each value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct StoredNumber {
    negative: bool,
    exponent: i64,
    /// Neither the first nor the last is a zero; none for zero.
    digits: Vec<u8>,
}

impl StoredNumber {
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
        self.digits.is_empty() || (MIN_EXPONENT..=MAX_EXPONENT).contains(&self.exponent)
    }

    /// Whether DynamoDB takes it for a key.
    pub(crate) fn is_key(&self) -> bool {
        self.is_storable() && self.significant() <= usize::from(MAX_DIGITS)
    }

    /// The next storable number above this one. Exact: DynamoDB keeps 38 digits, so that it stores no number between the two.
    pub(crate) fn above(&self) -> Option<Self> {
        match self.sign() {
            0 => Some(Self::smallest()),
            1 => self.further(),
            _ => Some(self.nearer()),
        }
    }

    /// The next storable number below this one.
    pub(crate) fn below(&self) -> Option<Self> {
        let below = self.clone().negated().above()?;
        Some(below.negated())
    }

    fn negated(self) -> Self {
        Self {
            negative: !self.negative && !self.digits.is_empty(),
            ..self
        }
    }

    /// The least that is more than zero.
    fn smallest() -> Self {
        Self {
            negative: false,
            exponent: MIN_EXPONENT,
            digits: vec![b'1'],
        }
    }

    /// The next one away from zero, of a number that is not zero.
    fn further(&self) -> Option<Self> {
        let mut digits = self.digits.clone();
        digits.resize(MAX_DIGITS.into(), b'0');
        let mut exponent = self.exponent;
        while digits.last() == Some(&b'9') {
            digits.pop();
        }
        match digits.last_mut() {
            Some(last) => *last += 1,
            None => {
                digits.push(b'1');
                exponent += 1;
            }
        }
        (exponent <= MAX_EXPONENT).then_some(Self {
            negative: self.negative,
            exponent,
            digits,
        })
    }

    /// The next one towards zero, of a number that is not zero.
    fn nearer(&self) -> Self {
        let all_nines = |digits: &mut Vec<u8>| digits.resize(MAX_DIGITS.into(), b'9');
        let mut digits = self.digits.clone();
        let mut exponent = self.exponent;
        if digits == [b'1'] {
            digits.clear();
            exponent -= 1;
            if exponent < MIN_EXPONENT {
                return Self {
                    negative: false,
                    exponent: 0,
                    digits,
                };
            }
            all_nines(&mut digits);
        } else {
            // The last digit is no zero; with 38 of them it may become one.
            let is_longest = digits.len() == usize::from(MAX_DIGITS);
            if let Some(last) = digits.last_mut() {
                *last -= 1;
            }
            if !is_longest {
                all_nines(&mut digits);
            }
            while digits.last() == Some(&b'0') {
                digits.pop();
            }
        }
        Self {
            negative: self.negative,
            exponent,
            digits,
        }
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
impl fmt::Display for StoredNumber {
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

impl Ord for StoredNumber {
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

impl PartialOrd for StoredNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Whether two texts are the same number to DynamoDB, which compares by value.
pub(crate) fn is_same_number(one: &str, other: &str) -> bool {
    let parsed = || StoredNumber::parse(one).zip(StoredNumber::parse(other));
    one == other || parsed().is_some_and(|(one, other)| one == other)
}

/// A newtype struct of this name marks the text inside it as a number: serde has none wide enough.
pub(super) const NUMBER: &str = "\0dyna::number";

/// A number, unless it has more digits than DynamoDB keeps.
pub(super) fn within_digits(number: String) -> Result<AttributeValue, EncodeError> {
    let Some(parsed) = StoredNumber::parse(&number) else {
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
        AttributeValue::S(text) if StoredNumber::parse(&text).is_some() => within_digits(text),
        other => Err(EncodeError::new(format!(
            "expected a number, found {}",
            kind(&other)
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::StoredNumber;
    use proptest::prelude::*;

    fn number(text: &str) -> StoredNumber {
        StoredNumber::parse(text).unwrap()
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
            assert_eq!(StoredNumber::parse(text), None, "{text}");
        }
        assert_eq!(StoredNumber::parse(&format!("1E{}", i64::MAX)), None);
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

    #[test]
    fn neighbours_are_at_the_last_of_38_digits() {
        let nines = "9".repeat(38);
        let ones = format!("1.{}1", "0".repeat(36));
        for (text, above) in [
            ("0", "1E-130".to_owned()),
            ("1", ones.clone()),
            (&*format!("{nines}E-37"), "10".to_owned()),
            (&format!("-{ones}"), "-1".to_owned()),
            ("-1", format!("-{nines}E-38")),
            ("-1E-130", "0".to_owned()),
            ("-7", format!("-6.{}", "9".repeat(37))),
            ("-1.2", format!("-1.1{}", "9".repeat(36))),
        ] {
            assert_eq!(number(text).above(), Some(number(&above)), "{text}");
        }
        assert_eq!(number(&format!("{nines}E88")).above(), None);
        assert_eq!(number(&format!("-{nines}E88")).below(), None);
    }

    proptest! {
        /// Nothing that DynamoDB stores is between a number and its neighbour.
        #[test]
        fn no_number_is_between_neighbours(
            digits in "[0-9]{1,38}", power in -100_i64..80, negative: bool, other in "[0-9]{1,38}", shift in 0_usize..38,
        ) {
            let sign = if negative { "-" } else { "" };
            let it = number(&format!("{sign}{digits}E{power}"));
            let above = it.above().unwrap();
            prop_assert!(it < above && above.is_storable() && above.significant() <= 38);
            prop_assert_eq!(above.below(), Some(it.clone()));
            prop_assert_eq!(number(&above.to_string()), above.clone());
            // Numbers that begin as this one does, and those that do not.
            let mut near = digits.clone();
            near.replace_range(shift.min(digits.len())..digits.len(), &other[..other.len().min(digits.len() - shift.min(digits.len()))]);
            let other = number(&format!("{sign}{near}E{power}"));
            prop_assert!(other <= it || other >= above);
        }

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
