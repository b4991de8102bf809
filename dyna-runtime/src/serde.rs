//! Modules for `#[serde(with = "..")]`: sets, decimal numbers, and times that sort.

#[cfg(feature = "rust_decimal")]
pub use crate::codec::decimal;
pub use crate::codec::sets::{binary_set, number_set, string_set};
pub use crate::key::rfc3339;
