#[cfg(feature = "rust_decimal")]
mod decimal;
mod differential;
mod errors;
mod rules;
pub(super) mod samples;
mod sets;
mod size;
