//! Two numbers of one value are one unique value, whatever their digits.

use super::{Level, Price, db, raw, sentinels};
use rust_decimal::Decimal;

fn price(id: &str, amount: &str) -> Price {
    Price {
        id: id.to_owned(),
        amount: amount.parse().unwrap(),
    }
}

fn level(id: &str, height: f64) -> Level {
    Level {
        id: id.to_owned(),
        height,
    }
}

#[tokio::test]
async fn numbers_of_one_value_are_one_unique_value() {
    let (db, _) = db().await;
    price("a", "1.10").create().send(&db).await.unwrap();
    for same in ["1.1", "1.100", "1.1000000000000000000000"] {
        let error = price("b", same).create().send(&db).await.unwrap_err();
        assert!(error.is_not_unique(), "{same}: {error}");
    }
    price("b", "11").create().send(&db).await.unwrap();
    price("c", "-1.1").create().send(&db).await.unwrap();
    price("d", "0.11").create().send(&db).await.unwrap();
    price("e", "110").create().send(&db).await.unwrap();
    assert_eq!(
        sentinels(&db).await,
        [
            "UNIQUE#Price#amount#-1.1",
            "UNIQUE#Price#amount#0.11",
            "UNIQUE#Price#amount#1.1",
            "UNIQUE#Price#amount#11",
            "UNIQUE#Price#amount#110",
        ]
    );
}

#[tokio::test]
async fn minus_zero_is_zero() {
    let (db, _) = db().await;
    level("a", 0.0).create().send(&db).await.unwrap();
    let error = level("b", -0.0).create().send(&db).await.unwrap_err();
    assert!(error.is_not_unique());
    level("b", 1e300_f64.recip().max(1e-100))
        .create()
        .send(&db)
        .await
        .unwrap();
    level("c", 1e100).create().send(&db).await.unwrap();
    let error = level("d", 1e100).create().send(&db).await.unwrap_err();
    assert!(error.is_not_unique());
}

#[tokio::test]
async fn item_releases_its_number_in_any_spelling() {
    let (db, _) = db().await;
    for amount in ["1.10", "1.1", "0.00", "-0.0", "100", "1000.000"] {
        price("a", amount).create().send(&db).await.unwrap();
        let loaded = Price::get("a").send(&db).await.unwrap().unwrap();
        // The same value in other digits is no change.
        let same = Decimal::from_str_exact("7.500").unwrap();
        Price::update_loaded(&loaded)
            .set(Price::AMOUNT, same)
            .send(&db)
            .await
            .unwrap();
        let same = price("a", "7.5");
        Price::update_loaded(&same)
            .set(Price::AMOUNT, same.amount)
            .send(&db)
            .await
            .unwrap();
        assert_eq!(sentinels(&db).await, ["UNIQUE#Price#amount#7.5"]);
        Price::delete_loaded(&price("a", "7.50"))
            .send(&db)
            .await
            .unwrap();
        assert_eq!(raw(&db).await.len(), 0, "{amount}");
    }
}

#[tokio::test]
async fn a_moved_item_takes_its_number_along_in_other_digits() {
    let (db, _) = db().await;
    price("a", "1.10").create().send(&db).await.unwrap();
    Price::rekey_loaded(&price("a", "1.1"), &price("b", "1.100"))
        .send(&db)
        .await
        .unwrap();
    assert_eq!(sentinels(&db).await, ["UNIQUE#Price#amount#1.1"]);
    Price::delete_loaded(&price("b", "1.1"))
        .send(&db)
        .await
        .unwrap();
    assert_eq!(raw(&db).await.len(), 0);
}
