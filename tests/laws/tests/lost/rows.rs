//! What the rows of the table in `dyna_runtime::guide::lost_responses` say of each request, where it is not refused.

use super::faults::{Fault, Faults, LOST};
use super::{Account, Counter, Lost, Page, account, counter, page};
use dyna_runtime::{DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime};

/// A table with these faults, a counter, a page of version 1 and an account.
async fn stored(faults: &[Fault]) -> (Faults, Table<Lost>, Page) {
    let (server, db) = Faults::table::<Lost>(faults).await;
    let now = || SystemTime::UNIX_EPOCH + Duration::from_hours(490_896);
    let direct = server.direct::<Lost>().with_clock(now);
    counter("a").create().send(&direct).await.unwrap();
    account("a").create().send(&direct).await.unwrap();
    let page = page("a", "old")
        .create()
        .returning_new()
        .send(&direct)
        .await
        .unwrap();
    (server, db.with_clock(now), page)
}

async fn load_counter(db: &Table<Lost>) -> Counter {
    let read = Counter::get("a").consistent().send(db).await;
    read.unwrap().unwrap()
}

/// A, B, A: what another wrote in between is lost, although it was acknowledged after the first.
#[tokio::test(start_paused = true)]
async fn a_plain_put_is_written_again_over_what_another_wrote() {
    for is_once in [false, true] {
        let (server, db, _) = stored(&[Fault::AppliedThenSilence]).await;
        let put = tokio::spawn(async move {
            let mine = Counter {
                count: 1,
                ..counter("a")
            };
            if is_once {
                mine.put().once().send(&db).await
            } else {
                mine.put().send(&db).await
            }
        });
        // The first attempt has been applied, and its client still waits.
        tokio::time::sleep(Duration::from_millis(500)).await;
        let direct = server.direct::<Lost>();
        assert_eq!(load_counter(&direct).await.count, 1);
        let other = Counter {
            count: 2,
            ..counter("a")
        };
        other.put().send(&direct).await.unwrap();
        put.await.unwrap().unwrap();
        let expected = if is_once { 2 } else { 1 };
        assert_eq!(load_counter(&direct).await.count, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn an_update_by_key_counts_the_version_twice() {
    for lost in LOST {
        let (_, db, _) = stored(&[lost]).await;
        let update = || Page::update("a").set(Page::TEXT, "new");
        update().send(&db).await.unwrap();
        let read = Page::get("a").send(&db).await.unwrap().unwrap();
        assert_eq!(read.version, 3);
        let (_, db, _) = stored(&[lost]).await;
        update().once().send(&db).await.unwrap();
        let read = Page::get("a").send(&db).await.unwrap().unwrap();
        assert_eq!(read.version, 2);
    }
}

#[tokio::test(start_paused = true)]
async fn returning_old_may_return_what_the_first_attempt_wrote() {
    for lost in LOST {
        let (_, db, _) = stored(&[lost]).await;
        let new = Counter {
            count: 7,
            ..counter("a")
        };
        let old = new.put().returning_old().send(&db).await.unwrap();
        assert_eq!(old.unwrap().count, 7);
        let (_, db, _) = stored(&[lost]).await;
        let update = Counter::update("a").add(Counter::COUNT, 1);
        let old = update.returning_old().send(&db).await.unwrap();
        assert_eq!(old.unwrap().count, 1);
        let (_, db, _) = stored(&[lost]).await;
        let old = Counter::delete("a").returning_old().send(&db).await;
        assert_eq!(old.unwrap(), None);
    }
}

#[tokio::test(start_paused = true)]
async fn prepend_may_be_applied_twice() {
    for lost in LOST {
        let (_, db, _) = stored(&[lost]).await;
        let update = || Counter::update("a").prepend(Counter::LOG, ["x"]);
        update().send(&db).await.unwrap();
        assert_eq!(load_counter(&db).await.log.len(), 2);
        let (_, db, _) = stored(&[lost]).await;
        update().once().send(&db).await.unwrap();
        assert_eq!(load_counter(&db).await.log.len(), 1);
    }
}

/// A condition that holds after the first attempt lets the repeat pass, and one that does not refuses it.
#[tokio::test(start_paused = true)]
async fn a_condition_refuses_the_repeat_only_if_the_first_attempt_made_it_false() {
    for lost in LOST {
        let add = || Counter::update("a").add(Counter::COUNT, 1);
        let (_, db, _) = stored(&[lost]).await;
        let holds = add().when(Counter::COUNT.lt(5));
        holds.send(&db).await.unwrap();
        assert_eq!(load_counter(&db).await.count, 2);
        let (_, db, _) = stored(&[lost]).await;
        let is_over = add().when(Counter::COUNT.eq(0));
        let error = is_over.send(&db).await.unwrap_err();
        assert!(error.is_outcome_unknown() && !error.is_condition_failed());
        assert_eq!(load_counter(&db).await.count, 1);
        let (_, db, _) = stored(&[lost]).await;
        add()
            .when(Counter::COUNT.eq(0))
            .once()
            .send(&db)
            .await
            .unwrap();
        assert_eq!(load_counter(&db).await.count, 1);
        // Without a version, an item that was replaced can be replaced again.
        let (server, db, _) = stored(&[lost]).await;
        counter("a").replace().send(&db).await.unwrap();
        assert_eq!(server.happened(), [lost, Fault::None]);
    }
}

type Sent<'a> = Pin<Box<dyn Future<Output = Result<(), Error>> + 'a>>;
type Send = for<'a> fn(&'a Table<Lost>, &'a Page) -> Sent<'a>;

/// Every kind of single write, sent once.
const ONCE: [(&str, Send); 15] = [
    ("put", |db, _| {
        Box::pin(async { counter("a").put().once().send(db).await })
    }),
    ("put of a version", |db, page| {
        Box::pin(page.put().once().send(db))
    }),
    ("create", |db, _| {
        Box::pin(async { page("new", "new").create().once().send(db).await })
    }),
    ("create of a unique value", |db, _| {
        Box::pin(async { account("new").create().once().send(db).await })
    }),
    ("replace", |db, page| {
        Box::pin(page.replace().once().send(db))
    }),
    ("put when", |db, _| {
        Box::pin(async {
            let new = counter("a");
            let put = new.put().when(Counter::COUNT.eq(0)).once();
            put.send(db).await
        })
    }),
    ("update", |db, _| {
        Box::pin(Page::update("a").set(Page::TEXT, "new").once().send(db))
    }),
    ("update_loaded", |db, page| {
        let update = Page::update_loaded(page).set(Page::TEXT, "new");
        Box::pin(update.once().send(db))
    }),
    ("update_loaded of a unique value", |db, _| {
        Box::pin(async {
            let loaded = account("a");
            let update = Account::update_loaded(&loaded).set(Account::EMAIL, "new");
            update.once().send(db).await
        })
    }),
    ("add and append", |db, _| {
        let update = Counter::update("a").add(Counter::COUNT, 1);
        Box::pin(update.append(Counter::LOG, ["x"]).once().send(db))
    }),
    ("prepend", |db, _| {
        let update = Counter::update("a").prepend(Counter::LOG, ["x"]);
        Box::pin(update.once().send(db))
    }),
    ("upsert", |db, _| {
        let upsert = Counter::upsert("new").add(Counter::COUNT, 1);
        Box::pin(upsert.append(Counter::LOG, ["x"]).once().send(db))
    }),
    ("delete", |db, _| {
        Box::pin(Counter::delete("a").once().send(db))
    }),
    ("delete when", |db, _| {
        let delete = Counter::delete("a").when(Counter::COUNT.eq(0));
        Box::pin(delete.once().send(db))
    }),
    ("delete_loaded", |db, page| {
        Box::pin(Page::delete_loaded(page).once().send(db))
    }),
];

/// Every item of the table.
async fn contents(server: &Faults) -> Vec<Lost> {
    let mut all = Lost::scan().all(&server.direct::<Lost>()).await.unwrap();
    all.sort_by_key(|item| format!("{item:?}"));
    all
}

#[tokio::test(start_paused = true)]
async fn every_write_that_is_sent_once_is_applied_once_whichever_response_is_lost() {
    for (name, write) in ONCE {
        let (server, db, page) = stored(&[]).await;
        write(&db, &page).await.unwrap();
        let expected = contents(&server).await;
        let (before, ..) = stored(&[]).await;
        if name != "put" && name != "put when" {
            assert_ne!(expected, contents(&before).await, "{name}");
        }
        for lost in LOST {
            for before in 0..3 {
                let mut faults = vec![Fault::Throttled; before];
                faults.push(lost);
                let (server, db, page) = stored(&faults).await;
                let sent = write(&db, &page).await;
                let context = format!("{name} {lost:?} at {before}");
                sent.unwrap_or_else(|error| panic!("{context}: {error}"));
                assert_eq!(contents(&server).await, expected, "{context}");
                assert_eq!(server.happened().len(), before + 2, "{context}");
            }
        }
    }
}

/// A conflict says that the last attempt was not applied, and nothing of the one before it.
#[tokio::test(start_paused = true)]
async fn a_conflict_after_a_lost_response_leaves_the_outcome_unknown() {
    for lost in LOST {
        let faults = [&[lost][..], &[Fault::Conflict; 20]].concat();
        for (name, write) in ONCE {
            let (_, db, page) = stored(&faults).await;
            let error = write(&db, &page).await.unwrap_err();
            assert!(error.is_outcome_unknown(), "{name}: {error}");
            assert!(!error.is_transaction_conflict(), "{name}: {error}");
        }
        let (_, db, _) = stored(&faults).await;
        let error = counter("a").put().send(&db).await.unwrap_err();
        assert!(error.is_outcome_unknown() && !error.is_transaction_conflict());
    }
    let (_, db, _) = stored(&[Fault::Conflict; 20]).await;
    let error = counter("a").put().send(&db).await.unwrap_err();
    assert!(error.is_transaction_conflict() && !error.is_outcome_unknown());
    let error = counter("a").put().once().send(&db).await.unwrap_err();
    assert!(error.is_transaction_conflict() && !error.is_outcome_unknown());
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "lines", pk = "pk", sk = "sk"),
    pk = "LIST#<list>",
    sk = "<n:03>"
)]
struct Line {
    list: String,
    n: u32,
}

#[tokio::test(start_paused = true)]
async fn a_query_is_repeated_after_a_lost_response() {
    for lost in LOST {
        let plan = move |n: usize, _: &str| if n < 2 { lost } else { Fault::None };
        let (server, db) = Faults::planned_with_reads::<Line>(|_, _| Fault::None, plan).await;
        let line = Line {
            list: "a".to_owned(),
            n: 1,
        };
        line.put().send(&db).await.unwrap();
        assert_eq!(Line::query("a").all(&db).await.unwrap(), [line]);
        assert_eq!(server.reads(), 3);
    }
}
