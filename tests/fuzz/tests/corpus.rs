//! The corpus of each target, and inputs that are made from it: `DYNA_FUZZ=100000` tries so many of the cheapest target, and fewer of others.

use dyna_fuzz::TARGETS;
use dyna_fuzz::run::{corpus, run, share};

#[test]
fn no_input_breaks_a_target() {
    let budget = std::env::var("DYNA_FUZZ").ok();
    let budget = budget.and_then(|n| n.parse().ok()).unwrap_or(40_000);
    let mut found = Vec::new();
    for target in TARGETS {
        assert!(corpus(&target).unwrap().len() >= 5, "{}", target.name);
        let outcome = run(&target, share(&target, budget), 1).unwrap();
        println!("{}: {} executions", target.name, outcome.executions);
        found.extend(outcome.found);
    }
    assert!(found.is_empty(), "{found:?}");
}
