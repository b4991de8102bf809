//! What crosses the crates; the tests are in `tests/`.

/// The code of the README runs.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
