//! Operations that run once per key, under lost responses and crashes.

use super::faults::{Fault, Faults, LOST};
use dyna_runtime::request::{Begun, OnceRecord, OnceState};
use dyna_runtime::{DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(name = "shop", pk = "pk", tag = "kind", ttl = "expires")]
enum Shop {
    Request(Request),
    Order(Order),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "REQUEST#<id>")]
struct Request {
    id: String,
    holder: Option<String>,
    order: Option<String>,
    #[dyna(created_at)]
    created: u64,
    #[dyna(ttl)]
    expires: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "ORDER#<id>")]
struct Order {
    id: String,
    items: u32,
}

impl OnceRecord for Request {
    type Output = String;

    fn state(&self) -> OnceState<String> {
        match (&self.order, &self.holder) {
            (Some(order), _) => OnceState::Done(order.clone()),
            (None, holder) => OnceState::Running {
                holder: holder.clone().unwrap_or_default(),
            },
        }
    }

    fn set_state(&mut self, state: OnceState<String>, expires: SystemTime) {
        (self.holder, self.order) = match state {
            OnceState::Running { holder } => (Some(holder), None),
            OnceState::Done(order) => (None, Some(order)),
        };
        self.expires = expires.duration_since(UNIX_EPOCH).unwrap().as_secs();
    }
}

fn request() -> Request {
    Request {
        id: "r1".to_owned(),
        holder: None,
        order: None,
        created: 0,
        expires: 0,
    }
}

/// A clock that the test moves.
#[derive(Clone, Default)]
struct Clock(Arc<AtomicU64>);

impl Clock {
    fn pass(&self, seconds: u64) {
        self.0.fetch_add(seconds, Ordering::Relaxed);
    }

    fn of(&self, db: Table<Shop>) -> Table<Shop> {
        let clock = self.clone();
        db.with_clock(move || {
            let seconds = 1_763_424_000 + clock.0.load(Ordering::Relaxed);
            UNIX_EPOCH + Duration::from_secs(seconds)
        })
    }
}

async fn shop(faults: &[Fault]) -> (Faults, Table<Shop>, Clock) {
    let (server, db) = Faults::table::<Shop>(faults).await;
    let clock = Clock::default();
    let db = clock.of(db);
    (server, db, clock)
}

/// Runs the operation, and counts how often it was run.
async fn run(db: &Table<Shop>, ran: &AtomicU64, output: &str) -> Result<String, Error> {
    let work = || async {
        ran.fetch_add(1, Ordering::Relaxed);
        Ok::<_, Error>(output.to_owned())
    };
    db.once(request()).run(work).await
}

