//! A number is exact or an error, in every position that serde has, and what cannot be read is not written.

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaEntity, DynaTable, Result, Table};
use proptest::prelude::*;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Amount {
    #[serde(with = "dyna_runtime::serde::decimal")]
    amount: Decimal,
    #[serde(with = "dyna_runtime::serde::decimal", default)]
    fee: Option<Decimal>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Internal {
    Paid(Amount),
    Due {
        #[serde(with = "dyna_runtime::serde::decimal")]
        amount: Decimal,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Paid(Amount),
    Alone(#[serde(with = "dyna_runtime::serde::decimal")] Decimal),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Paid(Amount),
}

/// A decimal number in each position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "bills", pk = "pk"), pk = "BILL#<id>")]
struct Bill {
    id: String,
    #[serde(flatten)]
    flat: Amount,
    internal: Internal,
    due: Internal,
    untagged: Untagged,
    alone: Untagged,
    adjacent: Adjacent,
}

fn bill(amount: Decimal) -> Bill {
    let of = Amount {
        amount,
        fee: Some(amount),
    };
    Bill {
        id: "b".to_owned(),
        flat: of.clone(),
        internal: Internal::Paid(of.clone()),
        due: Internal::Due { amount },
        untagged: Untagged::Paid(of.clone()),
        alone: Untagged::Alone(amount),
        adjacent: Adjacent::Paid(of),
    }
}

async fn round_trip(db: &Table<Bill>, text: &str) {
    let bill = bill(text.parse().unwrap());
    bill.put().send(db).await.unwrap();
    // As the bytes of a response, and as a map.
    let read = Bill::get("b").send(db).await.unwrap().unwrap();
    assert_eq!(read, bill, "{text}");
    let stored = Bill::update("b").set(Bill::DUE, &bill.due);
    let read = stored.returning_new().send(db).await.unwrap();
    assert_eq!(read, bill, "{text}");
}

#[tokio::test]
async fn decimal_is_exact_in_every_position() {
    let db = Bill::embedded().await.unwrap();
    for text in [
        "12345678901234567.89",
        "-12345678901234567.89",
        "0.1",
        "0.30000000000000004",
        "0.300000000000000041",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775809",
        "79228162514264337593543950335",
        "0.0000000000000000000000000001",
        "1.5",
        "0",
        "7",
        "-7",
        "150.75",
    ] {
        round_trip(&db, text).await;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_decimal_comes_back(digits in -(1_i128 << 96) + 1..1_i128 << 96, scale in 0..=28_u32) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let db = Bill::embedded().await.unwrap();
            let amount = Decimal::from_i128_with_scale(digits, scale).normalize();
            round_trip(&db, &amount.to_string()).await;
        });
    }
}

/// Only a decimal number has room for it: no other type rounds it, and none takes it for text or bytes.
#[tokio::test]
async fn number_that_no_type_of_serde_holds_is_an_error_for_other_types() {
    #[derive(Debug, Deserialize, Serialize)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only read")]
    enum Loose {
        Float(f64),
        Integer(i64),
        Text(String),
        Named(Name),
        Bytes(serde_bytes::ByteBuf),
        Flag(bool),
        List(Vec<u8>),
        Map(BTreeMap<String, String>),
        Maybe(Option<String>),
        Json(serde_json::Value),
    }

    #[derive(Debug, Deserialize, Serialize)]
    struct Name(String);

    #[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
    #[dyna(table(name = "loose", pk = "pk"), pk = "LOOSE#<id>")]
    struct Item {
        id: String,
        #[serde(flatten)]
        rest: BTreeMap<String, Loose>,
    }

    let db = Item::embedded().await.unwrap();
    let put = async |number: &str| {
        let put = db.client().put_item().table_name("loose");
        let put = put.item("pk", AttributeValue::S("LOOSE#a".to_owned()));
        let put = put.item("id", AttributeValue::S("a".to_owned()));
        let put = put.item("x", AttributeValue::N(number.to_owned()));
        put.send().await.unwrap();
        Item::get("a").send(&db).await
    };
    for number in [
        "12345678901234567.89",
        "18446744073709551616",
        "0.300000000000000041",
    ] {
        let error = put(number).await.unwrap_err().to_string();
        assert!(!error.contains(number), "{error}");
    }
    assert!(matches!(
        put("0.3").await.unwrap().unwrap().rest["x"],
        Loose::Float(_)
    ));
}

/// serde keeps no 128-bit integer where it looks ahead, so one could never be read there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Wide {
    Big { n: u128 },
    Small { n: u64 },
    Signed { n: i128 },
    Counts { by_day: BTreeMap<u32, u8> },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Widths, pk = "WIDE#<id>")]
