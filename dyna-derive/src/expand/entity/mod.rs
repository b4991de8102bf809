//! `#[derive(DynaEntity)]`.

mod chain;
mod checks;
mod derive;
mod each;
mod flattened;
mod functions;
mod keys;
mod managed;
mod meta;
mod of_self;
mod partition;
mod parts;
mod queries;
mod setters;
mod steps;
mod templates;
mod variants;

pub(crate) use derive::entity;
