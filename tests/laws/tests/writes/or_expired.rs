//! `create().or_expired()` creates wherever `get().skip_expired()` finds nothing.

use super::unique_ttl::seat;
use super::{Seat, Session, Venue, db, instant, raw, ttls};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::Table;

fn session(ends: Option<i64>, hits: u32) -> Session {
    Session {
        id: "a".to_owned(),
        hits,
        ends: ends.map(instant),
        version: 9,
        created: 0,
        updated: 0,
    }
}

async fn stored(db: &Table<Venue>) -> Session {
    Session::get("a").send(db).await.unwrap().unwrap()
}

#[tokio::test]
async fn an_expired_item_is_in_the_way_of_create_alone() {
    let (db, clock) = db().await;
    session(Some(1_500), 1)
        .create()
        .or_expired()
        .send(&db)
        .await
        .unwrap();
    clock.set(1_499);
    let live = session(None, 2)
        .create()
        .or_expired()
        .send(&db)
        .await
        .unwrap_err();
    assert!(live.is_condition_failed());
    assert_eq!(live.current_item::<Session>().unwrap().unwrap().hits, 1);
    clock.set(1_500);
    assert!(
        Session::get("a")
            .skip_expired()
            .send(&db)
            .await
            .unwrap()
            .is_none()
    );
    let there = session(None, 2).create().send(&db).await;
    assert!(there.unwrap_err().is_condition_failed());
    session(Some(2_000), 2)
        .create()
        .or_expired()
        .send(&db)
        .await
        .unwrap();
    // It is a new item: creation and expiry begin anew, and the version is one that no earlier item had.
    let new = stored(&db).await;
    assert_eq!((new.hits, new.version, new.created), (2, 1_501, 1_500_000));
    assert_eq!(ttls(&db).await["SESSION#a"], Some(2_000));
}

#[tokio::test]
async fn holder_of_the_expired_item_cannot_overwrite_the_new_one() {
    let (db, clock) = db().await;
    session(Some(1_500), 1).create().send(&db).await.unwrap();
    let first = stored(&db).await;
    clock.set(1_500);
    let over = session(Some(1_600), 2);
    over.create().or_expired().send(&db).await.unwrap();
    let second = stored(&db).await;
    clock.set(1_600);
    let over = session(Some(1_700), 3);
    over.create().or_expired().send(&db).await.unwrap();
    for lost in [first, second] {
        let update = Session::update_loaded(&lost).set(Session::HITS, 9);
        assert!(update.send(&db).await.unwrap_err().is_version_conflict());
        let put = lost.put().send(&db).await;
        assert!(put.unwrap_err().is_version_conflict());
        let delete = Session::delete_loaded(&lost).send(&db).await;
        assert!(delete.unwrap_err().is_version_conflict());
    }
    assert_eq!(stored(&db).await.hits, 3);
    let update = Session::update_loaded(&stored(&db).await).set(Session::HITS, 4);
    update.send(&db).await.unwrap();
}

#[tokio::test]
async fn put_and_replace_do_not_check_expiry() {
    let (db, _) = db().await;
    let new = Session {
        version: 0,
        ..session(Some(1_500), 1)
    };
    new.put().or_expired().send(&db).await.unwrap();
    let again = stored(&db).await;
    again.replace().or_expired().send(&db).await.unwrap();
    assert_eq!(stored(&db).await.version, 2);
    let conflict = again.put().or_expired().send(&db).await;
    assert!(conflict.unwrap_err().is_version_conflict());
}

#[tokio::test]
async fn an_item_that_never_expires_is_in_the_way() {
    let (db, clock) = db().await;
    session(None, 1).create().send(&db).await.unwrap();
    clock.set(1_000_000);
    let there = session(None, 2).create().or_expired().send(&db).await;
    assert!(there.unwrap_err().is_condition_failed());
    // What is no number is no time.
    for no_time in [
        AttributeValue::S("1".to_owned()),
        AttributeValue::Null(true),
    ] {
        let mut item = raw(&db).await.remove("SESSION#a").unwrap();
        item.insert("ttl".to_owned(), no_time);
        let put = db.client().put_item().table_name(db.name().unwrap());
        put.set_item(Some(item)).send().await.unwrap();
        let there = session(None, 2).create().or_expired().send(&db).await;
        assert!(there.unwrap_err().is_condition_failed());
    }
}

#[tokio::test]
async fn a_transaction_and_a_condition_of_ones_own_go_with_it() {
    let (db, clock) = db().await;
    session(Some(1_500), 1).create().send(&db).await.unwrap();
    clock.set(1_600);
    let two = session(None, 2);
    let over = |hits| two.create().or_expired().when(Session::HITS.eq(hits));
    assert!(over(7).send(&db).await.unwrap_err().is_condition_failed());
    let old = over(1).returning_old().send(&db).await.unwrap();
    assert_eq!(old.unwrap().hits, 1);
    Session::delete_loaded(&stored(&db).await)
        .send(&db)
        .await
        .unwrap();
    session(Some(1_700), 3).create().send(&db).await.unwrap();
    let new = session(None, 4);
    let send = || db.transact().put(new.create().or_expired()).send();
    assert!(send().await.unwrap_err().is_condition_failed());
    clock.set(1_700);
    send().await.unwrap();
    assert_eq!(stored(&db).await.hits, 4);
}

#[tokio::test]
async fn unique_values_of_the_expired_item_are_free() {
    let (db, clock) = db().await;
    let old = Seat {
        row: Some(7),
        ..seat("a", "x", Some(1_500))
    };
    old.create().send(&db).await.unwrap();
    clock.set(1_500);
    let new = Seat {
        row: Some(7),
        ..seat("a", "y", Some(3_000))
    };
    let returned = new.create().or_expired().returning_old().send(&db).await;
    assert!(
        returned
            .unwrap_err()
            .to_string()
            .contains("cannot return items")
    );
    new.create().or_expired().send(&db).await.unwrap();
    let ttls = ttls(&db).await;
    assert_eq!(ttls["UNIQUE#Seat#code#y"], Some(3_000));
    assert_eq!(ttls["UNIQUE#Seat#row#7"], Some(3_000));
    // DynamoDB deletes it, and until then anyone can take it.
    assert_eq!(ttls["UNIQUE#Seat#code#x"], Some(1_500));
    seat("b", "x", None).create().send(&db).await.unwrap();
    let taken = seat("c", "y", None).create().send(&db).await;
    assert!(taken.unwrap_err().is_not_unique());
    let late = seat("b", "z", None).create().or_expired().send(&db).await;
    assert!(late.unwrap_err().is_condition_failed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_many_concurrent_creates_over_an_expired_item_wins() {
    let (db, clock) = db().await;
    session(Some(1_500), 0).create().send(&db).await.unwrap();
    clock.set(1_500);
    let tasks = (1..=32).map(|n| {
        let db = db.clone();
        tokio::spawn(async move {
            let sent = session(Some(9_000), n)
                .create()
                .or_expired()
                .send(&db)
                .await;
            let lost = |error: dyna_runtime::Error| assert!(error.is_condition_failed(), "{error}");
            sent.map_err(lost).ok().map(|()| n)
        })
    });
    let mut winners = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        winners.extend(task.await.unwrap());
    }
    assert_eq!(winners, [stored(&db).await.hits]);
}
