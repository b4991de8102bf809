//! `cargo run --release -p dyna-fuzz -- [executions] [seed] [target..]`: tries so many inputs of each target, or of those, and prints a table.

use dyna_fuzz::TARGETS;
use dyna_fuzz::run::run;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| match arguments.get(at) {
        Some(text) => text.parse().unwrap_or(default),
        None => default,
    };
    let (executions, seed) = (number(0, 100_000), number(1, 1));
    let wanted = arguments.get(2..).unwrap_or_default();
    let mut failed = false;
    println!("| target | executions | seconds | panics |");
    println!("|---|--:|--:|--:|");
    for target in TARGETS {
        if !wanted.is_empty() && wanted.iter().all(|name| name != target.name) {
            continue;
        }
        let start = Instant::now();
        match run(&target, executions, seed) {
            Ok(outcome) => {
                let seconds = start.elapsed().as_secs_f64();
                let found = outcome.found.len();
                println!(
                    "| {} | {} | {seconds:.1} | {found} |",
                    target.name, outcome.executions
                );
                failed |= found > 0;
            }
            Err(error) => {
                eprintln!("{}: its corpus cannot be read: {error}", target.name);
                failed = true;
            }
        }
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
