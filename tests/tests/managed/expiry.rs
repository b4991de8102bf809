//! The time of expiry follows its field, and reads can leave out what has expired.

use super::{Grant, Lease, Office, Session, db};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaProjection, DynaTable as _, Table};
use jiff::Timestamp;
use std::time::Duration;

/// Nothing of the time of expiry.
#[derive(Debug, serde::Deserialize, DynaProjection)]
#[dyna(of = Session)]
struct Number {
    n: u16,
}

fn session(n: u16, ends: Option<i64>) -> Session {
    Session {
        id: "s".to_owned(),
        n,
        ends: ends.map(|ends| Timestamp::from_second(ends).unwrap()),
    }
}

/// The time of expiry as it is stored.
async fn ttl(db: &Table<Office>, pk: &str, sk: &str) -> Option<AttributeValue> {
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let get = db.client().get_item().table_name(db.name().unwrap());
    let item = get
        .key("pk", text(pk))
        .key("sk", text(sk))
        .send()
        .await
        .unwrap();
    item.item.unwrap().remove("ttl")
}

fn seconds(seconds: u64) -> AttributeValue {
    AttributeValue::N(seconds.to_string())
}

#[tokio::test]
async fn instants_and_durations_become_epoch_seconds() {
    let (db, _) = db().await;
    session(1, Some(1_500)).put().send(&db).await.unwrap();
    assert_eq!(
        ttl(&db, "SESSION#s", "SESSION#001").await,
        Some(seconds(1_500))
    );
    session(2, None).create().send(&db).await.unwrap();
    assert_eq!(ttl(&db, "SESSION#s", "SESSION#002").await, None);
    let grant = Grant {
        id: "g".to_owned(),
        lasts: Duration::from_mins(1),
    };
    grant.create().send(&db).await.unwrap();
    assert_eq!(ttl(&db, "GRANT#g", "GRANT").await, Some(seconds(1_060)));
}

#[tokio::test]
async fn an_update_moves_the_time_of_expiry() {
    let (db, clock) = db().await;
    session(1, Some(1_500)).put().send(&db).await.unwrap();
    let ends = Timestamp::from_second(1_700).unwrap();
    Session::update("s", 1)
        .set(Session::ENDS, ends)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(
        ttl(&db, "SESSION#s", "SESSION#001").await,
        Some(seconds(1_700))
    );
    Session::update("s", 1)
        .set(Session::ENDS, None)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(ttl(&db, "SESSION#s", "SESSION#001").await, None);
    Grant {
        id: "g".to_owned(),
        lasts: Duration::from_mins(1),
    }
    .put()
    .send(&db)
    .await
    .unwrap();
    clock.set(2_000);
    let longer = Grant::update("g").set(Grant::LASTS, Duration::from_secs(100));
    longer.send(&db).await.unwrap();
    assert_eq!(ttl(&db, "GRANT#g", "GRANT").await, Some(seconds(2_100)));
}

#[tokio::test]
async fn skip_expired_leaves_out_expired_items() {
    let (db, clock) = db().await;
    for (n, ends) in [(1, Some(1_500)), (2, Some(1_600)), (3, None)] {
        session(n, ends).put().send(&db).await.unwrap();
    }
    let all = || Session::query("s");
    for (now, expected) in [
        (1_499, vec![1, 2, 3]),
        (1_500, vec![2, 3]),
        (1_700, vec![3]),
    ] {
        clock.set(now);
        let live = all().skip_expired().all(&db).await.unwrap();
        assert_eq!(
            live.iter().map(|session| session.n).collect::<Vec<_>>(),
            expected
        );
        assert_eq!(
            all().skip_expired().count(&db).await.unwrap(),
            expected.len()
        );
        assert_eq!(
            Session::scan().skip_expired().all(&db).await.unwrap().len(),
            expected.len()
        );
        assert_eq!(
            Office::scan().skip_expired().all(&db).await.unwrap().len(),
            expected.len()
        );
        let first = Session::get("s", 1).skip_expired().send(&db).await.unwrap();
        assert_eq!(first.is_some(), expected.contains(&1));
        assert!(Session::get("s", 1).send(&db).await.unwrap().is_some());
        let keys = || [1, 2, 3].map(|n| Session::key("s", n));
        let batch = db.batch_get(keys()).skip_expired().await.unwrap();
        let found = batch.items.iter().flatten().map(|session| session.n);
        assert_eq!(found.collect::<Vec<_>>(), expected);
        let batch = db
            .batch_get(keys())
            .project::<Number>()
            .skip_expired()
            .await;
        let found = batch.unwrap().items.into_iter().flatten();
        assert_eq!(found.map(|one| one.n).collect::<Vec<_>>(), expected);
        let first = Session::get("s", 1).project::<Number>().skip_expired();
        let first = first.send(&db).await.unwrap();
        assert_eq!(first.is_some(), expected.contains(&1));
    }
    assert_eq!(all().all(&db).await.unwrap().len(), 3);
    let page = all().skip_expired().limit(1).send(&db).await.unwrap();
    assert_eq!(page.items[0].n, 3);
}

#[tokio::test]
async fn an_item_shows_its_time_of_expiry() {
    let item = Office::Session(session(1, Some(1_500))).to_item().unwrap();
    assert_eq!(item.get("ttl").cloned(), Some(seconds(1_500)));
}

#[tokio::test]
async fn a_field_that_is_the_time_of_expiry_is_set_moved_and_taken_away() {
    let (db, _) = db().await;
    let lease = Lease {
        id: "l".to_owned(),
        ttl: None,
    };
    lease.create().send(&db).await.unwrap();
    assert_eq!(ttl(&db, "LEASE#l", "LEASE").await, None);
    let set = |until| Lease::update("l").set(Lease::TTL, until).send(&db);
    set(Some(1_500_u64)).await.unwrap();
    assert_eq!(ttl(&db, "LEASE#l", "LEASE").await, Some(seconds(1_500)));
    set(Some(1_600)).await.unwrap();
    assert_eq!(ttl(&db, "LEASE#l", "LEASE").await, Some(seconds(1_600)));
    let loaded = Lease::get("l").send(&db).await.unwrap().unwrap();
    let later = Lease::update_loaded(&loaded).set(Lease::TTL, 1_700_u64);
    let later = later.returning_new().send(&db).await.unwrap();
    assert_eq!(later.ttl, Some(1_700));
    set(None).await.unwrap();
    assert_eq!(ttl(&db, "LEASE#l", "LEASE").await, None);
}