#[tokio::test(start_paused = true)]
async fn repeat_returns_the_stored_result_after_any_lost_response() {
    for lost in LOST {
        for place in 0..8 {
            let mut faults = vec![Fault::None; place];
            faults.extend([lost, lost]);
            let (_, db, clock) = shop(&faults).await;
            let ran = AtomicU64::new(0);
            assert_eq!(run(&db, &ran, "one").await.unwrap(), "one");
            clock.pass(3600);
            assert_eq!(run(&db, &ran, "two").await.unwrap(), "one");
            assert_eq!(ran.load(Ordering::Relaxed), 1);
            // It is forgotten after a day.
            clock.pass(24 * 3600);
            assert_eq!(run(&db, &ran, "three").await.unwrap(), "three");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn running_operation_is_not_run_twice() {
    let (_, db, clock) = shop(&[]).await;
    let ran = AtomicU64::new(0);
    let Begun::Started(started) = db.once(request()).begin().await.unwrap() else {
        panic!("not started");
    };
    let error = run(&db, &ran, "two").await.unwrap_err();
    assert!(error.is_operation_running(), "{error}");
    clock.pass(59);
    assert!(
        run(&db, &ran, "two")
            .await
            .unwrap_err()
            .is_operation_running()
    );
    assert_eq!(started.finish("one".to_owned()).await.unwrap(), "one");
    assert_eq!(run(&db, &ran, "two").await.unwrap(), "one");
    assert_eq!(ran.load(Ordering::Relaxed), 0);
}

#[tokio::test(start_paused = true)]
async fn after_a_crash_the_next_try_runs_it_when_the_lock_has_ended() {
    let (_, db, clock) = shop(&[]).await;
    let ran = AtomicU64::new(0);
    drop(db.once(request()).begin().await.unwrap());
    assert!(
        run(&db, &ran, "two")
            .await
            .unwrap_err()
            .is_operation_running()
    );
    clock.pass(61);
    assert_eq!(run(&db, &ran, "two").await.unwrap(), "two");
}

#[tokio::test(start_paused = true)]
async fn operation_slower_than_its_lock_does_not_overwrite_the_result() {
    let (_, db, clock) = shop(&[]).await;
    let begin = || async {
        match db.once(request()).begin().await.unwrap() {
            Begun::Started(started) => started,
            Begun::Done(_) => panic!("done"),
        }
    };
    let slow = begin().await;
    clock.pass(61);
    let fast = begin().await;
    let error = slow.finish("slow".to_owned()).await.unwrap_err();
    assert!(
        matches!(error, Error::OperationTakenOver { entity: "Request" }),
        "{error}"
    );
    assert_eq!(fast.finish("fast".to_owned()).await.unwrap(), "fast");
    // Nor does it give up what is another's.
    let slow = begin_again(&db, &clock).await;
    clock.pass(61);
    let fast = begin().await;
    assert!(slow.abandon().await.is_err());
    assert_eq!(fast.finish("fast".to_owned()).await.unwrap(), "fast");
}

async fn begin_again<'t>(
    db: &'t Table<Shop>,
    clock: &Clock,
) -> dyna_runtime::request::Started<'t, Request> {
    clock.pass(25 * 3600);
    match db.once(request()).begin().await.unwrap() {
        Begun::Started(started) => started,
        Begun::Done(_) => panic!("done"),
    }
}

#[tokio::test(start_paused = true)]
async fn an_operation_that_fails_is_run_again() {
    let (_, db, _) = shop(&[]).await;
    let failed = || async { Err::<String, _>(Error::MoreThanOne { entity: "Order" }) };
    let error = db.once(request()).run(failed).await.unwrap_err();
    assert!(matches!(error, Error::MoreThanOne { .. }));
    let ran = AtomicU64::new(0);
    assert_eq!(run(&db, &ran, "two").await.unwrap(), "two");
}

#[tokio::test(start_paused = true)]
async fn writes_with_the_record_are_applied_once_across_crashes() {
    for lost in LOST {
        // It crashes before it writes, after it, or not at all.
        for crash in 0..3 {
            let (_, db, clock) = shop(&[lost, lost, Fault::None, lost, lost]).await;
            let mut order = Order {
                id: "o1".to_owned(),
                items: 1,
            };
            for attempt in 0..3 {
                order.id = format!("o{attempt}");
                match db.once(request()).begin().await.unwrap() {
                    Begun::Done(id) => assert_eq!(id, if crash == 1 { "o1" } else { "o0" }),
                    Begun::Started(_) if crash == 1 && attempt == 0 => {}
                    Begun::Started(started) => {
                        let done = started.complete(order.id.clone());
                        let write = db.transact().put(done.put()).create(&order);
                        write.send().await.unwrap();
                    }
                }
                clock.pass(61);
            }
            assert_eq!(Order::scan().all(&db).await.unwrap().len(), 1);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn refusal_without_its_item_does_not_start_the_operation() {
    for is_done in [false, true] {
        let (server, db, clock) = shop(&[Fault::WithoutItem; 20]).await;
        let Begun::Started(started) = db.once(request()).begin().await.unwrap() else {
            panic!("not started");
        };
        if is_done {
            started.finish("one".to_owned()).await.unwrap();
        }
        let second = db.once(request()).begin().await;
        match second {
            Ok(Begun::Done(output)) => assert!(is_done && output == "one"),
            Ok(Begun::Started(_)) => panic!("started twice"),
            Err(error) => assert!(!is_done && error.is_operation_running(), "{error}"),
        }
        // Only when it has expired it starts again.
        clock.pass(25 * 3600);
        let again = db.once(request()).begin().await.unwrap();
        assert!(matches!(again, Begun::Started(_)));
        assert!(server.happened().contains(&Fault::WithoutItem));
    }
}

/// A refusal for an item that is gone when it is looked for.
#[tokio::test(start_paused = true)]
async fn refusal_without_any_item_is_an_error() {
    let (_, db, _) = shop(&[Fault::ConditionFailed]).await;
    let error = db.once(request()).begin().await.unwrap_err();
    assert!(error.is_condition_failed(), "{error}");
    assert!(matches!(
        db.once(request()).begin().await.unwrap(),
        Begun::Started(_)
    ));
}

#[tokio::test(start_paused = true)]
async fn any_duration_may_be_asked_for() {
    let (_, db, clock) = shop(&[]).await;
    let once = || {
        let once = db.once(request());
        once.keep_for(Duration::MAX).lock_for(Duration::MAX)
    };
    let work = || async { Ok::<_, Error>("one".to_owned()) };
    assert_eq!(once().run(work).await.unwrap(), "one");
    clock.pass(3_000_000_000);
    let work = || async { Ok::<_, Error>("two".to_owned()) };
    assert_eq!(once().run(work).await.unwrap(), "one");
}

#[tokio::test(start_paused = true)]
async fn finish_whose_responses_are_all_lost_looks_at_the_record() {
    // One attempt begins the operation. All attempts to finish it are lost: applied, or not.
    for (fault, is_applied) in [(Fault::AppliedThenReset, true), (Fault::Reset, false)] {
        let (_, db) = Faults::planned::<Shop>(move |n, _| match n {
            0 => Fault::None,
            _ => fault,
        })
        .await;
        let Begun::Started(started) = db.once(request()).begin().await.unwrap() else {
            panic!("not started");
        };
        match started.finish("one".to_owned()).await {
            Ok(output) => assert!(is_applied && output == "one"),
            Err(error) => assert!(!is_applied && error.is_outcome_unknown(), "{error}"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn finish_that_is_lost_finds_out_that_another_took_over() {
    let (server, db) = Faults::planned::<Shop>(|n, _| match n {
        0 => Fault::None,
        _ => Fault::Reset,
    })
    .await;
    let clock = Clock::default();
    let db = clock.of(db);
    let Begun::Started(slow) = db.once(request()).begin().await.unwrap() else {
        panic!("not started");
    };
    clock.pass(61);
    let direct = clock.of(server.direct());
    assert_eq!(
        run(&direct, &AtomicU64::new(0), "fast").await.unwrap(),
        "fast"
    );
    let error = slow.finish("slow".to_owned()).await.unwrap_err();
    assert!(matches!(error, Error::OperationTakenOver { .. }), "{error}");
}

/// If the record cannot be read either, the outcome of the beginning is unknown still.
#[tokio::test(start_paused = true)]
async fn begin_whose_record_cannot_be_read_is_of_unknown_outcome() {
    let lost = |_: usize, _: &str| Fault::AppliedThenReset;
    let (_, db) = Faults::planned_with_reads::<Shop>(lost, lost).await;
    let error = db.once(request()).begin().await.unwrap_err();
    assert!(error.is_outcome_unknown(), "{error}");
}
