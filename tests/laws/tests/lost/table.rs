//! The table of `dyna_runtime::guide::lost_responses`, request by request.

use super::faults::{Fault, Faults, LOST};
use super::{Account, Counter, Lost, Page, account, counter, page};
use dyna_runtime::{Error, Table};
use std::future::Future;
use std::pin::Pin;

type Sent<'a> = Pin<Box<dyn Future<Output = Result<(), Error>> + 'a>>;
type Send = for<'a> fn(&'a Table<Lost>, &'a Page) -> Sent<'a>;

/// Every single write of one item that is there with version 1, under its name.
const WRITES: [(&str, Send); 12] = [
    ("put", |db, page| Box::pin(page.put().send(db))),
    ("create", |db, _| {
        Box::pin(async { counter("new").create().send(db).await })
    }),
    ("returning_old", |db, _| {
        Box::pin(async {
            let old = counter("a").put().returning_old().send(db).await;
            old.map(|_| ())
        })
    }),
    ("when", |db, _| {
        let delete = Counter::delete("a").when(Counter::COUNT.lt(5));
        Box::pin(delete.send(db))
    }),
    ("add", |db, _| {
        Box::pin(Counter::update("a").add(Counter::COUNT, 1).send(db))
    }),
    ("prepend", |db, _| {
        Box::pin(Counter::update("a").prepend(Counter::LOG, ["x"]).send(db))
    }),
    ("replace", |db, page| Box::pin(page.replace().send(db))),
    ("update", |db, _| {
        Box::pin(Page::update("a").set(Page::TEXT, "new").send(db))
    }),
    ("update_loaded", |db, page| {
        Box::pin(Page::update_loaded(page).set(Page::TEXT, "new").send(db))
    }),
    ("upsert", |db, _| {
        Box::pin(
            Counter::upsert("a")
                .set(Counter::COUNT, 7)
                .set(Counter::LOG, Vec::new())
                .send(db),
        )
    }),
    ("delete", |db, _| Box::pin(Counter::delete("a").send(db))),
    ("delete_loaded", |db, page| {
        Box::pin(Page::delete_loaded(page).send(db))
    }),
];

/// A table with these faults, and what is stored in it.
async fn stored(faults: &[Fault]) -> (Faults, Table<Lost>, Page) {
    let (server, db) = Faults::table::<Lost>(faults).await;
    let direct = server.direct::<Lost>();
    counter("a").create().send(&direct).await.unwrap();
    let page = page("a", "old")
        .create()
        .returning_new()
        .send(&direct)
        .await;
    (server, db, page.unwrap())
}

fn assert_unknown(error: &Error, context: &str) {
    assert!(error.is_outcome_unknown(), "{context}: {error}");
    let claims = error.is_condition_failed()
        || error.is_version_conflict()
        || error.is_not_unique()
        || error.is_throttled()
        || error.is_transaction_conflict();
    assert!(!claims, "{context}: {error}");
    assert!(
        error
            .to_string()
            .contains(": the write may have been applied; "),
        "{context}: {error}"
    );
}

