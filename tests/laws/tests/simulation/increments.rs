//! Counting under faults: what is acknowledged is counted once.

use super::network::{Network, Note, note};
use super::settings::number;
use dyna_runtime::simulate::{Faults, Simulation};
use std::time::Duration;

/// What became of so many increments.
#[derive(Debug)]
struct Counted {
    acknowledged: u64,
    unknown: u64,
    stored: u64,
    attempts: usize,
    faults: usize,
}

/// Increments two counters by eight clients.
async fn count(increments: u64, seed: u64) -> Counted {
    const CLIENTS: u64 = 8;
    let sim = Simulation::<Network>::new(seed, Faults::evenly(0.2))
        .await
        .unwrap();
    for id in ["a", "b"] {
        note(id).create().send(&sim.direct()).await.unwrap();
    }
    let mut tasks = tokio::task::JoinSet::new();
    for client in 0..CLIENTS {
        let db = sim.client();
        tasks.spawn(async move {
            let (mut acknowledged, mut unknown) = (0, 0);
            let id = if client % 2 == 0 { "a" } else { "b" };
            for _ in 0..increments / CLIENTS {
                loop {
                    let add = Note::update(id).add(Note::COUNT, 1).once();
                    match add.send(&db).await {
                        Ok(()) => acknowledged += 1,
                        Err(error) if error.is_outcome_unknown() => unknown += 1,
                        // It has failed, and is made again.
                        Err(_) => continue,
                    }
                    break;
                }
            }
            (acknowledged, unknown)
        });
    }
    let done: Vec<(u64, u64)> = tasks.join_all().await;
    // What is still on its way arrives.
    sim.wait(Duration::from_secs(10)).await;
    let mut stored = 0;
    for id in ["a", "b"] {
        let read = Note::get(id).consistent().send(&sim.direct()).await;
        stored += read.unwrap().unwrap().count;
    }
    let trace = sim.trace();
    let faults = trace.attempts().iter().filter(|it| it.fault.is_some());
    Counted {
        acknowledged: done.iter().map(|done| done.0).sum(),
        unknown: done.iter().map(|done| done.1).sum(),
        stored,
        attempts: trace.attempts().len(),
        faults: faults.count(),
    }
}

/// `DYNA_SIM_INCREMENTS=100000 cargo test --release -p dyna-laws --test simulation increments_under_all_faults -- --nocapture`
#[tokio::test(start_paused = true)]
async fn increments_under_all_faults_are_counted_once() {
    let increments = number("DYNA_SIM_INCREMENTS", 2_000);
    for seed in 0..number("DYNA_SIM_INCREMENT_SEEDS", 1) {
        let counted = count(increments, seed).await;
        let Counted {
            acknowledged,
            unknown,
            stored,
            attempts,
            faults,
        } = counted;
        // Acknowledged and not stored, or stored and neither acknowledged nor in doubt.
        let lost = acknowledged.saturating_sub(stored);
        let wrong = lost + stored.saturating_sub(acknowledged + unknown);
        println!(
            "| {seed} | {increments} | {attempts} | {faults} | {acknowledged} | {unknown} | {stored} | {wrong} |"
        );
        assert_eq!(wrong, 0, "seed {seed}: {counted:?}");
        assert!(
            acknowledged + unknown == increments / 8 * 8,
            "seed {seed}: {counted:?}"
        );
        assert!(unknown <= increments / 100, "seed {seed}: {counted:?}");
        assert!(faults * 100 > attempts * 19, "seed {seed}: {counted:?}");
    }
}
