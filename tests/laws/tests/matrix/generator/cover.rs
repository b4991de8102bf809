//! A covering array of strength two: few entities with many features each, so that every possible pair is in one of them.

use super::Feature;
use std::collections::BTreeSet;

/// How many features an entity has at most: its derive costs time, and a failure is easier to read with few.
const MOST: usize = 7;

/// The features of each entity, as indexes into `features`. A test holds the result to the law.
pub(super) fn cover(
    features: &[Feature],
    impossible: &[(&str, &str, &str)],
) -> Vec<BTreeSet<usize>> {
    let possible = |a: usize, b: usize| {
        let pair = (features[a].name, features[b].name);
        let listed = |&&(x, y, _): &&(&str, &str, &str)| pair == (x, y) || pair == (y, x);
        !impossible.iter().any(|one| listed(&one))
    };
    let all = 0..features.len();
    let mut open: BTreeSet<(usize, usize)> = all
        .clone()
        .flat_map(|a| (0..a).map(move |b| (b, a)))
        .filter(|&(a, b)| possible(a, b))
        .collect();
    let mut cases = Vec::new();
    while let Some(&(a, b)) = open.first() {
        let mut case = BTreeSet::from([a, b]);
        while case.len() < MOST {
            let fits = |one: &usize| {
                !case.contains(one) && case.iter().all(|other| possible(*one, *other))
            };
            let gain = |one: usize| {
                let pair = |other: &&usize| open.contains(&(one.min(**other), one.max(**other)));
                case.iter().filter(pair).count()
            };
            let best = all.clone().filter(fits).max_by_key(|one| gain(*one));
            match best {
                Some(best) if gain(best) > 0 => case.insert(best),
                _ => break,
            };
        }
        for a in &case {
            for b in &case {
                open.remove(&(*a, *b));
            }
        }
        cases.push(case);
    }
    cases
}
