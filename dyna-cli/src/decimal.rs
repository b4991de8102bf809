//! The order of numbers: by value, exactly, as DynamoDB sorts them.

use std::cmp::Ordering;

/// A number as DynamoDB writes it, taken apart: `0.digits × 10^exponent`. There is one for each value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decimal<'t> {
    is_negative: bool,
    exponent: i64,
    /// Neither the first nor the last is a zero; none for zero.
    digits: Vec<&'t u8>,
}

impl<'t> Decimal<'t> {
    /// The number that is written so: `-12.5`, `1E+3`. `None` if it is none.
    pub(crate) fn parse(text: &'t str) -> Option<Self> {
        let (text, power) = match text.split_once(['e', 'E']) {
            Some((text, power)) => (text, power.parse().ok()?),
            None => (text, 0_i64),
        };
        let is_negative = text.starts_with('-');
        let text = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = || whole.as_bytes().iter().chain(fraction.as_bytes());
        if digits().next().is_none() || !digits().all(u8::is_ascii_digit) {
            return None;
        }
        let zeros = digits().take_while(|digit| **digit == b'0').count();
        let mut digits: Vec<&u8> = digits().skip(zeros).collect();
        while digits.last().is_some_and(|digit| **digit == b'0') {
            digits.pop();
        }
        let point = i64::try_from(whole.len()).ok()? - i64::try_from(zeros).ok()?;
        let is_zero = digits.is_empty();
        Some(Self {
            is_negative: is_negative && !is_zero,
            exponent: if is_zero {
                0
            } else {
                power.checked_add(point)?
            },
            digits,
        })
    }

    /// -1, 0 or 1.
    fn sign(&self) -> i8 {
        match (self.digits.is_empty(), self.is_negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }
}

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let size = |number: &Self| (number.exponent, number.digits.clone());
        let by_size = || size(self).cmp(&size(other));
        let by_value = || {
            if self.is_negative {
                by_size().reverse()
            } else {
                by_size()
            }
        };
        self.sign().cmp(&other.sign()).then_with(by_value)
    }
}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn numbers_sort_by_value() {
        let sorted = [
            "-1E+125", "-12.5", "-12", "-9", "-0.5", "0", "1E-130", "0.05", "0.5", "0.51", "9",
            "10", "10.01", "1E+3",
        ];
        for (at, a) in sorted.iter().enumerate() {
            for (other, b) in sorted.iter().enumerate() {
                let order = Decimal::parse(a).cmp(&Decimal::parse(b));
                assert_eq!(order, at.cmp(&other), "{a} and {b}");
            }
        }
    }

    #[test]
    fn equal_values_are_equal_however_they_are_written() {
        for (a, b) in [
            ("1", "1.0"),
            ("100", "1E2"),
            ("0", "-0.00"),
            ("0.5", "5e-1"),
            ("+7", "007"),
        ] {
            assert_eq!(Decimal::parse(a), Decimal::parse(b), "{a} and {b}");
        }
    }

    #[test]
    fn other_texts_are_no_numbers() {
        for text in [
            "",
            "-",
            "1.2.3",
            "NaN",
            "1E",
            "12a",
            "1E99999999999999999999",
        ] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }
}
