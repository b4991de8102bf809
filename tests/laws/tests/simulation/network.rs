//! What happens on the network of a simulation.

use aws_sdk_dynamodb::operation::get_item::GetItemError as E;
use dyna_runtime::simulate::{Fault, Faults, Outcome, Simulation};
use dyna_runtime::{DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime};

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(name = "network-{stage}", pk = "pk", index(by_owner, pk = "gpk"))]
pub(super) enum Network {
    Note(Note),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Network, pk = "NOTE#<id>", by_owner(pk = "OWNER#<owner>"))]
pub(super) struct Note {
    pub(super) id: String,
    pub(super) owner: String,
    #[dyna(created_at)]
    pub(super) created: u64,
    pub(super) count: u64,
}

pub(super) fn note(id: &str) -> Note {
    Note {
        id: id.to_owned(),
        owner: "ann".to_owned(),
        created: 0,
        count: 0,
    }
}

/// A simulation in which this happens to every attempt, and its one client without retries.
async fn always(fault: Fault) -> (Simulation<Network>, Table<Network>) {
    let sim = Simulation::new(1, Faults::none().with(fault, 1.0))
        .await
        .unwrap();
    let retries = aws_sdk_dynamodb::config::retry::RetryConfig::disabled();
    let db = sim.client_with(|config| config.retry_config(retries));
    (sim, db)
}

async fn is_stored(sim: &Simulation<Network>) -> bool {
    let read = Note::get("a").consistent().send(&sim.direct()).await;
    read.unwrap().is_some()
}

/// One put to which this happens: whether it is stored, and its error.
async fn put(fault: Fault) -> (bool, Error) {
    let (sim, db) = always(fault).await;
    let error = note("a").put().send(&db).await.unwrap_err();
    // Dyna itself tries a conflict again.
    assert!(sim.trace().count(fault) > 0, "{fault}");
    (is_stored(&sim).await, error)
}

#[tokio::test(start_paused = true)]
async fn lost_and_truncated_responses_are_applied() {
    for fault in [Fault::LostResponse, Fault::TruncatedResponse] {
        let (is_stored, error) = put(fault).await;
        assert!(is_stored && error.is_outcome_unknown(), "{fault}: {error}");
    }
}

#[tokio::test(start_paused = true)]
async fn resets_and_refusals_are_not_applied() {
    let (is_stored, error) = put(Fault::Reset).await;
    assert!(!is_stored && error.is_outcome_unknown(), "{error}");
    let (is_stored, error) = put(Fault::Throttled).await;
    assert!(!is_stored && error.is_throttled(), "{error}");
    let (is_stored, error) = put(Fault::ExpiredCredentials).await;
    assert!(!is_stored && !error.is_outcome_unknown(), "{error}");
}

#[tokio::test(start_paused = true)]
async fn late_arrivals_are_applied_later() {
    for seed in 0..10 {
        let faults = Faults::none().late_arrivals(1.0);
        let sim = Simulation::<Network>::new(seed, faults).await.unwrap();
        let retries = aws_sdk_dynamodb::config::retry::RetryConfig::disabled();
        let db = sim.client_with(|config| config.retry_config(retries));
        let error = note("a").create().send(&db).await.unwrap_err();
        assert!(error.is_outcome_unknown() && !is_stored(&sim).await);
        sim.wait(Duration::from_secs(5)).await;
        assert!(is_stored(&sim).await);
        let trace = sim.trace();
        let outcomes = trace.attempts().iter().filter(|it| it.client == 1);
        let outcomes: Vec<_> = outcomes.map(|it| &it.outcome).collect();
        assert_eq!(outcomes, [&Outcome::Delayed, &Outcome::Applied]);
    }
}

