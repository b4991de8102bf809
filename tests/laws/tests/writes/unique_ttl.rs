//! A unique value is free again when its item has expired, and not before.

use super::{Grant, Lease, Seat, db, instant, raw, reap, sentinels, ttls};
use std::time::Duration;

pub(super) fn seat(id: &str, code: &str, ends: Option<i64>) -> Seat {
    Seat {
        id: id.to_owned(),
        code: code.to_owned(),
        row: None,
        ends: ends.map(instant),
        note: String::new(),
    }
}

fn lease(id: &str, host: &str, ttl: Option<u64>) -> Lease {
    Lease {
        id: id.to_owned(),
        host: host.to_owned(),
        ttl,
        version: 0,
    }
}

fn grant(id: &str, code: &str, lasts: u64) -> Grant {
    Grant {
        id: id.to_owned(),
        code: code.to_owned(),
        holder: format!("holder of {id}"),
        lasts: Duration::from_secs(lasts),
        note: String::new(),
    }
}

#[tokio::test]
async fn a_sentinel_expires_with_its_item() {
    let (db, _) = db().await;
    seat("a", "x", Some(1_500))
        .create()
        .send(&db)
        .await
        .unwrap();
    seat("b", "y", None).create().send(&db).await.unwrap();
    lease("a", "h", Some(1_600))
        .create()
        .send(&db)
        .await
        .unwrap();
    grant("a", "g", 60).create().send(&db).await.unwrap();
    let ttls = ttls(&db).await;
    let expected = [
        ("GRANT#a", Some(1_060)),
        ("LEASE#a", Some(1_600)),
        ("SEAT#a", Some(1_500)),
        ("SEAT#b", None),
        ("UNIQUE#Grant#code#g", Some(1_060)),
        ("UNIQUE#Grant#holder#holder of a", Some(1_060)),
        ("UNIQUE#Lease#host#h", Some(1_600)),
        ("UNIQUE#Seat#code#x", Some(1_500)),
        ("UNIQUE#Seat#code#y", None),
    ];
    let expected = expected.map(|(pk, ttl)| (pk.to_owned(), ttl));
    assert_eq!(ttls.into_iter().collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn the_value_of_an_expired_item_can_be_taken() {
    let (db, clock) = db().await;
    seat("a", "x", Some(1_500))
        .create()
        .send(&db)
        .await
        .unwrap();
    clock.set(1_499);
    let early = seat("b", "x", None).create().send(&db).await;
    assert!(early.unwrap_err().is_not_unique());
    clock.set(1_500);
    // DynamoDB has deleted neither of the two.
    seat("b", "x", Some(9_000))
        .create()
        .send(&db)
        .await
        .unwrap();
    assert_eq!(ttls(&db).await["UNIQUE#Seat#code#x"], Some(9_000));
    let taken = seat("c", "x", None).create().send(&db).await;
    assert!(taken.unwrap_err().is_not_unique());
    // It has deleted the item first, or the sentinel.
    seat("d", "y", Some(1_500))
        .create()
        .send(&db)
        .await
        .unwrap();
    reap(&db, "SEAT#d").await;
    seat("e", "y", None).create().send(&db).await.unwrap();
    seat("f", "z", Some(1_500))
        .create()
        .send(&db)
        .await
        .unwrap();
    reap(&db, "UNIQUE#Seat#code#z").await;
    seat("g", "z", None).create().send(&db).await.unwrap();
}

#[tokio::test]
async fn an_expired_item_comes_back_only_with_its_values() {
    let (db, clock) = db().await;
    let expired = seat("a", "x", Some(1_500));
    expired.create().send(&db).await.unwrap();
    clock.set(1_600);
    reap(&db, "UNIQUE#Seat#code#x").await;
    // Nobody has taken it: it is held again.
    let longer = Seat::update_loaded(&expired).set(Seat::ENDS, instant(2_000));
    longer.send(&db).await.unwrap();
    assert_eq!(ttls(&db).await["UNIQUE#Seat#code#x"], Some(2_000));
    let taken = seat("b", "x", None).create().send(&db).await;
    assert!(taken.unwrap_err().is_not_unique());
    clock.set(2_000);
    seat("b", "x", None).create().send(&db).await.unwrap();
    let back = seat("a", "x", Some(2_000));
    let back = Seat::update_loaded(&back)
        .set(Seat::ENDS, None)
        .send(&db)
        .await;
    assert!(back.unwrap_err().is_not_unique());
    // With another value it can.
    let back = seat("a", "x", Some(2_000));
    let back = Seat::update_loaded(&back)
        .set(Seat::ENDS, None)
        .set(Seat::CODE, "y");
    back.send(&db).await.unwrap();
    assert_eq!(
        sentinels(&db).await,
        ["UNIQUE#Seat#code#x", "UNIQUE#Seat#code#y"]
    );
    assert_eq!(ttls(&db).await["UNIQUE#Seat#code#y"], None);
}

#[tokio::test]
async fn an_expired_item_can_be_deleted_and_moved_when_its_value_is_another_items() {
    let (db, clock) = db().await;
    let expired = seat("a", "x", Some(1_500));
    expired.create().send(&db).await.unwrap();
    clock.set(1_600);
    let other = seat("b", "x", None);
    other.create().send(&db).await.unwrap();
    let moved = Seat::rekey_loaded(&expired, &seat("c", "x", None))
        .send(&db)
        .await;
    assert!(moved.unwrap_err().is_not_unique());
    Seat::rekey_loaded(&expired, &seat("c", "y", Some(1_700)))
        .send(&db)
        .await
        .unwrap();
    clock.set(1_700);
    seat("d", "y", None).create().send(&db).await.unwrap();
    Seat::delete_loaded(&seat("c", "y", Some(1_700)))
        .send(&db)
        .await
        .unwrap();
    let taken = seat("e", "x", None).create().send(&db).await;
    assert!(taken.unwrap_err().is_not_unique());
    Seat::delete_loaded(&other).send(&db).await.unwrap();
    seat("e", "x", None).create().send(&db).await.unwrap();
}

#[tokio::test]
async fn sentinels_follow_every_change_of_the_expiry() {
    let (db, clock) = db().await;
    let mut a = Seat {
        row: Some(7),
        ..seat("a", "x", Some(1_500))
    };
    a.create().send(&db).await.unwrap();
    let ttls = async || {
        let mut ttls = ttls(&db).await;
        let (item, code) = (ttls.remove("SEAT#a").unwrap(), a_sentinel(&ttls, "code"));
        assert_eq!(item, code);
        assert_eq!(item, a_sentinel(&ttls, "row"));
        assert_eq!(ttls.len(), 2);
        item
    };
    Seat::update_loaded(&a)
        .set(Seat::ENDS, instant(2_000))
        .send(&db)
        .await
        .unwrap();
    a.ends = Some(instant(2_000));
    assert_eq!(ttls().await, Some(2_000));
    Seat::update_loaded(&a)
        .set(Seat::ENDS, None)
        .send(&db)
        .await
        .unwrap();
    a.ends = None;
    assert_eq!(ttls().await, None);
    let update = Seat::update_loaded(&a)
        .set(Seat::ENDS, instant(3_000))
        .set(Seat::CODE, "y");
    db.transact().update(update).send().await.unwrap();
    (a.ends, a.code) = (Some(instant(3_000)), "y".to_owned());
    assert_eq!(ttls().await, Some(3_000));
    // A value that is taken later expires with the item too.
    Seat::update_loaded(&a)
        .set(Seat::CODE, "z")
        .send(&db)
        .await
        .unwrap();
    a.code = "z".to_owned();
    assert_eq!(ttls().await, Some(3_000));
    let to = Seat {
        ends: Some(instant(4_000)),
        note: "moved".to_owned(),
        ..a.clone()
    };
    Seat::rekey_loaded(&a, &to).send(&db).await.unwrap();
    assert_eq!(ttls().await, Some(4_000));
    clock.set(4_000);
    Seat::update("a")
        .set(Seat::NOTE, "expired")
        .send(&db)
        .await
        .unwrap();
    assert_eq!(ttls().await, Some(4_000));
}

fn a_sentinel(ttls: &std::collections::BTreeMap<String, Option<u64>>, field: &str) -> Option<u64> {
    let prefix = format!("UNIQUE#Seat#{field}#");
    let mut found = ttls.iter().filter(|(pk, _)| pk.starts_with(&prefix));
    let ttl = *found.next().unwrap().1;
    assert!(found.next().is_none());
    ttl
}

#[tokio::test]
async fn a_field_that_is_the_ttl_attribute_takes_its_sentinel_along() {
    let (db, clock) = db().await;
    lease("a", "h", Some(1_500))
        .create()
        .send(&db)
        .await
        .unwrap();
    let load = async || Lease::get("a").send(&db).await.unwrap().unwrap();
    Lease::update_loaded(&load().await)
        .set(Lease::TTL, 2_000)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(ttls(&db).await["UNIQUE#Lease#host#h"], Some(2_000));
    Lease::update_loaded(&load().await)
        .set(Lease::HOST, "i")
        .send(&db)
        .await
        .unwrap();
    assert_eq!(sentinels(&db).await, ["UNIQUE#Lease#host#i"]);
    assert_eq!(ttls(&db).await["UNIQUE#Lease#host#i"], Some(2_000));
    Lease::update_loaded(&load().await)
        .set(Lease::TTL, None)
        .send(&db)
        .await
        .unwrap();
    let none = [
        ("LEASE#a".to_owned(), None),
        ("UNIQUE#Lease#host#i".to_owned(), None),
    ];
    assert_eq!(ttls(&db).await.into_iter().collect::<Vec<_>>(), none);
    clock.set(9_000);
    let taken = lease("b", "i", None).create().send(&db).await;
    assert!(taken.unwrap_err().is_not_unique());
    assert_eq!(load().await.version, 4);
}

#[tokio::test]
async fn a_duration_counts_from_each_write_of_it_or_of_a_unique_value() {
    let (db, clock) = db().await;
    let a = grant("a", "g", 100);
    a.create().send(&db).await.unwrap();
    let all = async |expected| {
        let ttls = ttls(&db).await;
        assert_eq!(ttls.len(), 3);
        assert!(ttls.values().all(|ttl| *ttl == Some(expected)), "{ttls:?}");
    };
    all(1_100).await;
    clock.set(1_050);
    Grant::update_loaded(&a)
        .set(Grant::NOTE, "n")
        .send(&db)
        .await
        .unwrap();
    all(1_100).await;
    Grant::update_loaded(&a)
        .set(Grant::LASTS, Duration::from_secs(200))
        .send(&db)
        .await
        .unwrap();
    all(1_250).await;
    let a = Grant {
        lasts: Duration::from_secs(200),
        ..a
    };
    clock.set(1_060);
    Grant::update_loaded(&a)
        .set(Grant::CODE, "h")
        .send(&db)
        .await
        .unwrap();
    all(1_260).await;
    let a = Grant {
        code: "h".to_owned(),
        ..a
    };
    clock.set(1_070);
    Grant::rekey_loaded(
        &a,
        &Grant {
            id: "b".to_owned(),
            ..a.clone()
        },
    )
    .send(&db)
    .await
    .unwrap();
    all(1_270).await;
    clock.set(1_300);
    grant("c", "h", 1).create().send(&db).await.unwrap();
}

#[tokio::test]
async fn a_stale_expiry_does_not_get_into_a_sentinel() {
    let (db, _) = db().await;
    let loaded = seat("a", "x", Some(1_500));
    loaded.create().send(&db).await.unwrap();
    Seat::update_loaded(&loaded)
        .set(Seat::ENDS, instant(2_000))
        .send(&db)
        .await
        .unwrap();
    // Of an item without a version: the expiry that it was loaded with is not the stored one.
    let stale = Seat::update_loaded(&loaded)
        .set(Seat::CODE, "y")
        .send(&db)
        .await;
    assert!(stale.unwrap_err().is_condition_failed());
    // Nor may a stale unique value be refreshed.
    let stale = Seat {
        ends: Some(instant(2_000)),
        code: "z".to_owned(),
        ..loaded
    };
    let stale = Seat::update_loaded(&stale)
        .set(Seat::ENDS, None)
        .send(&db)
        .await;
    assert!(stale.unwrap_err().is_condition_failed());
    assert_eq!(sentinels(&db).await, ["UNIQUE#Seat#code#x"]);
    assert_eq!(ttls(&db).await["UNIQUE#Seat#code#x"], Some(2_000));
}

#[tokio::test]
async fn an_expired_item_that_was_extended_meanwhile_is_not_deleted_without_its_values() {
    let (db, clock) = db().await;
    let loaded = seat("a", "x", Some(1_500));
    loaded.create().send(&db).await.unwrap();
    Seat::update_loaded(&loaded)
        .set(Seat::ENDS, instant(2_000))
        .send(&db)
        .await
        .unwrap();
    clock.set(1_600);
    let stale = Seat::delete_loaded(&loaded).send(&db).await;
    assert!(stale.unwrap_err().is_condition_failed());
    assert_eq!(raw(&db).await.len(), 2);
    Seat::delete_loaded(&seat("a", "x", Some(2_000)))
        .send(&db)
        .await
        .unwrap();
    assert_eq!(raw(&db).await.len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_many_concurrent_claims_of_an_expired_value_wins() {
    let (db, clock) = db().await;
    seat("a", "x", Some(1_500))
        .create()
        .send(&db)
        .await
        .unwrap();
    clock.set(1_500);
    let tasks = (0..32).map(|n| {
        let db = db.clone();
        tokio::spawn(async move {
            let sent = if n == 0 {
                // The item itself wants it back.
                let own = seat("a", "x", Some(1_500));
                Seat::update_loaded(&own)
                    .set(Seat::ENDS, None)
                    .send(&db)
                    .await
            } else {
                seat(&n.to_string(), "x", None).create().send(&db).await
            };
            sent.map_err(|error| assert!(error.is_not_unique(), "{error}"))
                .is_ok()
        })
    });
    let mut winners = 0;
    for task in tasks.collect::<Vec<_>>() {
        winners += usize::from(task.await.unwrap());
    }
    assert_eq!(winners, 1);
    let live = Seat::scan().skip_expired().all(&db).await.unwrap();
    assert_eq!(live.len(), 1);
}
