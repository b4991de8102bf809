//! A version that `create().or_expired()` starts with is one that nobody has loaded.

use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "locks", pk = "pk", ttl = "ttl"), pk = "LOCK#<name>")]
struct Lock {
    name: String,
    holder: String,
    #[dyna(ttl)]
    lasts: Duration,
    #[dyna(version)]
    version: u64,
}

fn lock(holder: &str, millis: u64) -> Lock {
    Lock {
        name: "daily".to_owned(),
        holder: holder.to_owned(),
        lasts: Duration::from_millis(millis),
        version: 0,
    }
}

async fn db() -> (Table<Lock>, Arc<AtomicU64>) {
    let clock = Arc::new(AtomicU64::new(1_000_000));
    let now = Arc::clone(&clock);
    let db = Lock::embedded().await.unwrap();
    let db = db.with_clock(move || {
        SystemTime::UNIX_EPOCH + Duration::from_millis(now.load(Ordering::Relaxed))
    });
    (db, clock)
}

async fn stored(db: &Table<Lock>) -> Lock {
    Lock::get("daily").send(db).await.unwrap().unwrap()
}

#[tokio::test]
async fn items_created_in_one_second_have_different_versions() {
    let (db, clock) = db().await;
    lock("ann", 200)
        .create()
        .or_expired()
        .send(&db)
        .await
        .unwrap();
    let ann = stored(&db).await;
    clock.fetch_add(500, Ordering::Relaxed);
    let bob = lock("bob", 60_000).create().or_expired().send(&db).await;
    if bob.is_ok() {
        let put = ann.put().send(&db).await;
        assert!(put.is_err(), "who lost the lock has written over it");
    }
}

#[tokio::test]
async fn a_version_that_counted_past_the_seconds_does_not_come_back() {
    let (db, clock) = db().await;
    lock("ann", 2_000)
        .create()
        .or_expired()
        .send(&db)
        .await
        .unwrap();
    let mut loaded = vec![stored(&db).await];
    for _ in 0..10 {
        let last = stored(&db).await;
        Lock::update_loaded(&last)
            .set(Lock::HOLDER, "ann".to_owned())
            .send(&db)
            .await
            .unwrap();
        loaded.push(stored(&db).await);
    }
    clock.fetch_add(3_000, Ordering::Relaxed);
    let bob = lock("bob", 60_000).create().or_expired().send(&db).await;
    if bob.is_ok() {
        for _ in 0..12 {
            for old in &loaded {
                let put = old.put().send(&db).await;
                assert!(put.is_err(), "who lost the lock has written over it");
            }
            let last = stored(&db).await;
            let set = Lock::update_loaded(&last).set(Lock::HOLDER, "bob".to_owned());
            set.send(&db).await.unwrap();
        }
    }
    // Once its clock is past all of them, it is created.
    clock.fetch_add(100_000, Ordering::Relaxed);
    lock("cid", 60_000)
        .create()
        .or_expired()
        .send(&db)
        .await
        .unwrap();
    for old in &loaded {
        assert!(old.put().send(&db).await.is_err());
    }
}
