//! Number keys hold every number type, and compare by value.

use super::{keys, stored};
use aws_sdk_dynamodb::types::AttributeValue::N;
use dyna_runtime::error::KeyErrorKind;
use dyna_runtime::{Delete, DynaEntity, DynaTable, Error, Get, KeyPart};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::ops::Bound;

/// A newtype of a float: a whole number key, and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, KeyPart)]
#[dyna(number)]
struct Celsius(f64);

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, KeyPart)]
#[dyna(number)]
struct Offset(i32);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "readings",
        pk = "sensor",
        sk = number("value"),
        index(by_warmth, pk = "sensor", sk = number("warmth")),
        index(by_offset, pk = "sensor", sk = number("offset"))
    ),
    pk = "<sensor>",
    sk = "<value>",
    by_warmth(as = by_warmth, pk = "<sensor>", sk = "<warmth>"),
    by_offset(as = by_offset, pk = "<sensor>", sk = "<offset>")
)]
struct Reading {
    sensor: String,
    value: f64,
    warmth: Option<Celsius>,
    offset: Offset,
}

fn reading(value: f64) -> Reading {
    Reading {
        sensor: "s".to_owned(),
        value,
        warmth: (value > 0.0).then_some(Celsius(value / 2.0)),
        offset: Offset(-1),
    }
}

/// A decimal in a key attribute of its own, and in an index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "offers", pk = "pk", sk = number("sk"), index(prices, pk = number("size"), sk = number("price"))),
    pk = "SHOP#<shop>",
    sk = "<amount>",
    prices(as = by_size, pk = "<size>", sk = "<price>")
)]
struct Offer {
    shop: String,
    #[serde(with = "dyna_runtime::serde::decimal")]
    amount: Decimal,
    size: f32,
    #[serde(with = "dyna_runtime::serde::decimal")]
    price: Decimal,
}

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn offer(amount: &str, price: &str) -> Offer {
    Offer {
        shop: "a".to_owned(),
        amount: decimal(amount),
        size: 0.1,
        price: decimal(price),
    }
}

#[tokio::test]
async fn floats_are_native_keys_and_sort_by_value() {
    let db = Reading::embedded().await.unwrap();
    let values = [-1e125, -7.5, -1e-130, 0.0, 0.1, 1.0, 7.0, 7.25, 1e21];
    for value in values.iter().rev() {
        reading(*value).create().send(&db).await.unwrap();
    }
    let all = Reading::query("s").all(&db).await.unwrap();
    assert_eq!(all, values.map(reading));
    for value in values {
        let found = Reading::get("s", value).send(&db).await.unwrap();
        assert_eq!(found, Some(reading(value)));
    }
    let warm = Reading::by_warmth("s").warmth(Celsius(3.5)).all(&db).await;
    assert_eq!(warm.unwrap(), [reading(7.0)]);
    let range = Reading::by_warmth("s").warmth_range(&Celsius(0.5)..&Celsius(3.5));
    assert_eq!(range.all(&db).await.unwrap(), [reading(1.0)]);
    let range = Reading::by_offset("s").offset_range(Offset(-2)..Offset(0));
    assert_eq!(range.all(&db).await.unwrap().len(), values.len());
    let moved = Reading::update("s", 7.0).set_by_warmth(Celsius(-0.5));
    moved.send(&db).await.unwrap();
    let cold = Reading::by_warmth("s").warmth_range(..Celsius(0.0));
    assert_eq!(cold.all(&db).await.unwrap().len(), 1);
}

#[tokio::test]
async fn negative_zero_is_zero() {
    let db = Reading::embedded().await.unwrap();
    reading(-0.0).create().send(&db).await.unwrap();
    let error = reading(0.0).create().send(&db).await.unwrap_err();
    assert!(error.is_condition_failed(), "{error}");
    assert_eq!(keys(&db, ["value"]).await, [["0"]]);
    for zero in [0.0, -0.0] {
        let found = Reading::get("s", zero).send(&db).await.unwrap();
        assert_eq!(found, Some(reading(0.0)));
        let found = db.batch_get([Reading::key("s", zero)]).await.unwrap();
        assert_eq!(found.items, [Some(reading(0.0))]);
    }
}

