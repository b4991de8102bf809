//! What the environment may change.

/// A number that the environment may change.
pub(super) fn number(variable: &str, default: u64) -> u64 {
    let given = std::env::var(variable).ok();
    given.map_or(default, |it| it.parse().expect("a number"))
}
