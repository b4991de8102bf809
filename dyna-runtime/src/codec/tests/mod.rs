mod differential;
mod errors;
mod rules;
mod samples;
mod sets;
mod size;
