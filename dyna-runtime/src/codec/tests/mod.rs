#[cfg(feature = "rust_decimal")]
mod decimal;
mod differential;
mod errors;
mod numbers;
mod rules;
pub(super) mod samples;
mod sets;
mod size;
