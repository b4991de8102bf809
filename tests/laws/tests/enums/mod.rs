//! Entities that are enums.

mod exact;
mod fields;
mod requests;