/// DynamoDB knows the token of a transaction whose late attempt arrives after another one.
#[tokio::test(start_paused = true)]
async fn late_arrival_of_a_transaction_is_applied_once() {
    for seed in 0..20 {
        let faults = Faults::none().late_arrivals(0.5);
        let sim = Simulation::<Network>::new(seed, faults).await.unwrap();
        note("a").put().send(&sim.direct()).await.unwrap();
        let add = Note::update("a").add(Note::COUNT, 1).once();
        let sent = add.send(&sim.client()).await;
        sim.wait(Duration::from_secs(5)).await;
        let read = Note::get("a").consistent().send(&sim.direct()).await;
        assert_eq!(read.unwrap().unwrap().count, 1, "seed {seed}: {sent:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn server_errors_are_applied_sometimes() {
    for fault in [Fault::InternalError, Fault::Unavailable] {
        let mut stored = 0;
        for seed in 0..40 {
            let faults = Faults::none().with(fault, 1.0);
            let sim = Simulation::<Network>::new(seed, faults).await.unwrap();
            let error = note("a").put().send(&sim.client()).await.unwrap_err();
            assert!(error.is_outcome_unknown(), "{error}");
            stored += usize::from(is_stored(&sim).await);
        }
        // Of three attempts, one was applied in seven of eight cases.
        assert!((25..40).contains(&stored), "{fault}: {stored}");
    }
}

#[tokio::test(start_paused = true)]
async fn slow_responses_run_into_the_timeout_of_an_attempt() {
    let begin = tokio::time::Instant::now();
    let faults = Faults::none().slow_responses(1.0);
    let mut unknown = 0;
    for seed in 0..40 {
        let sim = Simulation::<Network>::new(seed, faults.clone())
            .await
            .unwrap();
        let put = note("a").put().send(&sim.client()).await;
        unknown += usize::from(put.is_err_and(|error| error.is_outcome_unknown()));
        assert!(is_stored(&sim).await);
    }
    assert!((1..40).contains(&unknown), "{unknown}");
    assert!(begin.elapsed() > Duration::from_secs(30));
}

#[tokio::test(start_paused = true)]
async fn throttled_requests_have_reasons() {
    let mut reasons = 0;
    for seed in 0..20 {
        let faults = Faults::none().throttles(1.0);
        let sim = Simulation::<Network>::new(seed, faults).await.unwrap();
        let db = sim.client();
        let read = db.client().get_item().table_name(db.name().unwrap());
        let key = aws_sdk_dynamodb::types::AttributeValue::S("NOTE#a".to_owned());
        let error = read.key("pk", key).send().await.unwrap_err();
        reasons += match error.into_service_error() {
            E::ProvisionedThroughputExceededException(it) => it.throttling_reasons().len(),
            E::RequestLimitExceeded(it) => it.throttling_reasons().len(),
            other => usize::from(format!("{other:?}").contains("ThrottlingException")),
        };
    }
    assert_eq!(reasons, 20);
}

#[tokio::test(start_paused = true)]
async fn transactions_are_cancelled_for_throttling() {
    let mut cancelled = 0;
    for seed in 0..20 {
        let faults = Faults::none().throttles(1.0);
        let sim = Simulation::<Network>::new(seed, faults).await.unwrap();
        let (one, two) = (note("a"), note("b"));
        let db = sim.client();
        let put = db.transact().put(&one).put(&two).retries(0);
        let error = put.send().await.unwrap_err();
        assert!(
            error.is_throttled() && !error.is_outcome_unknown(),
            "{error}"
        );
        cancelled += usize::from(error.code() == Some("TransactionCanceledException"));
    }
    assert!((1..20).contains(&cancelled), "{cancelled}");
}

#[tokio::test(start_paused = true)]
async fn indexes_are_throttled_too() {
    let mut of_index = 0;
    for seed in 0..40 {
        let faults = Faults::none().throttles(1.0);
        let sim = Simulation::<Network>::new(seed, faults).await.unwrap();
        let error = note("a").put().send(&sim.client()).await.unwrap_err();
        of_index += usize::from(error.to_string().contains("IndexWriteProvisioned"));
    }
    assert!((1..40).contains(&of_index), "{of_index}");
}

#[tokio::test(start_paused = true)]
async fn faults_happen_at_the_rate_that_is_asked_for() {
    let sim = Simulation::<Network>::new(8, Faults::evenly(0.2))
        .await
        .unwrap();
    let db = sim.client();
    for n in 0..1000 {
        // Each kind of operation has other faults.
        let _ = match n % 3 {
            0 => note("a").put().send(&db).await,
            1 => note("a").put().once().send(&db).await,
            _ => Note::get("a").send(&db).await.map(|_| ()),
        };
    }
    let trace = sim.trace();
    for operation in ["PutItem", "TransactWriteItems", "GetItem"] {
        let of = trace
            .attempts()
            .iter()
            .filter(|it| it.operation == operation);
        let of: Vec<_> = of.filter(|it| it.outcome != Outcome::Delayed).collect();
        let faults = of.iter().filter(|it| it.fault.is_some()).count();
        let rate = faults * 1000 / of.len();
        assert!((160..=240).contains(&rate), "{operation}: {rate}");
    }
}

#[tokio::test(start_paused = true)]
async fn conflicts_cancel_transactions_and_refuse_single_writes() {
    let (was_stored, error) = put(Fault::TransactionConflict).await;
    assert!(!was_stored && error.is_transaction_conflict(), "{error}");
    let (sim, db) = always(Fault::TransactionConflict).await;
    let (one, two) = (note("a"), note("b"));
    let error = db.transact().put(&one).put(&two).send().await.unwrap_err();
    assert!(
        !is_stored(&sim).await && error.is_transaction_conflict(),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn transaction_in_progress_is_of_unknown_outcome() {
    let (sim, db) = always(Fault::TransactionInProgress).await;
    let error = note("a").create().once().send(&db).await.unwrap_err();
    assert!(
        error.is_outcome_unknown() && !is_stored(&sim).await,
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn batches_are_processed_in_part_until_they_are_done() {
    let sim = Simulation::<Network>::new(3, Faults::none().partial_batches(1.0))
        .await
        .unwrap();
    let db = sim.client();
    let notes: Vec<Note> = (0..60).map(|n| note(&format!("{n}"))).collect();
    let left = db.batch_write().put_all(&notes).send().await.unwrap();
    assert!(left.is_empty());
    let keys = notes.iter().map(|note| Note::key(&note.id));
    let read = db.batch_get(keys).await.unwrap();
    assert!(read.items.iter().all(Option::is_some));
    assert!(sim.trace().count(Fault::PartialBatch) > 4);
}

#[tokio::test(start_paused = true)]
async fn stale_index_is_behind_by_the_bound_and_no_longer() {
    let faults = Faults::none().stale_indexes(1.0, Duration::from_secs(5));
    let mut stale = 0;
    for seed in 0..20 {
        let sim = Simulation::<Network>::new(seed, faults.clone())
            .await
            .unwrap();
        note("a").put().send(&sim.direct()).await.unwrap();
        let db = sim.client();
        let found = Note::by_owner("ann").all(&db).await.unwrap();
        stale += usize::from(found.is_empty());
        let read = Note::get("a").send(&db).await.unwrap();
        assert!(read.is_some(), "the table itself is not stale");
        sim.wait(Duration::from_secs(5)).await;
        let found = Note::by_owner("ann").all(&db).await.unwrap();
        assert_eq!(found.len(), 1);
    }
    assert!(stale > 10, "{stale}");
}

#[tokio::test(start_paused = true)]
async fn stale_reads_spare_consistent_ones() {
    let faults = Faults::none().stale_reads(1.0, Duration::from_hours(1));
    let sim = Simulation::<Network>::new(4, faults).await.unwrap();
    let db = sim.client();
    note("a").put().send(&db).await.unwrap();
    assert_eq!(Note::get("a").send(&db).await.unwrap(), None);
    assert!(
        Note::get("a")
            .consistent()
            .send(&db)
            .await
            .unwrap()
            .is_some()
    );
}

#[tokio::test(start_paused = true)]
async fn clocks_of_clients_jump_and_that_of_the_server_does_not() {
    let faults = Faults::none().clock_jumps(1.0, Duration::from_hours(1));
    let sim = Simulation::<Network>::new(5, faults).await.unwrap();
    let db = sim.client();
    for id in ["a", "b"] {
        // The clock jumps with the first request.
        note(id).create().send(&db).await.unwrap();
    }
    let since = |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).unwrap();
    assert_eq!(since(sim.now()).as_secs(), 1_767_225_600);
    let note = Note::get("b")
        .consistent()
        .send(&sim.direct())
        .await
        .unwrap()
        .unwrap();
    let off = note.created.abs_diff(1_767_225_600_000);
    assert!((1..=3_600_000).contains(&off), "{off}");
    assert!(
        sim.trace()
            .attempts()
            .iter()
            .all(|it| it.clock_off_by_ms.is_some() || it.client == 0)
    );
}

#[tokio::test(start_paused = true)]
async fn tokens_are_known_for_ten_minutes_of_virtual_time() {
    let sim = Simulation::<Network>::new(6, Faults::none()).await.unwrap();
    let db = sim.client();
    note("a").put().send(&db).await.unwrap();
    let add = || async {
        let add = Note::update("a").add(Note::COUNT, 1);
        db.transact().update(add).token("one").send().await.unwrap();
        let note = Note::get("a")
            .consistent()
            .send(&db)
            .await
            .unwrap()
            .unwrap();
        note.count
    };
    assert_eq!(add().await, 1);
    sim.wait(Duration::from_mins(9)).await;
    assert_eq!(add().await, 1);
    sim.wait(Duration::from_mins(1)).await;
    assert_eq!(add().await, 2);
}

#[tokio::test(start_paused = true)]
async fn no_faults_are_the_embedded_engine() {
    let sim = Simulation::<Network>::new(7, Faults::none()).await.unwrap();
    let db = sim.client();
    note("a").create().send(&db).await.unwrap();
    let error = note("a").create().send(&db).await.unwrap_err();
    assert!(
        error.is_condition_failed() && !error.is_outcome_unknown(),
        "{error}"
    );
    let trace = sim.trace();
    let refused = Outcome::Refused("ConditionalCheckFailedException".to_owned());
    assert_eq!(trace.attempts()[1].outcome, refused);
    assert!(trace.attempts().iter().all(|it| it.fault.is_none()));
}

#[tokio::test]
async fn time_that_is_not_paused_is_an_error_that_says_what_to_do() {
    let error = Network::simulated(1).await.unwrap_err();
    assert!(error.to_string().contains("start_paused = true"), "{error}");
}
