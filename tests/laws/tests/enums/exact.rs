//! What is written of an enum is read as it was, although serde buffers it, or it is an error when it is written.

use dyna_runtime::{DynaEntity, DynaTable, Error};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(tag = "kind")]
#[dyna(table(name = "values", pk = "pk"), pk = "VALUE#<id>")]
enum Value {
    Small {
        id: u8,
        #[serde(with = "dyna_runtime::serde::decimal")]
        price: Decimal,
        #[serde(with = "dyna_runtime::serde::string_set")]
        words: BTreeSet<String>,
        scores: BTreeMap<u32, i64>,
        wide: Option<u128>,
        #[serde(with = "serde_bytes")]
        hash: Vec<u8>,
    },
    Large {
        id: u8,
        #[serde(with = "dyna_runtime::serde::decimal")]
        price: Decimal,
        #[serde(with = "dyna_runtime::serde::number_set")]
        numbers: BTreeSet<i64>,
        scores: BTreeMap<u32, i64>,
        wide: Option<u128>,
        ratio: f64,
        inner: Option<Inner>,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Inner {
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    none: Option<u8>,
    texts: Vec<Option<String>>,
}

fn small() -> Value {
    Value::Small {
        id: 1,
        price: "12345678901234567890.0987654321".parse().unwrap(),
        words: ["a", "b"].map(ToOwned::to_owned).into(),
        scores: BTreeMap::new(),
        wide: None,
        hash: vec![0, 255],
    }
}

fn large() -> Value {
    Value::Large {
        id: 2,
        price: "0.1".parse().unwrap(),
        numbers: [i64::MIN, 0, i64::MAX].into(),
        scores: BTreeMap::new(),
        wide: None,
        ratio: 0.1,
        inner: Some(Inner {
            bytes: vec![1, 2],
            none: None,
            texts: vec![None, Some(String::new())],
        }),
    }
}

#[tokio::test]
async fn decimals_sets_bytes_and_absent_values_come_back() {
    let db = Value::embedded().await.unwrap();
    for value in [small(), large()] {
        value.put().send(&db).await.unwrap();
        let (Value::Small { id, .. } | Value::Large { id, .. }) = value;
        let found = Value::get(id).send(&db).await.unwrap();
        assert_eq!(found, Some(value));
    }
    assert_eq!(Value::scan().all(&db).await.unwrap().len(), 2);
}

/// A value that serde cannot read again from a buffer is refused wherever it is written.
#[tokio::test]
async fn what_serde_cannot_buffer_is_refused_by_puts_and_updates() {
    let db = Value::embedded().await.unwrap();
    small().put().send(&db).await.unwrap();
    large().put().send(&db).await.unwrap();
    for id in [1, 2] {
        let update = Value::update(id).set(Value::WIDE, Some(9));
        let error = update.send(&db).await.unwrap_err();
        assert!(matches!(error, Error::Encode { .. }), "{error:?}");
        assert!(error.to_string().contains("wide"), "{error}");
        // What it can buffer is taken.
        let update = Value::update(id).set(Value::WIDE, None);
        update.send(&db).await.unwrap();
    }
    let mut value = small();
    if let Value::Small { wide, .. } = &mut value {
        *wide = Some(9);
    }
    let error = value.put().send(&db).await.unwrap_err();
    assert!(matches!(error, Error::Encode { .. }), "{error:?}");
    assert_eq!(Value::scan().all(&db).await.unwrap().len(), 2);
}

/// Serde reads the keys of a map from a buffer as text, which some types of keys do not take: whatever is taken comes back.
#[tokio::test]
async fn maps_with_number_keys_come_back_or_are_refused() {
    let db = Value::embedded().await.unwrap();
    small().put().send(&db).await.unwrap();
    let scores = BTreeMap::from([(1, -1), (u32::MAX, i64::MIN)]);
    let update = Value::update(1).set(Value::SCORES, scores.clone());
    let updated = update.send(&db).await;
    let found = Value::get(1).send(&db).await.unwrap();
    let Some(Value::Small { scores: read, .. }) = found else {
        panic!("another variant");
    };
    assert_eq!(
        read,
        if updated.is_ok() {
            scores
        } else {
            BTreeMap::new()
        }
    );
}
