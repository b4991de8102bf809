//! The shortest program that still fails.

use super::check::check;
use super::program::Program;
use super::run::run;

/// What is wrong with a program, if anything is.
pub(super) fn problem(program: &Program) -> Option<String> {
    check(program, &run(program)).err()
}

/// Leaves out clients, then operations, then faults, as long as the program fails.
pub(super) fn shrink(program: Program, problem_of_it: String) -> (Program, String) {
    let mut best = (program, problem_of_it);
    while let Some(shorter) = shorter(&best.0).into_iter().find_map(|program| {
        let problem = problem(&program)?;
        Some((program, problem))
    }) {
        best = shorter;
    }
    best
}

/// Every program with one thing less.
fn shorter(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Program)| {
        let mut less = program.clone();
        change(&mut less);
        all.push(less);
    };
    for client in 0..program.clients.len() {
        add(&|it| drop(it.clients.remove(client)));
    }
    for (client, ops) in program.clients.iter().enumerate() {
        for op in 0..ops.len() {
            if ops.len() > 1 {
                add(&|it| drop(it.clients[client].remove(op)));
            }
        }
    }
    for fault in 0..program.faults.len() {
        add(&|it| it.faults.retain(|one| *one != program.faults[fault]));
    }
    if program.do_clocks_jump {
        add(&|it| it.do_clocks_jump = false);
    }
    if program.lag.is_some() {
        add(&|it| it.lag = None);
    }
    all
}