struct Tagged {
    id: String,
    wide: Wide,
    list: Vec<Wide>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Inner {
    n: i128,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Widths, pk = "FLAT#<id>")]
struct Flat {
    id: String,
    #[serde(flatten)]
    inner: Inner,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Widths, pk = "PLAIN#<id>")]
struct Plain {
    id: String,
    n: u128,
    inner: Inner,
    by_day: BTreeMap<u32, i128>,
    #[dyna(version)]
    version: u64,
}

#[derive(DynaTable)]
#[dyna(name = "widths", pk = "pk")]
enum Widths {
    Tagged(Tagged),
    Flat(Flat),
    Plain(Plain),
}

async fn refused<T>(answer: impl IntoFuture<Output = Result<T>>) -> String {
    let error = answer.await.err().expect("refused");
    assert!(
        matches!(error, dyna_runtime::Error::Encode { .. }),
        "{error}"
    );
    error.to_string()
}

#[tokio::test]
async fn integer_of_128_bits_that_could_not_be_read_is_not_written() {
    let db = Widths::embedded().await.unwrap();
    let tagged = |wide: Wide| Tagged {
        id: "a".to_owned(),
        wide,
        list: Vec::new(),
    };
    let small = tagged(Wide::Small { n: 7 });
    small.put().send(&db).await.unwrap();
    for wide in [
        Wide::Big { n: 7 },
        Wide::Signed { n: -7 },
        Wide::Counts {
            by_day: BTreeMap::from([(1, 1)]),
        },
    ] {
        let big = tagged(wide.clone());
        let text = refused(big.put().send(&db)).await;
        assert!(text.starts_with("Tagged: wide: "), "{text}");
        refused(big.create().send(&db)).await;
        refused(db.batch_write().put(&big).send()).await;
        refused(db.transact().put(&big).send()).await;
        let set = Tagged::update("a").set(Tagged::WIDE, &wide);
        let text = refused(set.send(&db)).await;
        assert!(text.starts_with("Tagged: wide: "), "{text}");
        let set = Tagged::update_loaded(&small).set(Tagged::WIDE, &wide);
        refused(set.send(&db)).await;
        let append = Tagged::update("a").append(Tagged::LIST, [&wide]);
        let text = refused(append.send(&db)).await;
        assert!(text.starts_with("Tagged: list"), "{text}");
    }
    let flat = Flat {
        id: "a".to_owned(),
        inner: Inner { n: 7 },
    };
    refused(flat.put().send(&db)).await;
    assert_eq!(Tagged::get("a").send(&db).await.unwrap(), Some(small));
}

#[tokio::test]
async fn integer_of_128_bits_is_exact_where_it_can_be_read() {
    let db = Widths::embedded().await.unwrap();
    let most = 10_u128.pow(38) - 1;
    let mut plain = Plain {
        id: "a".to_owned(),
        n: most,
        inner: Inner { n: -7 },
        by_day: BTreeMap::from([(1, i128::try_from(most).unwrap())]),
        version: 0,
    };
    plain.put().send(&db).await.unwrap();
    let set = Plain::update("a").set(Plain::N, most - 1);
    set.set(Plain::INNER, Inner { n: 8 })
        .send(&db)
        .await
        .unwrap();
    (plain.n, plain.inner.n, plain.version) = (most - 1, 8, 2);
    assert_eq!(Plain::get("a").send(&db).await.unwrap(), Some(plain));
}
