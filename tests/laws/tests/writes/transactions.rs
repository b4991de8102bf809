//! A transaction with a token is made once, however often it is sent.

use super::{Grant, Seat, Session, Venue, db, instant, raw, time};
use dyna_runtime::{Error, Table};
use std::time::{Duration, SystemTime};

fn session(id: &str) -> Session {
    Session {
        id: id.to_owned(),
        hits: 0,
        ends: None,
        version: 0,
        created: 0,
        updated: 0,
    }
}

fn grant(code: &str) -> Grant {
    Grant {
        id: code.to_owned(),
        code: code.to_owned(),
        holder: code.to_owned(),
        lasts: Duration::from_mins(1),
        note: String::new(),
    }
}

/// Everything that a transaction can do, on items that fill in times.
async fn order(db: &Table<Venue>, at: Option<SystemTime>) -> Result<(), Error> {
    let begun = db.transact();
    let begun = match at {
        Some(at) => begun.at(at),
        None => begun,
    };
    let moved = session("moved");
    begun
        .create(&session("new"))
        .put(&session("put"))
        .update(Session::update("counted").add(Session::HITS, 1))
        .update(
            Session::upsert("made")
                .set(Session::HITS, 1)
                .set(Session::ENDS, instant(9_000)),
        )
        .create(&grant("g"))
        .rekey(Session::rekey(Session::key("old"), &moved))
        .token("order-1")
        .send()
        .await
}

async fn prepared() -> (Table<Venue>, super::Clock) {
    let (db, clock) = db().await;
    for id in ["counted", "old"] {
        session(id).create().send(&db).await.unwrap();
    }
    (db, clock)
}

#[tokio::test]
async fn transaction_with_token_and_time_is_applied_once() {
    let (db, clock) = prepared().await;
    let at = Some(time(1_000));
    order(&db, at).await.unwrap();
    let made = raw(&db).await;
    clock.set(1_005);
    order(&db, at).await.unwrap();
    assert_eq!(raw(&db).await, made);
    let counted = Session::get("counted").send(&db).await.unwrap().unwrap();
    assert_eq!((counted.hits, counted.version), (1, 2));
}

#[tokio::test]
async fn without_a_fixed_time_a_repeated_token_is_an_error_and_writes_nothing() {
    let (db, clock) = prepared().await;
    order(&db, None).await.unwrap();
    let made = raw(&db).await;
    clock.set(1_005);
    let error = order(&db, None).await.unwrap_err();
    assert_eq!(error.code(), Some("IdempotentParameterMismatchException"));
    assert_eq!(raw(&db).await, made);
}

#[tokio::test]
async fn all_operations_have_the_time_of_the_transaction() {
    let (db, clock) = prepared().await;
    let begun = db.transact().create(&session("a"));
    clock.set(2_000);
    begun.create(&session("b")).send().await.unwrap();
    let at = |id: &'static str| {
        let get = Session::get(id).send(&db);
        async move { get.await.unwrap().unwrap().created }
    };
    assert_eq!((at("a").await, at("b").await), (1_000_000, 1_000_000));
    let fixed = db.transact().at(time(7));
    fixed
        .create(&session("c"))
        .create(&grant("g"))
        .send()
        .await
        .unwrap();
    assert_eq!(at("c").await, 7_000);
    assert_eq!(super::ttls(&db).await["UNIQUE#Grant#code#g"], Some(67));
}

#[tokio::test]
async fn a_time_behind_an_operation_is_refused() {
    let (db, _) = db().await;
    let late = db.transact().create(&session("a")).at(time(7));
    assert!(late.explain().get("Error").is_some());
    let error = late.send().await.unwrap_err();
    assert!(error.to_string().contains("`at(..)`"), "{error}");
    assert!(raw(&db).await.is_empty());
}

#[tokio::test]
async fn a_token_that_dynamodb_does_not_take_is_refused_before_the_request() {
    let (db, _) = db().await;
    let long = "x".repeat(37);
    for token in ["", &long] {
        let error = db
            .transact()
            .create(&session("a"))
            .token(token)
            .send()
            .await
            .unwrap_err();
        assert!(matches!(error, Error::Transaction { .. }), "{error}");
        assert!(error.to_string().contains("36 characters"), "{error}");
    }
    assert!(raw(&db).await.is_empty());
    let longest = "x".repeat(36);
    db.transact()
        .create(&session("a"))
        .token(longest)
        .send()
        .await
        .unwrap();
}

#[tokio::test]
async fn tokens_are_random() {
    let (db, _) = db().await;
    let seat = |id: &str| super::unique_ttl::seat(id, id, None);
    fastrand::seed(7);
    db.transact().create(&session("a")).send().await.unwrap();
    fastrand::seed(7);
    db.transact().create(&session("b")).send().await.unwrap();
    fastrand::seed(7);
    seat("a").create().send(&db).await.unwrap();
    fastrand::seed(7);
    Seat::delete_loaded(&seat("a")).send(&db).await.unwrap();
    assert!(Seat::get("a").send(&db).await.unwrap().is_none());
}

#[tokio::test]
async fn taken_unique_value_names_its_operation() {
    let (db, _) = db().await;
    grant("g").create().send(&db).await.unwrap();
    let other = Grant {
        id: "other".to_owned(),
        ..grant("g")
    };
    let taken = db.transact().create(&session("s")).create(&other).send();
    let error = taken.await.unwrap_err();
    assert!(error.is_not_unique());
    let text = error.failures()[0].to_string();
    assert!(text.starts_with("operation 1 (create Grant): "), "{text}");
}
