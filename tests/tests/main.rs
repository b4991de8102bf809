//! What crosses the crates.

#![allow(
    clippy::trivially_copy_pass_by_ref,
    clippy::ptr_arg,
    clippy::ref_option,
    reason = "functions of templates take references to the fields"
)]

mod engine;
mod filters;
mod hygiene;
mod keys;
mod managed;
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
