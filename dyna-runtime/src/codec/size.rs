//! How many bytes an item has by DynamoDB's own count, and how deep it is. Nothing is written for it.

use super::{EncodeError, Item};
use aws_sdk_dynamodb::types::AttributeValue;

/// Bytes of an item: its names and its values.
pub(crate) fn item_size(item: &Item) -> usize {
    let attribute = |(name, value): (&String, _)| name.len() + value_size(value);
    item.iter().map(attribute).sum()
}

/// Bytes of a value without its name. A list or a map takes three, and one more for each element.
pub(crate) fn value_size(value: &AttributeValue) -> usize {
    match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::N(number) => number_size(number),
        AttributeValue::B(bytes) => bytes.as_ref().len(),
        AttributeValue::Ss(set) => set.iter().map(String::len).sum(),
        AttributeValue::Ns(set) => set.iter().map(|number| number_size(number)).sum(),
        AttributeValue::Bs(set) => set.iter().map(|bytes| bytes.as_ref().len()).sum(),
        AttributeValue::L(list) => 3 + list.len() + list.iter().map(value_size).sum::<usize>(),
        AttributeValue::M(map) => 3 + map.len() + item_size(map),
        // NULL and booleans.
        _ => 1,
    }
}

/// A byte, one for a minus, and one for every two significant digits on each side of the point.
fn number_size(number: &str) -> usize {
    let digits = Digits::of(number);
    let Some((first, last)) = digits.significant else {
        return 1;
    };
    let significant = last - first + 1;
    let whole = digits
        .point
        .saturating_sub(i64::from(first))
        .clamp(0, i64::from(significant));
    let whole = u32::try_from(whole).unwrap_or(significant);
    let bytes = 1 + whole.div_ceil(2) + (significant - whole).div_ceil(2);
    bytes as usize + usize::from(number.starts_with('-'))
}

/// Where the digits of a number are, counted from its first one.
struct Digits {
    /// The first and the last that are not zero.
    significant: Option<(u32, u32)>,
    /// How many stand before the point, when the exponent has moved it.
    point: i64,
}

impl Digits {
    fn of(number: &str) -> Self {
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let mut significant = None;
        let mut point = None;
        let mut digits = 0;
        for character in mantissa.bytes() {
            match character {
                b'.' => point = Some(i64::from(digits)),
                b'0'..=b'9' => {
                    if character != b'0' {
                        let first = significant.map_or(digits, |(first, _)| first);
                        significant = Some((first, digits));
                    }
                    digits += 1;
                }
                _ => {}
            }
        }
        let exponent: i32 = exponent.parse().unwrap_or_default();
        Self {
            significant,
            point: point.unwrap_or(i64::from(digits)) + i64::from(exponent),
        }
    }
}

/// How many lists and maps a value can be inside of: DynamoDB takes 32 levels, of which the attribute itself is one.
pub(super) const MAX_DEPTH: usize = 31;

/// Fails if there is a value inside of too many lists and maps. The value itself is inside of `depth`.
pub(crate) fn check_depth(value: &AttributeValue, depth: usize) -> Result<(), EncodeError> {
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    match value {
        AttributeValue::L(list) => list.iter().try_for_each(|one| check_depth(one, depth + 1)),
        AttributeValue::M(map) => map.values().try_for_each(|one| check_depth(one, depth + 1)),
        _ => Ok(()),
    }
}

/// The error of a value inside of too many lists and maps.
#[cold]
pub(super) fn too_deep() -> EncodeError {
    EncodeError::new("is nested deeper than the 32 levels that DynamoDB stores")
}
