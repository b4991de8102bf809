//! `#[derive(DynaEntity)]`.

mod derive;
mod each;
mod flattened;
mod managed;
mod partition;
mod queries;
mod setters;
mod templates;

pub(crate) use derive::entity;
