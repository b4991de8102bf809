//! Regression tests.
