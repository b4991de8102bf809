//! What crosses the crates.

mod engine;
mod hygiene;
mod keys;
mod ranges;
mod several_crates;
mod ui;
