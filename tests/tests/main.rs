//! What crosses the crates.

mod engine;
mod filters;
mod hygiene;
mod kept;
mod keys;
mod paging;
mod ranges;
mod reads;
mod schema;
mod several_crates;
mod traced;
mod ui;
mod updates;
mod wire;
mod writes;