#[tokio::test(start_paused = true)]
async fn put_and_delete_are_repeated_after_a_lost_response() {
    for lost in LOST {
        let (server, db) = Faults::table::<Lost>(&[lost, lost]).await;
        counter("a").put().send(&db).await.unwrap();
        assert_eq!(server.happened(), [lost, lost, Fault::None]);
        let read = Counter::get("a").send(&db).await.unwrap();
        assert_eq!(read, Some(counter("a")));
        let (server, db, _) = stored(&[lost, lost]).await;
        Counter::delete("a").send(&db).await.unwrap();
        assert_eq!(server.happened(), [lost, lost, Fault::None]);
        assert_eq!(Counter::get("a").send(&db).await.unwrap(), None);
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_without_any_response_is_of_unknown_outcome() {
    for (name, write) in WRITES {
        for fault in LOST.into_iter().chain([Fault::Reset, Fault::Http500]) {
            let (_, db, page) = stored(&[fault; 20]).await;
            let error = write(&db, &page).await.unwrap_err();
            assert_unknown(&error, &format!("{name} {fault:?}"));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_that_is_refused_after_a_lost_response_is_of_unknown_outcome() {
    for (name, write) in WRITES {
        for lost in LOST {
            for last in [
                Fault::Throttled,
                Fault::Refused,
                Fault::Conflict,
                Fault::AppliedThenSilence,
            ] {
                let faults = [lost, last, last, last, last, last, last, last];
                let (_, db, page) = stored(&faults).await;
                let error = write(&db, &page).await.unwrap_err();
                assert_unknown(&error, &format!("{name} {lost:?} {last:?}"));
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_that_was_never_sent_or_always_refused_has_failed() {
    for (name, write) in WRITES {
        for fault in [Fault::Throttled, Fault::Refused, Fault::NotConnected] {
            let (server, db, page) = stored(&[fault; 20]).await;
            let error = write(&db, &page).await.unwrap_err();
            assert!(!error.is_outcome_unknown(), "{name} {fault:?}: {error}");
            assert_eq!(error.is_throttled(), fault == Fault::Throttled);
            let direct = server.direct::<Lost>();
            assert_eq!(Page::get("a").send(&direct).await.unwrap(), Some(page));
        }
    }
}

/// A socket that is connected reports so when its packets are lost.
#[tokio::test(start_paused = true)]
async fn a_host_that_is_unreachable_after_sending_leaves_the_outcome_unknown() {
    use std::io::ErrorKind;
    for kind in [
        ErrorKind::HostUnreachable,
        ErrorKind::NetworkUnreachable,
        ErrorKind::ConnectionRefused,
    ] {
        for (name, write) in WRITES {
            let (_, db, page) = stored(&[Fault::AppliedThenUnreachable(kind); 20]).await;
            let error = write(&db, &page).await.unwrap_err();
            assert_unknown(&error, &format!("{name} {kind:?}"));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn create_after_a_lost_response_is_of_unknown_outcome() {
    for lost in LOST.into_iter().chain([Fault::Reset]) {
        let (server, db) = Faults::table::<Lost>(&[lost]).await;
        if lost == Fault::Reset {
            // Someone else creates the same: with the same content, it is the same item.
            let direct = server.direct::<Lost>();
            counter("a").create().send(&direct).await.unwrap();
        }
        let error = counter("a").create().send(&db).await.unwrap_err();
        assert_unknown(&error, &format!("{lost:?}"));
        assert!(error.is_stored_as_written(), "{error}");
        let found = error.current_item::<Counter>().unwrap().unwrap();
        assert_eq!(found, counter("a"));
    }
}

#[tokio::test(start_paused = true)]
async fn create_that_finds_another_item_after_a_lost_response_does_not_fail_cleanly() {
    let (server, db) = Faults::table::<Lost>(&[Fault::Reset]).await;
    let other = Counter {
        count: 7,
        ..counter("a")
    };
    other.create().send(&server.direct::<Lost>()).await.unwrap();
    let error = counter("a").create().send(&db).await.unwrap_err();
    assert_unknown(&error, "create");
    assert!(!error.is_stored_as_written());
    assert_eq!(error.current_item::<Counter>().unwrap().unwrap(), other);
}

#[tokio::test(start_paused = true)]
async fn a_version_conflict_after_a_lost_response_is_of_unknown_outcome() {
    for lost in LOST {
        let (_, db, old) = stored(&[lost]).await;
        let new = Page {
            text: "new".to_owned(),
            ..old
        };
        let error = new.put().send(&db).await.unwrap_err();
        assert_unknown(&error, "put");
        assert!(error.is_stored_as_written(), "{error}");
        assert_eq!(error.current_item::<Page>().unwrap().unwrap().version, 2);

        let (_, db, old) = stored(&[lost]).await;
        let update = Page::update_loaded(&old).set(Page::TEXT, "new");
        let error = update.send(&db).await.unwrap_err();
        assert_unknown(&error, "update_loaded");
        assert!(error.is_stored_as_written(), "{error}");

        let (_, db, old) = stored(&[lost]).await;
        let error = Page::delete_loaded(&old).send(&db).await.unwrap_err();
        assert_unknown(&error, "delete_loaded");
        assert!(error.is_stored_as_written(), "{error}");
    }
    // Someone else was there in between: the version does not tell.
    let (server, db, old) = stored(&[Fault::Reset]).await;
    for text in ["other", "another"] {
        let other = Page::update("a").set(Page::TEXT, text);
        other.send(&server.direct::<Lost>()).await.unwrap();
    }
    let update = Page::update_loaded(&old).set(Page::TEXT, "new");
    let error = update.send(&db).await.unwrap_err();
    assert_unknown(&error, "update_loaded");
    assert!(!error.is_stored_as_written(), "{error}");
}

/// The next version with other content is somebody else's, and the write can never be applied after it.
#[tokio::test(start_paused = true)]
async fn next_version_with_other_content_is_a_version_conflict_after_a_lost_response() {
    type Write = for<'a> fn(&'a Table<Lost>, &'a Page) -> Sent<'a>;
    let writes: [(&str, Write); 3] = [
        ("put", |db, page| Box::pin(page.put().send(db))),
        ("replace", |db, page| Box::pin(page.replace().send(db))),
        ("update_loaded", |db, page| {
            let update = Page::update_loaded(page).set(Page::TEXT, "new");
            Box::pin(update.send(db))
        }),
    ];
    for (name, write) in writes {
        let (server, db, mut old) = stored(&[Fault::Reset]).await;
        let other = Page::update_loaded(&old).set(Page::TEXT, "other");
        other.send(&server.direct::<Lost>()).await.unwrap();
        old.text = "new".to_owned();
        let error = write(&db, &old).await.unwrap_err();
        if Faults::IS_INTERCEPTED {
            // What an interceptor wrote cannot be compared.
            assert_unknown(&error, name);
            continue;
        }
        assert!(error.is_version_conflict(), "{name}: {error}");
        assert!(!error.is_outcome_unknown(), "{name}: {error}");
        let found = error.current_item::<Page>().unwrap().unwrap();
        assert_eq!((found.version, found.text.as_str()), (2, "other"));
    }
    // Of a number that is added to, the content does not tell.
    let (server, db, old) = stored(&[Fault::Reset]).await;
    let other = Page::update_loaded(&old).set(Page::TEXT, "new");
    other.send(&server.direct::<Lost>()).await.unwrap();
    let error = Page::delete_loaded(&old).send(&db).await.unwrap_err();
    assert_unknown(&error, "delete_loaded");
}

#[tokio::test(start_paused = true)]
async fn a_condition_that_fails_without_a_lost_response_has_failed() {
    for before in [&[][..], &[Fault::Throttled], &[Fault::NotConnected]] {
        let (_, db, old) = stored(before).await;
        let error = counter("a").create().send(&db).await.unwrap_err();
        assert!(error.is_condition_failed() && !error.is_outcome_unknown());
        assert!(!error.is_stored_as_written());
        let stale = Page { version: 7, ..old };
        let error = stale.put().send(&db).await.unwrap_err();
        assert!(error.is_version_conflict() && !error.is_outcome_unknown());
    }
}

/// What the documentation of `add` and `append` warns of.
#[tokio::test(start_paused = true)]
async fn add_and_append_may_be_applied_twice() {
    for lost in LOST {
        let (_, db, _) = stored(&[lost]).await;
        let update = Counter::update("a").add(Counter::COUNT, 1);
        update.append(Counter::LOG, ["x"]).send(&db).await.unwrap();
        let stored = Counter::get("a").send(&db).await.unwrap().unwrap();
        assert_eq!((stored.count, stored.log.len()), (2, 2));
    }
}

#[tokio::test(start_paused = true)]
async fn transactions_unique_fields_and_rekey_are_applied_once() {
    for lost in LOST {
        // More than the SDK repeats: the same token goes with all of them.
        let faults = [lost, lost, lost, lost];
        let (server, db, _) = stored(&faults).await;
        let add = Counter::update("a").add(Counter::COUNT, 1);
        db.transact().update(add).send().await.unwrap();
        assert_eq!(server.happened().len(), 5);
        let bodies = server.bodies("TransactWriteItems");
        assert!(bodies.iter().all(|body| *body == bodies[0]));
        let stored_count = Counter::get("a").send(&db).await.unwrap().unwrap().count;
        assert_eq!(stored_count, 1);

        let (_, db, _) = stored(&faults).await;
        account("ann").create().send(&db).await.unwrap();
        let error = account("ann").create().send(&db).await.unwrap_err();
        assert!(!error.is_outcome_unknown(), "{error}");
        let read = Account::get("ann").send(&db).await.unwrap();
        assert_eq!(read, Some(account("ann")));

        let (_, db, page) = stored(&faults).await;
        let moved = Page {
            id: "b".to_owned(),
            ..page.clone()
        };
        Page::rekey_loaded(&page, &moved).send(&db).await.unwrap();
        assert_eq!(Page::get("a").send(&db).await.unwrap(), None);
        assert!(Page::get("b").send(&db).await.unwrap().is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn a_transaction_that_is_cancelled_after_a_lost_attempt_may_be_applied_later() {
    // By its token DynamoDB would have known an attempt that was applied. One that was held back arrives when the item is gone.
    let (server, db) = Faults::table::<Lost>(&[Fault::Reset]).await;
    counter("a")
        .create()
        .send(&server.direct::<Lost>())
        .await
        .unwrap();
    let error = db
        .transact()
        .create(&counter("a"))
        .send()
        .await
        .unwrap_err();
    assert_unknown(&error, "create");
    assert_eq!(
        error.current_item::<Counter>().unwrap().unwrap(),
        counter("a")
    );
    assert_eq!(server.happened(), [Fault::Reset, Fault::None]);
}

/// A version that is over does not come back.
#[tokio::test(start_paused = true)]
async fn a_transaction_that_is_cancelled_for_a_version_that_is_over_has_failed() {
    let (server, db, old) = stored(&[Fault::Reset]).await;
    let other = Page::update_loaded(&old).set(Page::TEXT, "other");
    other.send(&server.direct::<Lost>()).await.unwrap();
    let update = Page::update_loaded(&old).set(Page::TEXT, "new");
    let error = db.transact().update(update).send().await.unwrap_err();
    assert!(error.is_version_conflict() && !error.is_outcome_unknown());
}

/// An interceptor that encrypts writes other bytes each time.
#[tokio::test(start_paused = true)]
async fn a_token_that_came_with_other_content_leaves_the_outcome_unknown() {
    let (server, db, _) = stored(&[Fault::OtherContent; 4]).await;
    let add = Counter::update("a").add(Counter::COUNT, 1);
    let error = db.transact().update(add).send().await.unwrap_err();
    assert_unknown(&error, "transact");
    assert!(error.to_string().contains("its token"), "{error}");
    assert_eq!(server.happened(), [Fault::OtherContent]);
}

/// Each attempt of its own, and the others are as they should be.
#[tokio::test(start_paused = true)]
async fn one_lost_response_at_any_attempt_is_repeated_or_of_unknown_outcome() {
    for lost in LOST {
        for (name, write) in WRITES {
            // Before it, attempts that were refused for a moment.
            for before in 0..3 {
                let mut faults = vec![Fault::Throttled; before];
                faults.push(lost);
                let (server, db, page) = stored(&faults).await;
                let sent = write(&db, &page).await;
                let context = format!("{name} {lost:?} at {before}");
                match sent {
                    // The SDK makes three attempts.
                    Ok(()) => assert!(before < 2, "{context}"),
                    Err(error) => assert_unknown(&error, &context),
                }
                assert!(server.happened().contains(&lost), "{context}");
            }
        }
        for before in 0..3 {
            let mut faults = vec![Fault::Throttled; before];
            faults.push(lost);
            let (_, db, _) = stored(&faults).await;
            let add = || Counter::update("a").add(Counter::COUNT, 1);
            add().once().send(&db).await.unwrap();
            db.transact().update(add()).send().await.unwrap();
            let read = Counter::get("a").send(&db).await.unwrap().unwrap();
            assert_eq!(read.count, 2, "{lost:?} at {before}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn reads_are_repeated_after_a_lost_response_at_any_attempt() {
    for lost in LOST {
        for before in 0..2 {
            // Each read has the same faults, and then none.
            let every = before + 2;
            let plan = move |n: usize, _: &str| match n % every {
                n if n < before => Fault::Throttled,
                n if n == before => lost,
                _ => Fault::None,
            };
            let (server, db) = Faults::planned_with_reads::<Lost>(|_, _| Fault::None, plan).await;
            counter("a").put().send(&db).await.unwrap();
            let one = vec![counter("a")];
            let read = Counter::get("a").send(&db).await.unwrap();
            assert_eq!(read, Some(counter("a")));
            assert_eq!(Counter::scan().all(&db).await.unwrap(), one);
            let found = db.batch_get([Counter::key("a")]).await.unwrap();
            assert_eq!(found.items, [Some(counter("a"))]);
            let found = db.transact_get((Counter::key("a"),)).await.unwrap();
            assert_eq!(found.0, Some(counter("a")));
            assert_eq!(server.reads(), 4 * every);
        }
        // Without any response a read has failed, and nothing is in doubt.
        let (_, db) =
            Faults::planned_with_reads::<Lost>(|_, _| Fault::None, move |_, _| lost).await;
        let error = Counter::get("a").send(&db).await.unwrap_err();
        assert!(!error.is_outcome_unknown(), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_transaction_whose_last_attempt_is_refused_is_of_unknown_outcome() {
    for lost in LOST {
        for last in [
            Fault::Throttled,
            Fault::Refused,
            Fault::Http500,
            Fault::AppliedThenSilence,
        ] {
            let mut faults = vec![last; 40];
            faults[0] = lost;
            let (_, db, _) = stored(&faults).await;
            let add = Counter::update("a").add(Counter::COUNT, 1);
            let error = db.transact().update(add).send().await.unwrap_err();
            assert_unknown(&error, &format!("{lost:?} {last:?}"));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_is_written_after_lost_responses() {
    for lost in LOST {
        let (_, db) = Faults::table::<Lost>(&[lost, lost]).await;
        let left = db.batch_write().put(&counter("a")).send().await.unwrap();
        assert!(left.is_empty());
        let (_, db) = Faults::table::<Lost>(&[lost, Fault::Throttled, Fault::Throttled]).await;
        let left = db.batch_write().put(&counter("a")).send().await.unwrap();
        assert!(left.is_empty());
        let (_, db) = Faults::table::<Lost>(&[lost; 40]).await;
        let error = db
            .batch_write()
            .put(&counter("a"))
            .send()
            .await
            .unwrap_err();
        assert_unknown(&error, "batch");
    }
}

/// Of 60 writes, 25 are made, and then DynamoDB refuses the rest or does not respond.
#[tokio::test(start_paused = true)]
async fn a_batch_that_stops_says_what_was_made() {
    let counters: Vec<Counter> = (0..60).map(|n| counter(&format!("{n:02}"))).collect();
    for (fault, unknown) in [(Fault::Refused, 0), (Fault::AppliedThenReset, 25)] {
        let plan = move |n: usize, _: &str| if n == 0 { Fault::None } else { fault };
        let (_, db) = Faults::planned::<Lost>(plan).await;
        let batch = db.batch_write().put_all(&counters).concurrency(1);
        let error = batch.send().await.unwrap_err();
        let Error::PartlyWritten { progress, .. } = &error else {
            panic!("{error}");
        };
        assert_eq!(
            (progress.written, progress.unknown, progress.left),
            (25, unknown, 35 - unknown)
        );
        assert!(error.is_outcome_unknown() && !error.is_throttled());
        assert!(error.to_string().starts_with("25 of 60 writes were made"));
        assert_eq!(error.request().unwrap().operation(), "BatchWriteItem");
    }
    // If the first is refused, nothing was made.
    let (_, db) = Faults::planned::<Lost>(|_, _| Fault::Refused).await;
    let batch = db.batch_write().put_all(&counters).concurrency(1);
    let error = batch.send().await.unwrap_err();
    assert!(!error.is_outcome_unknown(), "{error}");
    // What is refused is not the first error, if another chunk may have been made.
    let (_, db) = Faults::planned::<Lost>(|n, _| match n {
        0 => Fault::Refused,
        _ => Fault::AppliedThenReset,
    })
    .await;
    let batch = db.batch_write().put_all(&counters).concurrency(2);
    let error = batch.send().await.unwrap_err();
    assert!(error.is_outcome_unknown(), "{error}");
    assert_eq!(error.code(), Some("ExpiredTokenException"));
}
