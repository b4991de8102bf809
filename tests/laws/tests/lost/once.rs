//! `.once()`: a single write as a transaction with a token.

use super::faults::{Fault, Faults, LOST};
use super::{Account, Counter, Lost, Page, account, counter, page};
use dyna_runtime::Table;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// A clock that is never the same twice.
fn ticking(db: Table<Lost>) -> Table<Lost> {
    let ticks = AtomicU64::new(1_763_424_000);
    db.with_clock(move || {
        let seconds = ticks.fetch_add(1, Ordering::Relaxed);
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    })
}

#[tokio::test(start_paused = true)]
async fn a_repeat_has_the_same_token_and_the_same_bytes() {
    for lost in LOST {
        for count in 1..6 {
            let faults = vec![lost; count];
            let (server, db) = Faults::table::<Lost>(&faults).await;
            let db = ticking(db);
            page("a", "one").create().once().send(&db).await.unwrap();
            assert_eq!(server.happened().len(), count + 1);
            let bodies = server.bodies("TransactWriteItems");
            assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
            let stored = Page::get("a").send(&db).await.unwrap().unwrap();
            assert_eq!(stored.version, 1);
        }
    }
}

/// A table that loses the responses of the first two attempts of every write.
async fn losing(lost: Fault) -> (Faults, Table<Lost>) {
    let (server, db) = Faults::planned::<Lost>(move |n, _| match n % 3 {
        2 => Fault::None,
        _ => lost,
    })
    .await;
    (server, ticking(db))
}

#[tokio::test(start_paused = true)]
async fn versions_times_and_conditions_are_those_of_one_write() {
    for lost in LOST {
        let (server, db) = losing(lost).await;
        let load = || async { Page::get("a").consistent().send(&db).await.unwrap() };
        page("a", "one").create().once().send(&db).await.unwrap();
        let one = load().await.unwrap();
        assert_eq!((one.version, one.created), (1, one.updated));
        let two = Page {
            text: "two".to_owned(),
            ..one.clone()
        };
        two.put().once().send(&db).await.unwrap();
        let two = load().await.unwrap();
        assert_eq!((two.version, two.created), (2, one.created));
        assert!(two.updated > one.updated);
        let error = one.replace().once().send(&db).await.unwrap_err();
        assert!(error.is_version_conflict() && !error.is_outcome_unknown());
        assert_eq!(error.current_item::<Page>().unwrap().unwrap(), two);
        two.replace().once().send(&db).await.unwrap();
        let three = load().await.unwrap();
        let update = Page::update_loaded(&three).set(Page::TEXT, "four");
        update
            .when(Page::TEXT.eq("two"))
            .once()
            .send(&db)
            .await
            .unwrap();
        let four = load().await.unwrap();
        assert_eq!((four.version, four.text.as_str()), (4, "four"));
        let update = Page::update("a").set(Page::TEXT, "five");
        update.once().send(&db).await.unwrap();
        let refused = || {
            let update = Page::update("a").set(Page::TEXT, "six");
            update.when(Page::TEXT.eq("four")).once()
        };
        let error = refused().send(&server.direct::<Lost>()).await.unwrap_err();
        assert!(error.is_condition_failed() && !error.is_outcome_unknown());
        // An attempt that was lost may still arrive, when the condition holds.
        let error = refused().send(&db).await.unwrap_err();
        assert!(error.is_outcome_unknown() && !error.is_condition_failed());
        let found = error.current_item::<Page>().unwrap().unwrap();
        assert_eq!(found.text, "five");
        let error = Page::delete_loaded(&four)
            .once()
            .send(&db)
            .await
            .unwrap_err();
        assert!(error.is_version_conflict());
        Page::delete_loaded(&load().await.unwrap())
            .once()
            .send(&db)
            .await
            .unwrap();
        assert_eq!(load().await, None);
    }
}

#[tokio::test(start_paused = true)]
async fn upsert_append_and_delete_by_key_are_applied_once() {
    for lost in LOST {
        let (_, db) = losing(lost).await;
        for _ in 0..3 {
            let upsert = Counter::upsert("a").add(Counter::COUNT, 1);
            upsert
                .append(Counter::LOG, ["x"])
                .once()
                .send(&db)
                .await
                .unwrap();
        }
        let stored = Counter::get("a").send(&db).await.unwrap().unwrap();
        assert_eq!((stored.count, stored.log.len()), (3, 3));
        Counter::delete("a")
            .when(Counter::COUNT.eq(3))
            .once()
            .send(&db)
            .await
            .unwrap();
        Counter::delete("a").once().send(&db).await.unwrap();
        assert_eq!(Counter::get("a").send(&db).await.unwrap(), None);
    }
}

#[tokio::test(start_paused = true)]
async fn unique_fields_and_expiry_go_with_it() {
    for lost in LOST {
        let (server, db) = losing(lost).await;
        account("ann").create().once().send(&db).await.unwrap();
        let other = Account {
            id: "bob".to_owned(),
            ..account("ann")
        };
        let direct = server.direct::<Lost>();
        let error = other.create().once().send(&direct).await.unwrap_err();
        assert!(error.is_not_unique() && !error.is_outcome_unknown());
        // An attempt that was lost may still arrive, when the value is free.
        let error = other.create().once().send(&db).await.unwrap_err();
        assert!(error.is_outcome_unknown() && !error.is_not_unique());
        let ann = Account::get("ann").send(&db).await.unwrap().unwrap();
        Account::update_loaded(&ann)
            .set(Account::EMAIL, "new")
            .once()
            .send(&db)
            .await
            .unwrap();
        other.create().once().send(&db).await.unwrap();
        // One that has expired gives way.
        let over = db
            .clone()
            .with_clock(|| SystemTime::UNIX_EPOCH + Duration::from_secs(4_000_000_001));
        let later = Account {
            ends: 5_000_000_000,
            ..other
        };
        later
            .create()
            .or_expired()
            .once()
            .send(&over)
            .await
            .unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn whole_item_that_is_written_once_is_returned() {
    for lost in LOST {
        let (_, db) = losing(lost).await;
        let load = || async { Page::get("a").consistent().send(&db).await.unwrap() };
        let created = page("a", "one")
            .create()
            .once()
            .returning_new()
            .send(&db)
            .await
            .unwrap();
        assert_eq!((created.version, created.text.as_str()), (1, "one"));
        assert_eq!(load().await, Some(created.clone()));
        let put = created.put().once().returning_new().send(&db).await;
        let put = put.unwrap();
        assert_eq!((put.version, put.created), (2, created.created));
        assert_eq!(load().await, Some(put.clone()));
        let replaced = put.replace().once().returning_new().send(&db).await;
        assert_eq!(load().await, Some(replaced.unwrap()));
        let stale = created.put().once().returning_new().send(&db).await;
        assert!(stale.unwrap_err().is_version_conflict());
        let account = account("ann")
            .create()
            .once()
            .returning_new()
            .send(&db)
            .await
            .unwrap();
        assert_eq!(Account::get("ann").send(&db).await.unwrap(), Some(account));
    }
}

#[tokio::test]
async fn it_shows_the_transaction_that_it_is() {
    let explained = Counter::update("a").add(Counter::COUNT, 1).once().explain();
    assert_eq!(explained.operation(), "TransactWriteItems");
    for explained in [
        counter("a").put().once().explain(),
        counter("a").put().once().returning_new().explain(),
    ] {
        assert_eq!(explained.get("0"), Some("Put lost"));
    }
}
