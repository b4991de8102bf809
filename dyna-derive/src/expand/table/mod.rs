//! `#[derive(DynaTable)]`: the schema of a table, and the proof that its entities can share it.

mod derive;
mod entities;
mod index;
mod key;
mod schema;
mod settings;

pub(crate) use derive::table;
