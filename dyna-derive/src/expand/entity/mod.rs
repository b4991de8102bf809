//! `#[derive(DynaEntity)]`.

mod checks;
mod derive;
mod each;
mod flattened;
mod functions;
mod keys;
mod managed;
mod meta;
mod partition;
mod parts;
mod queries;
mod setters;
mod steps;
mod templates;

pub(crate) use derive::entity;
