//! The laws of the library, on the embedded engine.

#![allow(
    clippy::trivially_copy_pass_by_ref,
    clippy::ptr_arg,
    clippy::ref_option,
    reason = "functions of templates take references to the fields"
)]

mod absent;
mod admin;
mod codec;
mod combinations;
mod derive;
mod derive_docs;
mod enums;
mod indexes;
mod interop;
mod layers;
mod lost;
mod matrix;
mod models;
mod reads;
mod review;
mod shared_table;
mod templates;
mod transport;
mod width;
mod writes;
