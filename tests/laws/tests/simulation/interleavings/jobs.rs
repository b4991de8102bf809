//! An operation that runs once, by two clients: one takes over when the lock of the other has ended.

use super::schedule::{Choices, Run};
use super::{Budget, budgets, every};
use crate::history::program::Place;
use crate::history::world::{Job, Note, World};
use dyna_runtime::request::Begun;
use dyna_runtime::{Error, Table};
use std::time::{Duration, SystemTime};

/// How the writes of the operation are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writes {
    /// By `run`, which stores the output after them.
    Apart,
    /// In one transaction with the record.
    Together,
}

fn note(by: u64) -> Note {
    crate::history::model::note(if by == 1 { "one" } else { "two" }, Place("x", 1), by)
}

/// What a client was told: the output, and whether it ran the operation itself.
async fn act(db: Table<World>, by: u64, writes: Writes) -> Result<u64, Error> {
    let job = Job {
        id: "a".to_owned(),
        holder: None,
        output: None,
        expires: 0,
    };
    match db.once(job).begin().await? {
        Begun::Done(output) => Ok(output),
        Begun::Started(started) if writes == Writes::Together => {
            let done = started.complete(by);
            let write = db.transact().put(done.put()).create(&note(by));
            write.send().await.map(|()| by)
        }
        Begun::Started(started) => started.finish(by).await,
    }
}

async fn leaf(writes: Writes, later: Duration, choices: &mut Choices, budget: Budget) {
    let (mut run, direct) = Run::new::<World>(budget).await;
    let begin = SystemTime::UNIX_EPOCH + Duration::from_hours(490_896);
    for by in [1, 2] {
        // For the second client the lock of the first may have ended.
        let now = if by == 1 { begin } else { begin + later };
        let db = run.table::<World>().with_clock(move || now);
        run.start(act(db, by, writes));
    }
    choices.drive(&mut run).await;
    let told = run.outcomes().await;
    let job = Job::get("a").consistent().send(&direct).await.unwrap();
    let stored = job.and_then(|job| job.output);
    let context = format!("{writes:?} {later:?} {told:?}: {choices}, stored {stored:?}");
    for output in told.iter().flatten().filter_map(|told| told.as_ref().ok()) {
        assert_eq!(stored, Some(*output), "{context}");
    }
    for error in told.iter().flatten().filter_map(|told| told.as_ref().err()) {
        let is_expected = error.is_operation_running()
            || error.is_outcome_unknown()
            || error.is_condition_failed()
            || matches!(error, Error::OperationTakenOver { .. });
        assert!(is_expected, "{context}");
    }
    if writes == Writes::Together {
        // What it writes is there if and only if its output is, and once.
        let notes = Note::scan().consistent().all(&direct).await.unwrap();
        let by: Vec<u64> = notes.iter().map(|note| note.by).collect();
        assert_eq!(by, stored.into_iter().collect::<Vec<_>>(), "{context}");
    }
}

#[test]
fn interleavings_of_an_operation_that_runs_once_store_one_output() {
    for writes in [Writes::Apart, Writes::Together] {
        for later in [Duration::ZERO, Duration::from_secs(61)] {
            let runs = budgets().into_iter().map(|budget| {
                every(budget, async |choices, budget| {
                    leaf(writes, later, choices, budget).await;
                })
            });
            let leaves: usize = runs.sum();
            let later = later.as_secs();
            println!(
                "| runs once, writes {writes:?}, second client {later} s later | {leaves} | 0 |"
            );
            assert!(leaves > 20, "{leaves}");
        }
    }
}
