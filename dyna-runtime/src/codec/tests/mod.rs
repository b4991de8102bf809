mod differential;
mod errors;
mod rules;
pub(super) mod samples;
mod sets;
mod size;