#[tokio::test]
async fn what_dynamodb_does_not_store_is_refused_before_a_request() {
    let db = Reading::embedded().await.unwrap();
    for (value, kind, says) in [
        (f64::NAN, KeyErrorKind::NotFinite, "is NaN or infinite"),
        (f64::INFINITY, KeyErrorKind::NotFinite, "is NaN or infinite"),
        (1e126, KeyErrorKind::NumberOutOfRange, "1E-130 to 9.99E+125"),
        (
            -1e-131,
            KeyErrorKind::NumberOutOfRange,
            "1E-130 to 9.99E+125",
        ),
    ] {
        let error = Reading::key("s", value).check().unwrap_err();
        assert_eq!(error.kind(), kind);
        let text = error.to_string();
        assert!(text.starts_with("Reading: key field `value` ") && text.contains(says));
        assert!(reading(value).put().send(&db).await.is_err());
        let queried = Reading::query("s").value_range(value..).all(&db).await;
        assert!(matches!(queried.unwrap_err(), Error::Key(error) if error.kind() == kind));
        assert!(Reading::raw_key("s", value).check().is_err());
        let set = Reading::update("s", 1.0).set_by_warmth(Celsius(value));
        assert!(set.send(&db).await.is_err());
    }
    assert_eq!(stored(&db).await, []);
}

#[tokio::test]
async fn decimals_are_written_in_one_form_and_read_back() {
    let db = Offer::embedded().await.unwrap();
    let all = [
        offer("-79228162514264337593543950335", "0.50"),
        offer("7.00", "1"),
        offer("7.0000000000000000000000000001", "1"),
    ];
    for one in &all {
        one.create().send(&db).await.unwrap();
    }
    // The same number in another form.
    let error = offer("7", "1").create().send(&db).await.unwrap_err();
    assert!(error.is_condition_failed(), "{error}");
    let mut found = keys(&db, ["sk", "size", "price"]).await;
    found.sort();
    assert_eq!(
        found,
        [
            ["-79228162514264337593543950335", "0.1", "0.5"],
            ["7", "0.1", "1"],
            ["7.0000000000000000000000000001", "0.1", "1"],
        ]
    );
    assert_eq!(Offer::query("a").all(&db).await.unwrap(), all);
    let by_size = Offer::by_size(0.1).price(decimal("1.000")).all(&db).await;
    assert_eq!(by_size.unwrap(), all[1..]);
    // A range over an attribute of the table's key, in an index of another number.
    let cheap = Offer::by_size(0.1).price_range(..decimal("1.00"));
    assert_eq!(cheap.all(&db).await.unwrap(), all[..1]);
}

/// Both ends, for each kind of range, at values that differ in their last digit.
#[tokio::test]
async fn ranges_are_exact_at_both_ends() {
    let db = Offer::embedded().await.unwrap();
    let amounts = [
        "-7.0000000000000000000000000001",
        "-7",
        "-6.9999999999999999999999999999",
        "0",
        "0.0000000000000000000000000001",
        "6.9999999999999999999999999999",
        "7",
        "7.0000000000000000000000000001",
        "10",
    ];
    for amount in amounts {
        offer(amount, "1").put().send(&db).await.unwrap();
    }
    let bounds = amounts.iter().flat_map(|end| {
        let end = decimal(end);
        [Bound::Included(end), Bound::Excluded(end)]
    });
    let bounds: Vec<_> = bounds.chain([Bound::Unbounded]).collect();
    for low in &bounds {
        for high in &bounds {
            let range = (*low, *high);
            let inside = |text: &&str| std::ops::RangeBounds::contains(&range, &decimal(text));
            let expected: Vec<_> = amounts.into_iter().filter(inside).collect();
            let found = Offer::query("a").amount_range(range).all(&db).await;
            let found = found.unwrap().into_iter().map(|one| one.amount.to_string());
            assert_eq!(found.collect::<Vec<_>>(), expected, "{range:?}");
        }
    }
}

#[tokio::test]
async fn one_number_in_several_forms_is_one_key() {
    let db = Reading::embedded().await.unwrap();
    reading(7.0).put().send(&db).await.unwrap();
    let key = |text: &str| Reading::raw_key("s", N(text.to_owned()));
    let forms = ["7", "7.0", "7E0", "0.7E1", "+7", "70e-1"];
    for form in forms {
        let found = Get::new(key(form)).send(&db).await.unwrap();
        assert_eq!(found, Some(reading(7.0)), "{form}");
        assert!(key(form) == Reading::key("s", 7.0), "{form}");
    }
    let batch = db.batch_get(forms.map(key)).await.unwrap();
    assert_eq!(batch.items, vec![Some(reading(7.0)); forms.len()]);
    let found = db.transact_get((key("7"),)).await.unwrap();
    assert_eq!(found.0, Some(reading(7.0)));
    // Two writes of one item.
    let twice = db.transact();
    let seven = reading(7.0);
    let twice = twice.put(&seven).delete(Delete::new(key("7.0")));
    assert!(twice.send().await.is_err());
    let left = db.batch_write().delete(key("7E0")).send().await.unwrap();
    assert!(left.is_empty());
    assert_eq!(stored(&db).await, []);
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "wide", pk = number("id"), sk = number("sk")), pk = "<id>", sk = "<at>")]
struct Wide {
    #[serde(with = "dyna_runtime::serde::decimal")]
    id: Decimal,
    #[dyna(key_only)]
    at: f64,
}

