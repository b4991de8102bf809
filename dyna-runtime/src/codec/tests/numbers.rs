//! Numbers that DynamoDB stores, and where they end.

#![allow(clippy::float_cmp, reason = "what comes back is the same float")]

use aws_sdk_dynamodb::types::AttributeValue;
use proptest::prelude::*;
use serde::Serialize;

use crate::codec::json::{ItemJson, Whole};
use crate::codec::{EncodeError, Item, Nulls, Rules, from_value, to_value, write_item};

const RANGE: &str =
    "expected zero or a number between 1E-130 and 9.99E+125, positive or negative, found another";

#[derive(Serialize)]
struct Ratio<T> {
    ratio: T,
}

/// As an attribute, and whether the JSON of an item has room for it.
fn written<T: Serialize>(ratio: T) -> Result<AttributeValue, EncodeError> {
    let ratio = Ratio { ratio };
    let mut item = Item::new();
    let written = write_item(&ratio, &mut item, Rules::default());
    let mut text = String::new();
    let json = ItemJson::new(&mut text).fields(
        &ratio,
        Whole::UNKNOWN,
        &[].into_iter().collect(),
        Nulls::Omit,
        None,
    );
    assert_eq!(json.is_ok(), written.is_ok());
    written.map(|()| item.remove("ratio").unwrap())
}

#[test]
fn floats_end_where_numbers_of_dynamodb_end() {
    for float in [
        0.0,
        -0.0,
        1e-130,
        -1e-130,
        9.999e125,
        -9.999e125,
        1e125,
        f64::from(f32::MIN_POSITIVE),
    ] {
        let value = written(float).unwrap();
        assert_eq!(from_value::<f64>(value).unwrap(), float);
    }
    for float in [
        9.9e-131,
        -9.9e-131,
        1e126,
        -1e126,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
    ] {
        let error = written(float).unwrap_err();
        assert_eq!(error.to_string(), format!("ratio: {RANGE}"));
    }
    for float in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = written(float).unwrap_err();
        assert_eq!(
            error.problem(),
            "expected a finite number, found NaN or infinity"
        );
    }
    assert!(written(f32::MAX).is_ok() && written(f32::from_bits(1)).is_ok());
    assert!(written(f32::NAN).is_err());
    assert!(to_value(&[1e300]).is_err());
}

proptest! {
    /// A float that is written is read as the same float, whether the type is known or serde looks ahead.
    #[test]
    fn floats_come_back(float in super::samples::finite_f64(), single in any::<f32>()) {
        let value = written(float).unwrap();
        prop_assert_eq!(from_value::<f64>(value.clone()).unwrap(), float);
        let json = from_value::<serde_json::Value>(value).unwrap();
        prop_assert_eq!(json.as_f64(), Some(float));
        if single.is_finite() {
            prop_assert_eq!(from_value::<f32>(written(single).unwrap()).unwrap(), single);
        }
    }
}
