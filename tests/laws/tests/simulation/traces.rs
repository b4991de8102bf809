//! The same seed makes the same run.

use super::network::{Network, Note, note};
use super::settings::number;
use dyna_runtime::simulate::{Faults, Simulation};
use std::time::{Duration, Instant};

/// Three clients that write and read the same ten items, under all faults.
async fn program(seed: u64, each: u64) -> Simulation<Network> {
    let faults = Faults::evenly(0.3)
        .clock_jumps(0.05, Duration::from_mins(5))
        .stale_indexes(0.5, Duration::from_secs(1));
    let sim = Simulation::<Network>::new(seed, faults).await.unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for client in 0..3 {
        let db = sim.client();
        tasks.spawn(async move {
            for n in 0..each {
                let id = format!("{}", (n * 7 + client) % 10);
                // Their errors are in the trace.
                let _ = match n % 6 {
                    0 => note(&id).put().send(&db).await,
                    1 => note(&id).create().once().send(&db).await,
                    2 => Note::update(&id).add(Note::COUNT, 1).send(&db).await,
                    3 => db
                        .batch_write()
                        .put(&note(&id))
                        .put(&note("x"))
                        .send()
                        .await
                        .map(|_| ()),
                    4 => Note::get(&id).send(&db).await.map(|_| ()),
                    _ => Note::by_owner("ann").all(&db).await.map(|_| ()),
                };
            }
        });
    }
    tasks.join_all().await;
    sim
}

/// In a runtime and on a thread of its own, as another test is.
fn apart<F: Future<Output = Simulation<Network>>>(
    program: impl FnOnce() -> F + Send + 'static,
) -> String {
    let run = move || {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async { program().await.trace().to_string() })
    };
    std::thread::spawn(run).join().unwrap()
}

fn trace_of(seed: u64) -> String {
    apart(move || program(seed, 60))
}

#[test]
fn same_seed_has_the_same_trace_byte_for_byte() {
    for seed in 0..5 {
        assert_eq!(trace_of(seed), trace_of(seed));
    }
    assert_ne!(trace_of(0), trace_of(1));
}

/// The SDK drops an attempt that takes too long, and waits before the next one.
#[test]
fn attempts_that_run_into_a_timeout_have_the_same_trace() {
    let program = |fault: fn(Faults) -> Faults| {
        move || async move {
            let faults = fault(Faults::none());
            let sim = Simulation::<Network>::new(1, faults).await.unwrap();
            let db = sim.client();
            for n in 0..20 {
                let _ = note(&n.to_string()).put().send(&db).await;
            }
            sim
        }
    };
    let slow = program(|faults| faults.slow_responses(1.0));
    let trace = apart(slow);
    assert_eq!(trace, apart(slow));
    assert!(trace.lines().count() > 20, "{trace}");
    let late = program(|faults| faults.late_arrivals(0.5).slow_responses(0.5));
    assert_eq!(apart(late), apart(late));
}

#[tokio::test(start_paused = true)]
async fn trace_has_a_line_for_each_attempt_and_no_value() {
    let sim = program(3, 60).await;
    let text = sim.trace().to_string();
    assert_eq!(text.lines().count(), sim.trace().attempts().len());
    let times = sim
        .trace()
        .attempts()
        .iter()
        .map(|it| it.at)
        .collect::<Vec<_>>();
    assert!(times.is_sorted());
    for value in ["NOTE#", "OWNER", "ann", "pk"] {
        assert!(!text.contains(value), "{text}");
    }
    let faults = [
        "reset",
        "late arrival",
        "lost response",
        "truncated response",
        "slow response",
        "status 500",
        "status 503",
        "throttled",
        "transaction conflict",
        "transaction in progress",
        "partial batch",
        "expired credentials",
        "stale read",
        "clock of the client jumps",
    ];
    let all: String = (0..5).map(trace_of).collect();
    for fault in faults {
        assert!(all.contains(fault), "no {fault}");
    }
    let debug = format!("{sim:?}");
    assert!(
        debug.starts_with("Simulation { seed: 3, attempts: "),
        "{debug}"
    );
}

/// `DYNA_SIM_REQUESTS=10000 cargo test --release -p dyna-laws --test simulation nobody_waits -- --nocapture`
#[tokio::test(start_paused = true)]
async fn nobody_waits() {
    let requests = number("DYNA_SIM_REQUESTS", 1_500);
    let (real, virtual_time) = (Instant::now(), tokio::time::Instant::now());
    let attempts = program(1, requests / 3).await.trace().attempts().len();
    let (real_time, virtual_time) = (real.elapsed(), virtual_time.elapsed());
    println!("{requests} requests, {attempts} attempts: {virtual_time:?} in {real_time:?}");
    assert!(virtual_time > Duration::from_millis(requests * 10));
    assert!(
        real.elapsed() < Duration::from_mins(1),
        "{:?}",
        real.elapsed()
    );
}

/// Runs a program that fails, in another process: what it prints.
#[test]
fn failure_prints_its_seed() {
    if std::env::var_os("DYNA_FAIL").is_some() {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let _sim = program(4_711, 6).await;
            panic!("as planned");
        });
    }
    let name = "traces::failure_prints_its_seed";
    let run = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env("DYNA_FAIL", "1")
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&run.stderr);
    assert!(!run.status.success());
    assert!(printed.contains("Simulation { seed: 4711, "), "{printed}");
    assert!(printed.contains("PutItem"), "{printed}");
}
