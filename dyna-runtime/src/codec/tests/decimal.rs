//! Decimals are numbers, digit by digit.

use aws_sdk_dynamodb::types::AttributeValue;
use proptest::prelude::*;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::codec::missing::from_item_without;
use crate::codec::{Item, Rules, from_item, write_item};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Payment {
    #[serde(with = "crate::serde::decimal")]
    amount: Decimal,
    #[serde(with = "crate::serde::decimal", default)]
    fee: Option<Decimal>,
}

fn decimal() -> impl Strategy<Value = Decimal> {
    let digits = (1_i128 << 96) - 1;
    (-digits..=digits, 0..=28_u32)
        .prop_map(|(digits, scale)| Decimal::from_i128_with_scale(digits, scale))
}

fn item(amount: AttributeValue) -> Item {
    Item::from([("amount".to_owned(), amount)])
}

proptest! {
    /// What is written is a number, and comes back with every digit.
    #[test]
    fn decimals_come_back(amount in decimal(), fee in prop::option::of(decimal())) {
        let payment = Payment { amount, fee };
        let mut item = Item::new();
        write_item(&payment, &mut item, Rules::default()).unwrap();
        prop_assert_eq!(&item["amount"], &AttributeValue::N(amount.to_string()));
        let fee = fee.map(|fee| AttributeValue::N(fee.to_string()));
        prop_assert_eq!(item.get("fee"), fee.as_ref());
        prop_assert_eq!(from_item_without::<Payment>(item).unwrap(), payment);
    }

    /// Other formats have it as text.
    #[test]
    fn decimals_are_text_in_json(amount in decimal()) {
        let json = serde_json::to_string(&Payment { amount, fee: None }).unwrap();
        prop_assert_eq!(&json, &format!("{{\"amount\":\"{amount}\",\"fee\":null}}"));
        prop_assert_eq!(serde_json::from_str::<Payment>(&json).unwrap().amount, amount);
    }
}

#[test]
fn numbers_and_text_of_others_are_read() {
    let n = |text: &str| AttributeValue::N(text.to_owned());
    for (stored, expected) in [
        (n("150.75"), "150.75"),
        (n("-7"), "-7"),
        (n("1E+3"), "1000"),
        (n("0"), "0"),
        (AttributeValue::S("3.10".to_owned()), "3.10"),
    ] {
        let payment = from_item::<Payment>(item(stored)).unwrap();
        assert_eq!(
            (payment.amount.to_string().as_str(), payment.fee),
            (expected, None)
        );
    }
}

#[test]
fn what_a_decimal_cannot_hold_is_refused_and_never_rounded() {
    let digits = "12345678901234567890123456789012345678";
    for (stored, problem) in [
        (
            AttributeValue::N(digits.to_owned()),
            "amount: expected a number that a `Decimal` holds, found an invalid value",
        ),
        (
            AttributeValue::N(format!("0.{digits}")),
            "amount: expected a number that a `Decimal` holds, found an invalid value",
        ),
        (
            AttributeValue::N(format!("{digits}E-37")),
            "amount: expected a number that a `Decimal` holds, found an invalid value",
        ),
        (
            AttributeValue::S("x".to_owned()),
            "amount: expected a number that a `Decimal` holds, found an invalid value",
        ),
        (
            AttributeValue::Bool(true),
            "amount: expected number, found boolean",
        ),
    ] {
        let error = from_item::<Payment>(item(stored)).unwrap_err();
        assert_eq!(error.to_string(), problem);
    }
}
