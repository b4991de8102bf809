//! Random programs by several clients under faults, and a checker that knows the laws: `program` is what they do, `run` runs it, `model` is
//! what DynamoDB and the library must make of it, `check` compares, and `shrink` finds the shortest program that fails.

mod check;
pub(super) mod model;
pub(super) mod program;
mod requests;
mod run;
mod shrink;
pub(super) mod world;

use super::settings::number;
use program::{Bug, Program};
use run::Told;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Figures of many programs.
#[derive(Default)]
struct Tried {
    operations: AtomicUsize,
    attempts: AtomicUsize,
    faults: AtomicUsize,
    writes: AtomicUsize,
    unknown: AtomicUsize,
    refused: AtomicUsize,
}

/// Runs the programs of these seeds, on all cores, until one fails: its shortest form, and what is wrong with it.
fn first_failure(seeds: u64, bug: Bug, tried: &Tried) -> Option<(Program, String)> {
    let (next, failed) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.min(failed.load(Ordering::Relaxed)) {
                return;
            }
            let program = Program::of(seed, bug);
            let history = run::run(&program);
            tried.operations.fetch_add(program.len(), Ordering::Relaxed);
            tried
                .attempts
                .fetch_add(history.attempts, Ordering::Relaxed);
            tried.faults.fetch_add(history.faults, Ordering::Relaxed);
            let writes = history.applied.len();
            tried.writes.fetch_add(writes, Ordering::Relaxed);
            for event in &history.events {
                match event.told {
                    Told::Unknown => tried.unknown.fetch_add(1, Ordering::Relaxed),
                    Told::ConditionFailed | Told::VersionConflict | Told::NotUnique => {
                        tried.refused.fetch_add(1, Ordering::Relaxed)
                    }
                    _ => 0,
                };
            }
            if check::check(&program, &history).is_err() {
                failed.fetch_min(seed, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let seed = failed.into_inner();
    (seed < u64::MAX).then(|| {
        let program = Program::of(seed, bug);
        let problem = shrink::problem(&program).expect("the same seed fails again");
        shrink::shrink(program, problem)
    })
}

/// `DYNA_SIM_SEEDS=10000 cargo test --release -p dyna-laws --test simulation history -- --nocapture`
#[test]
fn history_of_random_programs_keeps_the_laws() {
    let seeds = number("DYNA_SIM_SEEDS", 200);
    let tried = Tried::default();
    if let Some((program, problem)) = first_failure(seeds, Bug::None, &tried) {
        panic!("{problem}\n\nThe shortest program that fails:\n{program}");
    }
    let Tried {
        operations,
        attempts,
        faults,
        writes,
        unknown,
        refused,
    } = tried;
    let figures = [operations, attempts, faults, writes, unknown, refused];
    let figures = figures.map(|figure| figure.into_inner().to_string());
    println!("| 0 to {} | {} | 0 |", seeds - 1, figures.join(" | "));
}

fn finds(bug: Bug, about: &str) {
    let found = first_failure(500, bug, &Tried::default());
    let (program, problem) = found.expect("the checker finds the bug");
    let (seed, operations) = (program.seed, program.len());
    println!("planted {bug:?}: found with seed {seed}, shortest program {operations} operations");
    assert!(problem.contains(about), "{problem}\n{program}");
    assert!(program.len() <= 4, "{problem}\n{program}");
    assert!(
        program
            .to_string()
            .contains(&format!("seed {}", program.seed))
    );
}

#[test]
fn history_shows_a_write_that_is_not_sent_once() {
    finds(Bug::OnceDropped, "was applied 2 times");
}

#[test]
fn history_shows_a_failure_that_was_applied() {
    finds(Bug::UnknownIsFailure, "Failed was told, and it was applied");
}

#[test]
fn history_shows_a_sentinel_that_is_left_out() {
    finds(Bug::SentinelLeftOut, "UNIQUE#Account#mail#");
}

#[test]
fn history_shows_a_version_that_is_not_checked() {
    finds(Bug::VersionIgnored, "the model refuses it: Version");
}

#[test]
fn history_shows_an_index_key_that_is_left_out() {
    finds(Bug::IndexKeyLeftOut, "GROUP#");
}