#[tokio::test]
async fn numbers_that_floats_do_not_tell_apart_are_different_keys() {
    let db = Wide::embedded().await.unwrap();
    let all = [
        "7922816251426433759354395033.4",
        "7922816251426433759354395033.5",
    ]
    .map(|id| Wide {
        id: decimal(id),
        at: 0.25,
    });
    for one in &all {
        one.create().send(&db).await.unwrap();
    }
    assert_eq!(keys(&db, ["sk"]).await, [["0.25"], ["0.25"]]);
    let batch = db.batch_get(all.each_ref().map(|one| Wide::key(one.id, 0.25)));
    assert_eq!(batch.await.unwrap().items, all.clone().map(Some));
    // 38 digits, which neither type holds.
    let wide = |last: &str| "1234567890123456789012345678901234567".to_owned() + last;
    let key = |text: String| Wide::raw_key(N(text), 0.5);
    assert!(key(wide("8")) != key(wide("9")));
    for last in ["8", "9"] {
        let put = db.client().put_item().table_name(db.name().unwrap());
        let put = put
            .item("id", N(wide(last)))
            .item("sk", N("0.5".to_owned()));
        put.send().await.unwrap();
    }
    let batch = db
        .batch_get([key(wide("8")), key(wide("9"))])
        .skip_unreadable();
    let batch = batch.await.unwrap();
    assert_eq!((batch.items, batch.unreadable.len()), (vec![None, None], 2));
    assert!(Get::new(key(wide("8"))).send(&db).await.is_err());
    // 39 digits are no number of DynamoDB's.
    assert!(key(wide("89")).check().is_err());
    assert!(key(wide("0") + "0").check().is_ok());
}

#[tokio::test]
async fn cursors_go_on_in_partitions_of_numbers() {
    let db = Offer::embedded().await.unwrap();
    let all = ["1", "1.5", "2", "2.25", "3"].map(|price| offer(price, price));
    for one in &all {
        one.put().send(&db).await.unwrap();
    }
    let mut found = Vec::new();
    let query = || Offer::by_size(0.1).price_range(decimal("1.0")..decimal("3.00"));
    let mut page = query().limit(2).send(&db).await.unwrap();
    loop {
        found.append(&mut page.items);
        let Some(cursor) = page.next else { break };
        // The same range, its ends in another form.
        let query = Offer::by_size(0.1_f32).price_range(decimal("1")..decimal("3"));
        page = query.after(cursor).limit(2).send(&db).await.unwrap();
    }
    assert_eq!(found, all[..4]);
}

/// The widest integers, as the sort key of the table and of an index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "widest", pk = "pk", sk = number("at"), index(by_change, pk = "pk", sk = number("change"))),
    pk = "W#<name>",
    sk = "<at>",
    by_change(as = by_change, pk = "W#<name>", sk = "<change>")
)]
struct Widest {
    name: String,
    at: u128,
    change: i128,
}

#[tokio::test]
async fn the_widest_integers_are_number_keys_up_to_38_digits() {
    let db = Widest::embedded().await.unwrap();
    let wide = |at: u128, change: i128| Widest {
        name: "w".to_owned(),
        at,
        change,
    };
    let (most, least) = (10_u128.pow(38) - 1, 1 - 10_i128.pow(38));
    let all = [
        wide(0, -1),
        wide(u128::from(u64::MAX) + 1, i128::from(i64::MIN) - 1),
        wide(most, least),
    ];
    for one in all.iter().rev() {
        one.create().send(&db).await.unwrap();
    }
    assert_eq!(Widest::query("w").all(&db).await.unwrap(), all);
    let found = Widest::get("w", most).send(&db).await.unwrap();
    assert_eq!(found, Some(all[2].clone()));
    let range = Widest::query("w").at_range(1..most);
    assert_eq!(range.all(&db).await.unwrap(), all[1..2]);
    let found = Widest::by_change("w").change_range(..-1).all(&db).await;
    assert_eq!(found.unwrap(), [all[2].clone(), all[1].clone()]);
    let moved = Widest::update("w", most).set(Widest::CHANGE, 10_i128.pow(38) - 1);
    moved.send(&db).await.unwrap();
    let found = Widest::by_change("w").change_range(0..).all(&db).await;
    assert_eq!(found.unwrap().len(), 1);
    // DynamoDB keeps 38 digits.
    let error = Widest::key("w", u128::MAX).check().unwrap_err();
    assert_eq!(error.kind(), KeyErrorKind::TooManyDigits { width: 38 });
    assert!(wide(u128::MAX, 0).create().send(&db).await.is_err());
    assert!(wide(1, i128::MIN).create().send(&db).await.is_err());
}
